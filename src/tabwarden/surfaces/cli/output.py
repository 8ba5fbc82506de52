"""The output of a command: results and errors, as text or JSON, and the exit status.

Every command that the daemon does not print imports this module, so it must not import anything
slow.
"""

from __future__ import annotations

import sys

from tabwarden.surfaces.cli.pipe import write
from tabwarden.surfaces.command_table.line import (
    EXIT_CODES,
    answer_printed,
    dumped,
    encoded,
    error_printed,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TextIO

    from tabwarden.surfaces.command_table.line import Printed

_CONTROLS = {number: "�" for number in [*range(32), *range(127, 160)] if chr(number) not in "\n\t"}


def show(
    data: object, lines: Sequence[str], *, as_json: bool, table: Callable[[], None] | None = None
) -> None:
    """Write a command's result on stdout: ``data`` as JSON, a table on a terminal, or ``lines``."""
    if as_json:
        _write(sys.stdout, dumped(data, _indent()))
    elif table is not None and sys.stdout is not None and sys.stdout.isatty():
        table()
    elif lines:
        _write(sys.stdout, "\n".join(lines))


def show_answer(answer: dict[str, Any], *, as_json: bool) -> int:
    """Show an action's answer: its ``data`` as JSON, or its ``text``. Return the exit status."""
    return _show(answer_printed(answer, as_json=as_json, indent=_indent()))


def show_error(error: dict[str, Any], *, as_json: bool) -> int:
    """Show an error, as JSON on stdout or as text on stderr. Return the exit status."""
    return _show(error_printed(error, as_json=as_json, indent=_indent()))


def show_cancelled() -> int:
    """Report that the user canceled the command. Return the exit status."""
    _write(sys.stderr, "cancelled")
    return EXIT_CODES["cancelled"]


def note(message: str) -> None:
    """Write a message about the daemon on stderr, because stdout is for results."""
    _write(sys.stderr, f"tabwarden: {message}")


def harmless(text: str) -> str:
    """Replace control characters, which a terminal would obey. Don't use this for output to a
    pipe.
    """
    return text.translate(_CONTROLS)


def _indent() -> int | None:
    return 2 if sys.stdout is not None and sys.stdout.isatty() else None


def _show(printed: Printed) -> int:
    status, number, text = printed
    _write(sys.stdout if number == 1 else sys.stderr, text)
    return status


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:  # our parent process closed it
        return
    text = harmless(text) if stream.isatty() else text
    write(stream, encoded(text))
