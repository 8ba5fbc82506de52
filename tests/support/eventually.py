"""Wait for a state that no event announces: the only polling loops in the tests."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["eventually", "eventually_async"]

T = TypeVar("T")

_WITHIN_S = 20.0
"""Generous, for a busy machine: a test that passes never waits this long."""
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
    limit = time.monotonic() + within_s
    while not (found := condition()):
        if time.monotonic() > limit:
            raise _never(condition, why_not() if why_not else found, within_s)
        time.sleep(_EVERY_S)
    return found


async def eventually_async(condition: Callable[[], T], *, within_s: float = _WITHIN_S) -> T:
    """The same in a coroutine: what is in memory comes within a few turns of the loop."""
    limit, turns = time.monotonic() + within_s, 0
    while not (found := condition()):
        if time.monotonic() > limit:
            raise _never(condition, found, within_s)
        await asyncio.sleep(0 if turns < 100 else _EVERY_S)
        turns += 1
    return found


def _never(condition: Callable[[], object], last: object, within_s: float) -> AssertionError:
    try:
        asked = " ".join(inspect.getsource(condition).split())
    except (OSError, TypeError):
        asked = repr(condition)
    return AssertionError(f"not within {within_s:g} s, last {last!r}: {asked}")
