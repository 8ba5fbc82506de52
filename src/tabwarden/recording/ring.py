"""Ring: keeps the newest values, up to an age and a number of bytes."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class _Kept(NamedTuple, Generic[T]):
    at: float
    size: int
    value: T


class Ring(Generic[T]):
    """Any thread may use it.

    Args:
        seconds: how old a value may get.
        most_bytes: how large all values together may get.
    """

    def __init__(self, seconds: float, most_bytes: int) -> None:
        self.seconds, self.most_bytes = seconds, most_bytes
        self.size = 0
        """The bytes of all values."""
        self._kept: deque[_Kept[T]] = deque()
        self._lock = threading.Lock()

    def add(self, value: T, at: float, size: int) -> None:
        """Keep a value of ``size`` bytes, and drop the oldest ones if there are too many."""
        with self._lock:
            self._kept.append(_Kept(at, size, value))
            self.size += size
            while self._kept and (
                self.size > self.most_bytes or self._kept[0].at < at - self.seconds
            ):
                self.size -= self._kept.popleft().size

    def values(self) -> list[T]:
        """Return the values, oldest first."""
        with self._lock:
            return [one.value for one in self._kept]

    def drain(self) -> list[T]:
        """Return the values, oldest first, and forget them."""
        with self._lock:
            kept, self._kept = self._kept, deque()
            self.size = 0
            return [one.value for one in kept]
