"""The output of a command: results and errors, as text or JSON, and the exit status.

Every command imports this module, so it must not import anything slow.
"""

from __future__ import annotations

import json
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TextIO

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

_CONTROLS = {number: "�" for number in [*range(32), *range(127, 160)] if chr(number) not in "\n\t"}


def show(
    data: object, lines: Sequence[str], *, as_json: bool, table: Callable[[], None] | None = None
) -> None:
    """Write a command's result on stdout: ``data`` as JSON, a table on a terminal, or ``lines``."""
    if as_json:
        _write(sys.stdout, _dumped(data))
    elif table is not None and sys.stdout is not None and sys.stdout.isatty():
        table()
    elif lines:
        _write(sys.stdout, "\n".join(lines))


def show_answer(answer: dict[str, Any], *, as_json: bool) -> None:
    """Write an action's result on stdout: its ``data`` as JSON, or its ``text``."""
    _write(sys.stdout, _dumped(answer["data"]) if as_json else answer["text"])


def show_error(error: dict[str, Any], *, as_json: bool, words: str | None = None) -> int:
    """Show an error, as JSON on stdout or as text on stderr. Return the exit status. ``words``
    replaces the error's own text.
    """
    if as_json:
        _write(sys.stdout, _dumped({"error": error}))
    else:
        lines = [f"error {error['code']}: {error['message']}", error["hint"]]
        _write(sys.stderr, words or "\n".join(line for line in lines if line))
    return EXIT_CODES.get(error["code"], 1)


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


def _dumped(data: object) -> str:
    indent = 2 if sys.stdout is not None and sys.stdout.isatty() else None
    return json.dumps(data, indent=indent, ensure_ascii=False)


def _write(stream: TextIO | None, text: str) -> None:
    """Write lines. Replace characters that the output encoding can't represent. Ignore a closed
    pipe.
    """
    if stream is None:  # our parent process closed it
        return
    text = harmless(text) if stream.isatty() else text
    try:
        stream.buffer.write(f"{text}\n".encode(errors="replace"))
        stream.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
