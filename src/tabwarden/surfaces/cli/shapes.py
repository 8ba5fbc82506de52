"""The shape of ``commands.json``, for type checkers: importing typing takes a client too long."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

__all__ = ["Command", "Kind", "Option", "Table"]

Kind = Literal[
    "flag", "switch", "text", "integer", "number", "choice", "json", "texts", "values"
]  # fmt: skip
"""flag: there or not; switch: --x or --no-x; texts and values (JSON, else text) are repeated."""


class Option(TypedDict):
    """One option."""

    name: str
    """Of the parameter that it gives."""
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
    """``-`` reads it from there."""
    bare: NotRequired[bool]
    """Its value may be left out: true."""
    path: NotRequired[bool]
    """Of a file here: the daemon is told where that is."""


class Command(TypedDict):
    """One command: an action of the registry."""

    tool: str
    help: str
    places: dict[str, list[str]]
    """The parameters that may stand without a name: by the first of them, ``""`` for any other."""
    starts: bool
    """A daemon is started for it; any other has nothing to do where none runs."""
    options: list[Option]


class Table(TypedDict):
    """``commands.json``, made by ``tools/generate_commands.py``."""

    build: str
    """Two that have the same one understand each other."""
    aliases: dict[str, str]
    commands: dict[str, Command]
