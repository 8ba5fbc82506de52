"""Wait for a state that no event announces; the tests' only polling loops."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import TypeVar

from support.pace import allow

__all__ = ["eventually", "eventually_async"]

T = TypeVar("T")

_WITHIN_S = 20.0
"""Generous: a passing test never waits this long on an idle machine."""
_EVERY_S = 0.002


def eventually(
    condition: Callable[[], T],
    *,
    within_s: float = _WITHIN_S,
    why_not: Callable[[], object] | None = None,
) -> T:
    """Call ``condition`` until it returns something true, and return that.

    A failure shows what ``condition`` returned last, or what ``why_not`` returns.
    """
    patience = _Patience(within_s)
    while not (found := condition()):
        if patience.is_over():
            raise _never(condition, why_not() if why_not else found, within_s)
        time.sleep(_EVERY_S)
    return found


async def eventually_async(condition: Callable[[], T], *, within_s: float = _WITHIN_S) -> T:
    """The same in a coroutine: changes in memory happen within a few turns of the loop."""
    patience, turns = _Patience(within_s), 0
    while not (found := condition()):
        if patience.is_over():
            raise _never(condition, found, within_s)
        await asyncio.sleep(0 if turns < 100 else _EVERY_S)
        turns += 1
    return found


class _Patience:
    """Stop after ``within_s``, or later on a slow machine."""

    def __init__(self, within_s: float) -> None:
        self._within_s = within_s
        self._until = time.monotonic() + within_s
        self._is_measured = False

    def is_over(self) -> bool:
        if time.monotonic() > self._until and not self._is_measured:
            self._is_measured = True
            self._until += allow(self._within_s * 1000) / 1000 - self._within_s
        return time.monotonic() > self._until


def _never(condition: Callable[[], object], last: object, within_s: float) -> AssertionError:
    try:
        asked = " ".join(inspect.getsource(condition).split())
    except (OSError, TypeError):
        asked = repr(condition)
    return AssertionError(f"not within {within_s:g} s, last {last!r}: {asked}")
