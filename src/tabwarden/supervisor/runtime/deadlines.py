"""Deadlines: a single event-loop timer for all deadlines.

Most are removed long before they expire. So deadlines are kept in a table, and the loop's timer
changes only for a deadline that is earlier than the timer.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import threading
from collections.abc import Callable


class Deadlines:
    """Calls back on ``loop`` at a given time. Safe from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._keys = itertools.count()
        self._callbacks: dict[int, tuple[float, Callable[[], None]]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._wakes_at = math.inf
        self._thread = threading.get_ident()

    def __len__(self) -> int:
        return len(self._callbacks)

    def add(self, at: float, callback: Callable[[], None]) -> int:
        """Call ``callback()`` at the given time; return a key that ``lift`` takes.

        Args:
            at: ``time.monotonic()`` seconds.
            callback: called on the loop's thread; must not block.
        """
        key = next(self._keys)
        self._callbacks[key] = (at, callback)
        if at < self._wakes_at:
            if threading.get_ident() == self._thread:
                self._arm()
            else:
                self._loop.call_soon_threadsafe(self._arm)
        return key

    def lift(self, key: int) -> None:
        """Remove a deadline. Its callback may already be running on the loop's thread."""
        self._callbacks.pop(key, None)

    def _arm(self) -> None:
        """Set the timer for the earliest deadline. A deadline that another thread adds meanwhile is
        either in the table or sets the timer itself."""
        self._wakes_at = math.inf
        if self._timer is not None:
            self._timer.cancel()
        soonest = min((at for at, _ in list(self._callbacks.values())), default=math.inf)
        if soonest < math.inf:
            self._timer = self._loop.call_at(soonest, self._expire)
            self._wakes_at = soonest

    def _expire(self) -> None:
        # If the loop is late, its other timers may have to run before later deadlines, so only
        # handle those that were due at the timer's time.
        until = self._wakes_at
        due = sorted((at, key) for key, (at, _) in list(self._callbacks.items()) if at <= until)
        for _, key in due:
            entry = self._callbacks.pop(key, None)
            if entry is not None:
                entry[1]()
        self._arm()
