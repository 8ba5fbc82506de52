"""Ends a daemon that has been idle for too long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tabwarden.surfaces.daemon.timing import CLOSED_S


class Idle:
    """Calls ``on_end`` once no call has run for too long.

    While a browser is open, the limit is ``longest_s`` (0: no limit).
    """

    def __init__(
        self, longest_s: float, is_open: Callable[[], bool], on_end: Callable[[], None]
    ) -> None:
        self._longest_s = longest_s
        self._is_open = is_open
        self._on_end = on_end
        self._calls = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> bool:
        return self._calls > 0

    @contextmanager
    def call(self) -> Iterator[None]:
        """Count a call as running until the block ends."""
        self._calls += 1
        self.touch()
        try:
            yield
        finally:
            self._calls -= 1
            self.touch()

    def touch(self) -> None:
        """Restart the idle timer. Call this when a call or the browser starts or ends."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._calls:
            return
        if not self._is_open():
            wait_s = min(CLOSED_S, self._longest_s or CLOSED_S)
        elif self._longest_s:
            wait_s = self._longest_s
        else:
            return
        self._timer = asyncio.get_running_loop().call_later(wait_s, self._on_end)
