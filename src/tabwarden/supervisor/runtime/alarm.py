"""The alarm: calls a function at the state machine's next deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Alarm:
    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring = ring
        self.at: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def set(self, at: float | None) -> None:
        """Ring at ``at``, in the loop's time, and not at any earlier set time; None: never."""
        if at == self.at:
            return
        self.cancel()
        self.at = at
        loop = asyncio.get_running_loop()
        self._timer = None if at is None else loop.call_at(at, self._expired)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _expired(self) -> None:
        self._timer = self.at = None
        self._ring()
