"""A failure in a few lines: our own frames, one line of code each, and the error.

A traceback of a browser test has some thirty frames of pytest, pluggy, anyio and asyncio around the
two that matter. ``pytest -vv`` shows them all.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path

__all__ = ["brief"]

_ROOT = Path(__file__).parents[2]
_OWN = tuple(str(_ROOT / folder) for folder in ("tests", "src", "bench", "judges", "tools"))
_FRAMES = 4
"""The number of frames to show: the first ones from the test, and the last one."""


def brief(error: BaseException) -> list[str]:
    """The lines that state where an error was raised, what it is, and its cause."""
    return list(_lines(traceback.TracebackException.from_exception(error, compact=True)))


def _lines(error: traceback.TracebackException) -> Iterator[str]:
    own = [frame for frame in error.stack if frame.filename.startswith(_OWN)]
    left_out = max(0, len(own) - _FRAMES)
    for place, frame in enumerate(own):
        if place == _FRAMES - 1 and left_out:
            yield f"... {left_out} more of our frames\n"
        if place < _FRAMES - 1 or place >= len(own) - 1:
            path = Path(frame.filename).relative_to(_ROOT)
            yield f"{path}:{frame.lineno} in {frame.name}: {frame.line}\n"
    yield from error.format_exception_only()
    for one in error.exceptions or ():
        yield from ("  | " + line for line in _lines(one))
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield "".join(["raised from ", *cause.format_exception_only()][:2])
