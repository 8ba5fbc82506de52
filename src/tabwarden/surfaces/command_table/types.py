"""The types of ``commands.json``, for type checkers only: importing typing slows the client."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Kind = Literal[
    "flag", "switch", "text", "integer", "number", "choice", "json", "texts", "values"
]  # fmt: skip
"""The kinds of options. A flag is set or not. A switch is --x or --no-x. Texts and values may be
given several times; a value is JSON or else text.
"""


class CommandOption(TypedDict):
    """One option."""

    name: str
    """The name of the action's parameter."""
    kind: Kind
    flags: list[str]
    help: str
    required: NotRequired[bool]
    choices: NotRequired[list[str]]
    least: NotRequired[float]
    above: NotRequired[float]
    most: NotRequired[float]
    default: NotRequired[str]
    stdin: NotRequired[bool]
    """Whether ``-`` reads the value from stdin."""
    bare: NotRequired[bool]
    """Whether the value may be omitted, which means true."""
    path: NotRequired[bool]
    """Whether the value is a path on this computer. The client makes it absolute for the daemon."""


class Command(TypedDict):
    """One command: an action of the registry."""

    tool: str
    help: str
    places: dict[str, list[str]]
    """The parameters that need no option name. The key is the first word on the command line that
    selects the list; ``""`` is the default.
    """
    starts: bool
    """Whether the command starts a daemon if none is running. Other commands do nothing then."""
    options: list[CommandOption]


class Table(TypedDict):
    """``commands.json``, made by ``tools/generate_commands.py``."""

    build: str
    """Identifies this version of the table. A client only uses a daemon with the same build."""
    aliases: dict[str, str]
    commands: dict[str, Command]
