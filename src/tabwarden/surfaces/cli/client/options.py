"""The client's own options, which are not in the generated table."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tabwarden.surfaces.command_table.types import CommandOption

COMMON: list[CommandOption] = [
    {
        "name": "session",
        "kind": "text",
        "flags": ["--session"],
        "help": "Session name: each session has its own browser [env: TABWARDEN_SESSION].",
        "default": "default",
    },
    {
        "name": "json",
        "kind": "flag",
        "flags": ["--json"],
        "help": "Print JSON, errors too: {error: {code, message, hint, data}}.",
    },
]
"""The options of every command, in addition to the action's parameters."""

LAUNCH: list[CommandOption] = [
    {
        "name": "headless",
        "kind": "switch",
        "flags": ["--headless", "--headed"],
        "help": "Launch without a window (the default), or with one.",
    },
    {
        "name": "endpoint",
        "kind": "text",
        "flags": ["--endpoint"],
        "help": "Attach to this running browser (http://…, ws://…).",
    },
    {
        "name": "executable",
        "kind": "text",
        "flags": ["--executable"],
        "help": "The browser to launch.",
        "path": True,
    },
    {
        "name": "user_data_dir",
        "kind": "text",
        "flags": ["--user-data-dir"],
        "help": "Keep the profile in this folder.",
        "path": True,
    },
    {
        "name": "init_script",
        "kind": "texts",
        "flags": ["--init-script"],
        "help": "Run this file in every page before its own scripts. May be repeated.",
        "path": True,
    },
    {
        "name": "profile",
        "kind": "text",
        "flags": ["--profile"],
        "help": "Use and keep the permanent profile of this name.",
    },
    {
        "name": "restore",
        "kind": "text",
        "flags": ["--restore"],
        "help": "Load the logins saved under this name, and save them regularly.",
    },
    {
        "name": "config",
        "kind": "text",
        "flags": ["--config"],
        "help": "The configuration file.",
        "path": True,
    },
    {
        "name": "record",
        "kind": "text",
        "flags": ["--record"],
        "help": "Record everything; the trace goes to this folder when the browser closes.",
        "path": True,
    },
    {
        "name": "har",
        "kind": "text",
        "flags": ["--har"],
        "help": "Write the requests to this HAR file when the browser closes.",
        "path": True,
    },
    {
        "name": "video",
        "kind": "text",
        "flags": ["--video"],
        "help": "Write a video to this file (.webm, .mp4) when the browser closes.",
        "path": True,
    },
    {
        "name": "mask",
        "kind": "flag",
        "flags": ["--mask"],
        "help": "Hide what looks like a key or a token in answers.",
    },
    {
        "name": "secrets",
        "kind": "text",
        "flags": ["--secrets"],
        "help": "A dotenv file of secrets, which no answer shows.",
        "path": True,
    },
    {
        "name": "idle_minutes",
        "kind": "number",
        "flags": ["--idle-minutes"],
        "help": "Minutes without a call until the browser and its daemon close; 0: never.",
        "least": 0,
    },
]
"""The options for starting a session's daemon. Only commands that may start a daemon have them."""

OPENING: list[CommandOption] = [
    {
        "name": "proxy",
        "kind": "text",
        "flags": ["--proxy"],
        "help": "Your proxy: http://user:password@host:port, https://... or socks5://host:port.",
        "stdin": True,
    },
    {
        "name": "args",
        "kind": "texts",
        "flags": ["--arg"],
        "help": "Another switch for the browser: --arg=--force-dark-mode. May be repeated.",
    },
    {
        "name": "window_size",
        "kind": "text",
        "flags": ["--window-size"],
        "help": "The window's size, such as 1280x800.",
    },
    {
        "name": "viewport",
        "kind": "text",
        "flags": ["--viewport"],
        "help": "The size of each page, such as 1280x720.",
    },
    {
        "name": "device",
        "kind": "text",
        "flags": ["--device"],
        "help": "The device to emulate, such as 'iPhone 15'.",
    },
    {
        "name": "sandbox",
        "kind": "switch",
        "flags": ["--sandbox", "--no-sandbox"],
        "help": "Always run pages in Chromium's sandbox, or never.",
    },
    {
        "name": "ignore_https_errors",
        "kind": "flag",
        "flags": ["--ignore-https-errors"],
        "help": "Accept every certificate.",
    },
    {
        "name": "ca",
        "kind": "text",
        "flags": ["--ca"],
        "help": "A PEM file with certificates of your own authorities, to trust them too.",
        "path": True,
    },
    {
        "name": "extensions",
        "kind": "texts",
        "flags": ["--extension"],
        "help": "The folder of an unpacked extension to load. May be repeated.",
        "path": True,
    },
    {
        "name": "user_agent",
        "kind": "text",
        "flags": ["--user-agent"],
        "help": "The user agent of all requests, pages and workers.",
    },
    {
        "name": "locale",
        "kind": "text",
        "flags": ["--locale"],
        "help": "The language of pages and requests, such as de-DE.",
    },
    {
        "name": "timezone",
        "kind": "text",
        "flags": ["--timezone"],
        "help": "The time zone of pages and workers, such as Europe/Berlin.",
    },
]
"""More options for starting a daemon, which only ``open`` has: other commands use some of their
names. They are keys of the configuration."""
OPENS = "browser_open"
