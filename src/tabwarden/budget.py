"""Budget: one absolute deadline, made at the surface and inherited by every step below it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from tabwarden.errors import Cancelled, InvalidArgument

__all__ = ["MAX_TIMEOUT_MS", "Budget"]

MAX_TIMEOUT_MS = 86_400_000.0
"""A day. Anything longer is a mistake in the caller's arithmetic, not a wish."""


class _Cancellation:
    """The cancel flag that a budget shares with its children; safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callbacks: dict[int, Callable[[str], None]] = {}
        self._next_key = 0
        self.reason: str | None = None

    def cancel(self, reason: str) -> None:
        with self._lock:
            if self.reason is not None:
                return
            self.reason = reason
            callbacks, self._callbacks = list(self._callbacks.values()), {}
        for callback in callbacks:
            callback(reason)

    def subscribe(self, callback: Callable[[str], None]) -> Callable[[], None]:
        with self._lock:
            if self.reason is None:
                key = self._next_key
                self._next_key += 1
                self._callbacks[key] = callback
                return lambda: self._unsubscribe(key)
        callback(self.reason)
        return lambda: None

    def _unsubscribe(self, key: int) -> None:
        with self._lock:
            self._callbacks.pop(key, None)


class Budget:
    """How long a call may take, all steps together.

    Args:
        timeout_ms: milliseconds from now; more than 0, at most a day.

    Raises:
        InvalidArgument: ``timeout_ms`` is not such a number.

    ``deadline`` is on the clock of ``time.monotonic()``, which is asyncio's clock too.
    """

    __slots__ = ("_cancellation", "deadline", "timeout_ms")

    def __init__(self, timeout_ms: float) -> None:
        self.timeout_ms = _checked(timeout_ms)
        self.deadline = time.monotonic() + self.timeout_ms / 1000
        self._cancellation = _Cancellation()

    def __repr__(self) -> str:
        return f"Budget({self.timeout_ms:g} ms, {self.remaining_ms():.0f} ms left)"

    def remaining_ms(self) -> float:
        """Milliseconds left; 0 when the deadline has passed."""
        return max(0.0, (self.deadline - time.monotonic()) * 1000)

    def remaining_s(self) -> float:
        """Seconds left; 0 when the deadline has passed."""
        return max(0.0, self.deadline - time.monotonic())

    @property
    def expired(self) -> bool:
        """Whether the deadline has passed."""
        return time.monotonic() >= self.deadline

    def child(self, *, headroom_ms: float = 0.0, at_most_ms: float | None = None) -> Budget:
        """A budget inside this one: ends ``headroom_ms`` earlier, or after ``at_most_ms``.

        It shares this one's cancellation: cancelling either cancels both. ``timeout_ms`` stays
        the caller's own number, which is what errors name, unless ``at_most_ms`` sets another.
        """
        child = object.__new__(Budget)
        child.deadline = self.deadline - headroom_ms / 1000
        child.timeout_ms = self.timeout_ms
        if at_most_ms is not None:
            child.deadline = min(child.deadline, time.monotonic() + at_most_ms / 1000)
            child.timeout_ms = max(0.0, (child.deadline - time.monotonic()) * 1000)
        child._cancellation = self._cancellation
        return child

    @property
    def cancelled(self) -> str | None:
        """Why the caller gave up, or None."""
        return self._cancellation.reason

    def cancel(self, reason: str = "the caller cancelled") -> None:
        """Give the call up. Every wait under this budget ends; safe from any thread."""
        self._cancellation.cancel(reason)

    def on_cancel(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Call ``callback(reason)`` once on cancel (at once if it happened); returns the undo."""
        return self._cancellation.subscribe(callback)

    def check(self) -> None:
        """Raise ``Cancelled`` if the caller gave up; an expired deadline is the race's to tell."""
        if self.cancelled is not None:
            raise Cancelled(f"The call was cancelled: {self.cancelled}.")


def _checked(timeout_ms: float) -> float:
    good = (
        isinstance(timeout_ms, int | float)
        and not isinstance(timeout_ms, bool)
        and math.isfinite(timeout_ms)
        and 0 < timeout_ms <= MAX_TIMEOUT_MS
    )
    if not good:
        raise InvalidArgument(
            f"timeout_ms must be a number of milliseconds above 0 and at most "
            f"{MAX_TIMEOUT_MS:.0f}, not {timeout_ms!r}.",
            "Leave it out for the default.",
            field="timeout_ms",
        )
    return float(timeout_ms)
