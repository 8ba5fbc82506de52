"""Deadlines: one timer of the loop for all of them.

Most are lifted long before their time. So a deadline is a line in a table, and the loop is asked to
wake for it only if it is sooner than whatever it wakes for already.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import threading
from collections.abc import Callable

__all__ = ["Deadlines"]


class Deadlines:
    """Calls back on ``loop`` when a time has come; may be asked from any thread."""

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
        """Have ``callback()`` called at ``at``; the key to lift it by.

        Args:
            at: ``time.monotonic()`` seconds.
            callback: called on the loop's thread: it must not wait.
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
        """Forget one. Its callback may be running on the loop's thread just now."""
        self._callbacks.pop(key, None)

    def _arm(self) -> None:
        """Wake for the soonest: what another thread adds meanwhile is in the table, or asks to be
        armed for itself."""
        self._wakes_at = math.inf
        if self._timer is not None:
            self._timer.cancel()
        soonest = min((at for at, _ in list(self._callbacks.values())), default=math.inf)
        if soonest < math.inf:
            self._timer = self._loop.call_at(soonest, self._expire)
            self._wakes_at = soonest

    def _expire(self) -> None:
        # On a loop that is late, others of its timers may come before the deadlines after this one.
        until = self._wakes_at
        due = sorted((at, key) for key, (at, _) in list(self._callbacks.items()) if at <= until)
        for _, key in due:
            entry = self._callbacks.pop(key, None)
            if entry is not None:
                entry[1]()
        self._arm()
