"""The client's own options, in addition to the options in the generated table."""

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
"""Options of every command that are not parameters of the action."""

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
        "name": "config",
        "kind": "text",
        "flags": ["--config"],
        "help": "The configuration file.",
        "path": True,
    },
    {
        "name": "idle_minutes",
        "kind": "number",
        "flags": ["--idle-minutes"],
        "help": "Close the browser and its daemon after this long without a call; 0: never.",
        "least": 0,
    },
]
"""How to start a session's daemon: options of the commands that may start one."""
