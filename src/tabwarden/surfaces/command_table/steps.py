"""Parse the steps of a batch. Each step is a command line or JSON."""

from __future__ import annotations

import re
import shlex
import sys

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.command_table import command_named
from tabwarden.surfaces.command_table.arguments import NoStdin, parsed, parsed_json, text_from_stdin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from tabwarden.surfaces.command_table.types import Command, Table

_PARTS = re.compile(r"""(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|(?!;(?:\s|$)).)+""", re.DOTALL)
"""Matches one command of a line. As in a shell, an unquoted ; before white space or the end of the
line separates commands.
"""
_EXAMPLE = "For example: tabwarden batch 'click e3' 'type e4 \"hello\"' 'key Enter'."


def steps_of(lines: Any, commands: Table) -> list[dict[str, Any]]:
    """Return the steps in the format of ``browser_batch``.

    Args:
        lines: command lines, which may contain several commands separated by ``;``, or JSON: a list
            of steps, or one step per line. None reads them from stdin.
        commands: the table of all commands.

    Raises:
        InvalidArgument: a step is not a valid command. The error's field is the argument's path,
            such as ``steps[2].ref``.
    """
    if lines is None or lines == ["-"]:
        if sys.stdin is not None and sys.stdin.isatty():
            raise InvalidArgument("tabwarden batch needs commands.", _EXAMPLE, field="steps")
        read = text_from_stdin("steps")
        lines = [read] if read.lstrip().startswith(("[", "{")) else read.splitlines()
    steps: list[dict[str, Any]] = []
    for one in lines:
        if one.lstrip().startswith(("[", "{")):
            steps += _from_json(one)
            continue
        for command in (part for line in one.splitlines() for part in _parts(line)):
            words = _words(command, len(steps))
            if words:
                steps.append(_step(words, len(steps), commands))
    if not steps:
        raise InvalidArgument("The batch has no commands.", _EXAMPLE, field="steps")
    return steps


def starts_of(steps: list[Any], commands: Table) -> bool:
    """Whether the first step may start a daemon."""
    tool = steps[0].get("tool") if isinstance(steps[0], dict) else None  # the daemon reports it
    first = command_named(str(tool), commands)
    return first is not None and commands["commands"][first]["starts"]


def calls_of(
    command: Command, arguments: dict[str, Any], commands: Table
) -> Iterator[tuple[int | None, Command, dict[str, Any]]]:
    """Yield the command and its arguments. For a batch, yield each step's number, command and
    arguments.
    """
    if not any("lines" in option for option in command["options"]):
        yield None, command, arguments
        return
    for number, step in enumerate(arguments["steps"]):
        name = command_named(str(step.get("tool")), commands) if isinstance(step, dict) else None
        if name is not None:
            step_arguments = step.get("arguments")
            yield (
                number,
                commands["commands"][name],
                step_arguments if isinstance(step_arguments, dict) else step,
            )


def _from_json(text: str) -> list[dict[str, Any]]:
    try:
        try:
            value = parsed_json(text)
        except ValueError:  # not a single JSON value, but one JSON value per line
            lines = [line for line in text.splitlines() if line.strip()]
            if len(lines) < 2:
                raise
            value = [parsed_json(line) for line in lines]
    except ValueError as error:
        raise InvalidArgument(
            f"The steps are not valid JSON: {error}.", _EXAMPLE, field="steps"
        ) from None
    return value if isinstance(value, list) else [value]


def _parts(line: str) -> list[str]:
    return [line] if line.lstrip().startswith("#") else _PARTS.findall(line)


def _words(line: str, number: int) -> list[str]:
    if line.lstrip().startswith("#"):
        return []
    try:
        words = shlex.split(line)
    except ValueError as error:  # no closing quotation mark
        raise _wrong(number, f"{line!r}: {error}.", "Close the quotation marks.") from None
    return words[1:] if words[:1] == ["tabwarden"] else words


def _step(words: list[str], number: int, commands: Table) -> dict[str, Any]:
    name = command_named(words[0], commands)
    if name is None:
        hint = "Put quotation marks around each command. " if len(words) == 1 else ""
        raise _wrong(number, f"there is no command {words[0]!r}.", f"{hint}{_EXAMPLE}")
    command = commands["commands"][name]
    try:
        step = parsed(name, command, words[1:])
    except NoStdin:
        raise
    except InvalidArgument as error:
        field = error.data.get("field", "")
        raise _wrong(number, error.message, error.hint, f".{field}") from None
    return {"tool": command["tool"], "arguments": step.arguments}


def _wrong(number: int, why: str, hint: str, field: str = "") -> InvalidArgument:
    return InvalidArgument(f"Step {number + 1}: {why}", hint, field=f"steps[{number}]{field}")
