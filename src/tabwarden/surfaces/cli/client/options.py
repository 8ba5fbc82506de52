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
    {"name": "headed", "kind": "flag", "flags": ["--headed"], "help": "Launch with a window."},
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
        "name": "idle_minutes",
        "kind": "number",
        "flags": ["--idle-minutes"],
        "help": "Minutes without a call until the browser and its daemon close; 0: never.",
        "least": 0,
    },
]
"""The options for starting a session's daemon. Only commands that may start a daemon have them."""
