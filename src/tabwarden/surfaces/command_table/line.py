"""One command line of an action: what it calls, and what it prints.

The client uses this module, and so does the daemon for ``surfaces/cli/warm.py``. So the output is
the same, whichever of them parses the words.
"""

from __future__ import annotations

import json

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.command_table import command_named
from tabwarden.surfaces.command_table.arguments import parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tabwarden.surfaces.command_table.types import Command, Table

Printed = tuple[int, int, str]
"""An exit status, 1 for stdout or 2 for stderr, and the text to write there."""

EXIT_CODES = {
    "invalid_argument": 2,
    "launch_failed": 3,
    "endpoint_unreachable": 3,
    "page_unreachable": 3,
    "bad_certificate": 3,
    "browser_gone": 3,
    "budget_exceeded": 4,
    "cancelled": 130,
}
"""The exit status for each error code; 1 for other errors. An interruption is not an error."""
_HELP = {"--help", "-h"}


def action_in(words: list[str], commands: Table) -> tuple[str, list[str]] | None:
    """Return the name of the action command that a command line calls, and the words after it.
    Return None if the command is not an action, or if the words ask for help.
    """
    options = words[1 : words.index("--")] if "--" in words else words[1:]
    name, arguments = command_named(words[0], commands), words[1:]
    if name == "trace":  # only `trace save` is an action; the others are Click commands
        name = name if arguments[:1] == ["save"] else None
        arguments = arguments[1:]
    return None if name is None or not _HELP.isdisjoint(options) else (name, arguments)


class Line:
    """The words after the name of an action command, parsed.

    Raises:
        InvalidArgument: the words are not valid. If they are another product's command, the hint
            contains Tabwarden's command.
    """

    def __init__(self, name: str, words: list[str], commands: Table) -> None:
        self.command = commands["commands"][name]
        try:
            self.parsed = parsed(name, self.command, words)
        except InvalidArgument as error:
            from tabwarden.surfaces.command_table.peers import our_line_for

            if (ours := our_line_for([name, *words])) is not None:
                error.hint = f"Use this command: tabwarden {ours}"
            raise
        arguments = self.parsed.arguments
        self.starts = self.command["starts"]
        """Whether the line may start a daemon."""
        calls: list[tuple[int | None, Command, dict[str, Any]]]
        calls = [(None, self.command, arguments)]
        if any("lines" in option for option in self.command["options"]):
            from tabwarden.surfaces.command_table.steps import calls_of, starts_of, steps_of

            steps = steps_of(arguments.get("steps"), commands)
            arguments["steps"], self.starts = steps, starts_of(steps, commands)
            calls = [*calls_of(self.command, arguments, commands)]
        self.uses_files = any(
            option["name"] in own and ("reads" in option or "writes" in option)
            for _, command, own in calls
            for option in command["options"]
        )
        """Whether a call reads or writes a file of the caller's."""
        self.saves_screenshot = any(option["name"] == "file" for option in self.command["options"])
        """Whether the line's result is a screenshot, which the client writes to a file."""


def answer_printed(answer: dict[str, Any], *, as_json: bool, indent: int | None = None) -> Printed:
    """Return what a command prints for an action's answer: its ``data`` as JSON, or its ``text``.

    Args:
        answer: ``{text, data, is_error}``.
        indent: the indentation of JSON; None for one line.
    """
    if answer["is_error"]:
        error, words = answer["data"]["error"], answer["text"]
        return error_printed(error, as_json=as_json, indent=indent, words=words)
    return 0, 1, dumped(answer["data"], indent) if as_json else answer["text"]


def error_printed(
    error: dict[str, Any], *, as_json: bool, indent: int | None = None, words: str | None = None
) -> Printed:
    """Return what a command prints for an error. ``words`` replaces the error's own text."""
    status = EXIT_CODES.get(error["code"], 1)
    if as_json:
        return status, 1, dumped({"error": error}, indent)
    lines = [f"error {error['code']}: {error['message']}", error["hint"]]
    return status, 2, words or "\n".join(line for line in lines if line)


def dumped(data: object, indent: int | None = None) -> str:
    """Return data as JSON. Values that are not JSON become text, as in the daemon's answers."""
    return json.dumps(data, indent=indent, ensure_ascii=False, default=str)


def encoded(text: str) -> bytes:
    """Return the bytes of a command's output. Lone surrogates, which UTF-8 can't represent, become
    question marks.
    """
    return f"{text}\n".encode(errors="replace")
