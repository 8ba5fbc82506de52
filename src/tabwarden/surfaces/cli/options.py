"""What a command takes: the generated table, and the options that are the client's own."""

from __future__ import annotations

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tabwarden.surfaces.cli.shapes import Option, Table

__all__ = ["COMMON", "LAUNCH", "command_named", "table"]

_FILE = os.path.join(os.path.dirname(__file__), "commands.json")


def table() -> Table:
    """The commands."""
    with open(_FILE, encoding="utf-8") as file:
        read: Table = json.load(file)
    return read


def command_named(word: str, commands: Table) -> str | None:
    """The action's command that a word means: its name, an alias, or the name of its tool, which
    is what hints to agents say (browser_dialog)."""
    if word.startswith("browser_"):
        tools = {command["tool"]: name for name, command in commands["commands"].items()}
        return tools.get(word)
    name = commands["aliases"].get(word, word)
    return name if name in commands["commands"] else None


COMMON: list[Option] = [
    {
        "name": "session",
        "kind": "text",
        "flags": ["--session"],
        "help": "Whose browser: each name has its own [env: TABWARDEN_SESSION].",
        "default": "default",
    },
    {
        "name": "json",
        "kind": "flag",
        "flags": ["--json"],
        "help": "The answer as JSON, errors too: {error: {code, message, hint, data}}.",
    },
]
"""Of every command; what is no parameter of the action."""

LAUNCH: list[Option] = [
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
        "help": "A profile to keep.",
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
        "help": "End the browser and its daemon when nobody called for so long; 0: never.",
        "least": 0,
    },
]
"""How a session's daemon is started: of the commands that may start one."""
