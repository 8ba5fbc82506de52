"""Deadlines: one event-loop timer for all deadlines.

Most deadlines are removed long before they expire. They are therefore kept in a table, and a new
deadline changes the timer only if it is earlier than the timer.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import threading
from collections.abc import Callable


class Deadlines:
    """Calls functions at given times, on the loop's thread. May be used from any thread."""

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
        """Call ``callback()`` on the loop's thread at the given time, in seconds of
        ``time.monotonic()``; return a key for ``lift``. The callback must not block.
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
        """Set the timer for the earliest deadline. If another thread adds a deadline in the
        meantime, either this call sees it in the table, or that thread sets the timer again.
        """
        self._wakes_at = math.inf
        if self._timer is not None:
            self._timer.cancel()
        soonest = min((at for at, _ in list(self._callbacks.values())), default=math.inf)
        if soonest < math.inf:
            self._timer = self._loop.call_at(soonest, self._expire)
            self._wakes_at = soonest

    def _expire(self) -> None:
        # If the loop is late, its other timers may be due before our later deadlines. Therefore,
        # handle only the deadlines that were due at the time for which the timer was set.
        until = self._wakes_at
        due = sorted((at, key) for key, (at, _) in list(self._callbacks.items()) if at <= until)
        for _, key in due:
            entry = self._callbacks.pop(key, None)
            if entry is not None:
                entry[1]()
        self._arm()
