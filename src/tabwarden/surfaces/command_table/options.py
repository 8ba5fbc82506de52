"""The options of the client and of the servers, which are not in the generated table.

They are keys of the configuration, some under another name (``settings_of``).
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
        "Session name: each session has its own browser [env: TABWARDEN_SESSION].",
        default="default",
    ),
    _option("json", "Print JSON, errors too: {error: {code, message, hint, data}}.", kind="flag"),
]
"""The options of every command, in addition to the action's parameters."""

STARTING: list[CommandOption] = [
    _option("endpoint", "Attach to this running browser (http://…, ws://…)."),
    _option("executable", "The browser to launch.", path=True),
    _option("user_data_dir", "Keep the profile in this folder.", path=True),
    _option(
        "init_script",
        "Run this file in every page before its own scripts. May be repeated.",
        kind="texts",
        path=True,
    ),
    _option("profile", "Use and keep the permanent profile of this name."),
    _option("restore", "Load the logins saved under this name, and save them regularly."),
    _option(
        "headless",
        "Launch without a window (the default), or with one.",
        "--headless",
        "--headed",
        kind="switch",
    ),
]
"""Which browser it is, and with what it starts."""

KEEPING: list[CommandOption] = [
    _option("config", "The configuration file.", path=True),
    _option(
        "record",
        "Record everything; the trace goes to this folder when the browser closes.",
        path=True,
    ),
    _option("har", "Write the requests to this HAR file when the browser closes.", path=True),
    _option(
        "video", "Write a video to this file (.webm, .mp4) when the browser closes.", path=True
    ),
    _option("secrets", "A dotenv file of secrets, which no answer shows.", path=True),
    _option("mask", "Hide what looks like a key or a token in answers.", kind="flag"),
]
"""What is kept of a browser's work, and what is not told."""

LAUNCH: list[CommandOption] = [
    *STARTING,
    *KEEPING,
    _option(
        "idle_minutes",
        "Minutes without a call until the browser and its daemon close; 0: never.",
        kind="number",
        least=0,
    ),
]
"""The options for starting a session's daemon. Only commands that may start a daemon have them."""

OPENING: list[CommandOption] = [
    _option(
        "proxy",
        "Your proxy: http://user:password@host:port, https://... or socks5://host:port.",
        stdin=True,
    ),
    _option(
        "args",
        "Another switch for the browser: --arg=--force-dark-mode. May be repeated.",
        "--arg",
        kind="texts",
    ),
    _option("window_size", "The window's size, such as 1280x800."),
    _option("viewport", "The size of each page, such as 1280x720."),
    _option("device", "The device to emulate, such as 'iPhone 15'."),
    _option(
        "sandbox",
        "Always run pages in Chromium's sandbox, or never.",
        "--sandbox",
        "--no-sandbox",
        kind="switch",
    ),
    _option("ignore_https_errors", "Accept every certificate.", kind="flag"),
    _option(
        "ca", "A PEM file with certificates of your own authorities, to trust them too.", path=True
    ),
    _option(
        "extensions",
        "The folder of an unpacked extension to load. May be repeated.",
        "--extension",
        kind="texts",
        path=True,
    ),
    _option("user_agent", "The user agent of all requests, pages and workers."),
    _option("locale", "The language of pages and requests, such as de-DE."),
    _option("timezone", "The time zone of pages and workers, such as Europe/Berlin."),
]
"""More options for starting a daemon, which only ``open`` has: other commands use some of their
names."""
OPENS = "browser_open"

_KEYS = {
    "har": "record_har",
    "init_script": "init_scripts",
    "secrets": "secrets_file",
    "timeout_ms": "default_timeout_ms",
    "video": "record_video",
}


def settings_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what options say about the browser, by the keys of ``load_config``. Options that
    were not given are None or ()."""
    return {
        _KEYS.get(name, name): [*value] if isinstance(value, tuple) else value
        for name, value in options.items()
        if value not in (None, ())
    }
