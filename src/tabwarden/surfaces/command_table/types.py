"""The types in ``commands.json``. Import them only for type checking, because importing ``typing``
slows down the client.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

Kind = Literal[
    "flag", "switch", "text", "integer", "number", "choice", "json", "texts", "values", "fields"
]  # fmt: skip
"""The kinds of options. A ``flag`` takes no value. A ``switch`` has one flag for true and another
flag for false. ``texts`` and ``values`` may be repeated. A value that is not JSON is read as text.
``fields`` are ``NAME=VALUE``, or JSON.
"""


class CommandOption(TypedDict):
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
    """Whether the value ``-`` means that the value is read from stdin."""
    lines: NotRequired[bool]
    """Whether each value is a command line. Without values, the command lines are read from
    stdin.
    """
    words: NotRequired[bool]
    """Whether a value of kind ``json`` that is not JSON is read as text."""
    bare: NotRequired[bool]
    """Whether the value may be omitted. An option without a value means true."""
    path: NotRequired[bool]
    """Whether the value is a path on this computer. The client makes it absolute for the daemon."""

    reads: NotRequired[bool]
    """Whether the value is the path of a file to upload to a page, or a list of such paths."""
    writes: NotRequired[Literal["result", "document", "download", "state"]]
    """How the value is used as the path of a file to write. A ``result`` is written only if the
    path is set, a ``document`` always. A ``download`` also stays in the download folder. A
    ``state`` is written in the mode ``save``, and read in the mode ``load``.
    """


class Command(TypedDict):
    tool: str
    help: str
    places: dict[str, list[str]]
    """The positional parameters. If the first word on the command line is a key, that key's list
    applies; otherwise the list of ``""`` applies.
    """
    starts: bool
    """Whether the command starts a daemon if none is running. If it does not start a daemon, the
    command fails.
    """
    options: list[CommandOption]


class Table(TypedDict):
    build: str
    """The build, which identifies this version of the table. A client uses only a daemon with the
    same build.
    """
    words: str
    """The names and aliases of the commands that are always actions, separated by spaces.
    ``build_and_words`` needs ``build`` and ``words`` on lines of their own, in this order.
    """
    aliases: dict[str, str]
    commands: dict[str, Command]
