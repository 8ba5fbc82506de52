"""Idle: when a daemon has had nothing to do for so long that it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Idle"]

CLOSED_S = 60.0
"""How long it stays when its browser has gone by itself: the next call is told why."""


class Idle:
    """Calls that run, and the rest between them.

    Args:
        longest_s: how long nobody may call while a browser is open; 0: for ever.
        is_open: whether one is.
        on_end: is called once that was too long.
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
        """Whether a call runs."""
        return self._calls > 0

    @contextmanager
    def call(self) -> Iterator[None]:
        """A call that runs as long as the block."""
        self._calls += 1
        self.touch()
        try:
            yield
        finally:
            self._calls -= 1
            self.touch()

    def touch(self) -> None:
        """Begin to count anew: something was done, or a browser opened, or went."""
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
