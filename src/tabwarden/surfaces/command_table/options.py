"""The options of the client and the servers that are not in the generated table.

These options set configuration keys, some of which have different names (``settings_of``).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from tabwarden.surfaces.command_table.types import CommandOption


def _option(name: str, about: str, *flags: str, kind: str = "text", **more: Any) -> CommandOption:
    own = f"--{name.replace('_', '-')}"
    return {"name": name, "kind": kind, "flags": [*flags] or [own], "help": about, **more}  # type: ignore[typeddict-item]


COMMON: list[CommandOption] = [
    _option(
        "session",
        "The session's name. Each session has its own browser [env: TABWARDEN_SESSION].",
        default="default",
    ),
    _option("json", "Print JSON; an error is {error: {code, message, hint, data}}.", kind="flag"),
]
"""The options of every command, in addition to the action's parameters."""

STARTING: list[CommandOption] = [
    _option("endpoint", "Attach to this running browser (http://…, ws://…)."),
    _option("executable", "The browser to launch.", path=True),
    _option("user_data_dir", "Store the profile in this folder.", path=True),
    _option(
        "init_script",
        "Run this JavaScript file in every page before the page's own scripts. May be repeated.",
        kind="texts",
        path=True,
    ),
    _option("profile", "Use the permanent profile with this name. It is created if missing."),
    _option(
        "restore",
        "Load the login state saved under this name, and save the current state there regularly.",
    ),
    _option(
        "headless",
        "Launch without a window (the default), or with one.",
        "--headless",
        "--headed",
        kind="switch",
    ),
]
"""The options that select the browser and its initial state."""

KEEPING: list[CommandOption] = [
    _option("config", "The configuration file.", path=True),
    _option(
        "record",
        "Record everything, and write the trace to this folder when the browser closes.",
        path=True,
    ),
    _option("har", "Write the requests to this HAR file when the browser closes.", path=True),
    _option(
        "video", "Write a video to this file (.webm, .mp4) when the browser closes.", path=True
    ),
    _option(
        "secrets", "A dotenv file of secrets. Their values are masked in all results.", path=True
    ),
    _option("mask", "Mask text in results that looks like a key or a token.", kind="flag"),
]
"""The options for recordings, and for secrets that results must not show."""

LAUNCH: list[CommandOption] = [
    *STARTING,
    *KEEPING,
    _option(
        "idle_minutes",
        "Close the browser and its daemon after this many minutes without a call. 0: never.",
        kind="number",
        least=0,
    ),
]
"""The options for starting a session's daemon. Only commands that may start a daemon have these
options.
"""

OPENING: list[CommandOption] = [
    _option(
        "proxy",
        "The proxy server: http://user:password@host:port, https://... or socks5://host:port.",
        stdin=True,
    ),
    _option(
        "args",
        "An additional command-line switch for the browser: --arg=--force-dark-mode. May be "
        "repeated.",
        "--arg",
        kind="texts",
    ),
    _option("window_size", "The size of the browser's window, such as 1280x800."),
    _option("viewport", "The size of each page, such as 1280x720."),
    _option("device", "The device to emulate, such as 'iPhone 15'."),
    _option(
        "sandbox",
        "Always or never run pages in Chromium's sandbox.",
        "--sandbox",
        "--no-sandbox",
        kind="switch",
    ),
    _option("ignore_https_errors", "Accept invalid TLS certificates.", kind="flag"),
    _option("ca", "A PEM file with additional CA certificates to trust.", path=True),
    _option(
        "extensions",
        "The folder of an unpacked extension to load. May be repeated.",
        "--extension",
        kind="texts",
        path=True,
    ),
    _option("user_agent", "The user agent for all requests, pages and workers."),
    _option("locale", "The language for pages and requests, such as de-DE."),
    _option("timezone", "The time zone for pages and workers, such as Europe/Berlin."),
]
"""More options for starting a daemon. Only ``open`` has these options, because other commands use
some of the names.
"""
OPENS = "browser_open"

_KEYS = {
    "har": "record_har",
    "init_script": "init_scripts",
    "secrets": "secrets_file",
    "timeout_ms": "default_timeout_ms",
    "video": "record_video",
}


def settings_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings in options, keyed by the parameters of ``load_config``. Omit options that
    are None or ().
    """
    return {
        _KEYS.get(name, name): [*value] if isinstance(value, tuple) else value
        for name, value in options.items()
        if value not in (None, ())
    }
