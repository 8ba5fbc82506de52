"""Budget: the deadline of one call. An interface (CLI, HTTP, MCP) creates the budget, and all steps
of the call share it.
"""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeAlias

from tabwarden.errors import BudgetExceeded, Cancelled, InvalidArgument
from tabwarden.hints import MORE_TIME, Hint

__all__ = ["MAX_TIMEOUT_MS", "Budget", "Timeout"]

MAX_TIMEOUT_MS = 86_400_000.0
"""One day. A longer timeout is probably a mistake in the caller's arithmetic."""
_GRACE_S = 0.05


class _Shared:
    """The state that a budget shares with its children. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callbacks: dict[object, Callable[[str], None]] = {}
        self.reason: str | None = None
        self.doing = ""

    def cancel(self, reason: str) -> None:
        with self._lock:
            if self.reason is not None:
                return
            self.reason = reason
            callbacks, self._callbacks = list(self._callbacks.values()), {}
        for callback in callbacks:
            callback(reason)

    def subscribe(self, callback: Callable[[str], None]) -> Callable[[], None]:
        key = object()
        with self._lock:
            reason = self.reason
            if reason is None:
                self._callbacks[key] = callback
        if reason is not None:
            callback(reason)
        return lambda: self._unsubscribe(key)

    def _unsubscribe(self, key: object) -> None:
        with self._lock:
            self._callbacks.pop(key, None)


class Budget:
    """The time limit of a call, including all its steps.

    Args:
        timeout_ms: the limit in milliseconds, counted from now; above 0 and at most one day.

    Raises:
        InvalidArgument: ``timeout_ms`` is not a number in this range.

    ``deadline`` uses the clock of ``time.monotonic()``, which asyncio uses too.
    """

    __slots__ = ("_shared", "deadline", "timeout_ms")

    def __init__(self, timeout_ms: float) -> None:
        self.timeout_ms = _checked(timeout_ms)
        self.deadline = time.monotonic() + self.timeout_ms / 1000
        self._shared = _Shared()

    @classmethod
    def of(cls, timeout_ms: Timeout, default_ms: float) -> Budget:
        """Return ``timeout_ms`` unchanged if it is already a budget. Otherwise return a new budget
        of ``timeout_ms``, or of ``default_ms`` if ``timeout_ms`` is None.
        """
        if isinstance(timeout_ms, Budget):
            return timeout_ms
        return cls(default_ms if timeout_ms is None else timeout_ms)

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
        """Return a child budget. Its deadline is ``headroom_ms`` before this budget's deadline, or
        ``at_most_ms`` from now if that is earlier.

        Canceling the parent or the child cancels both. Without ``at_most_ms``, the child keeps the
        caller's ``timeout_ms``, because errors mention it.
        """
        child = object.__new__(Budget)
        child.deadline = self.deadline - headroom_ms / 1000
        child.timeout_ms = self.timeout_ms
        if at_most_ms is not None:
            child.deadline = min(child.deadline, time.monotonic() + at_most_ms / 1000)
            child.timeout_ms = max(0.0, (child.deadline - time.monotonic()) * 1000)
        child._shared = self._shared
        return child

    @property
    def cancelled(self) -> str | None:
        """The caller's reason for canceling the call; None if the call is not canceled."""
        return self._shared.reason

    def cancel(self, reason: str = "the caller canceled") -> None:
        """Cancel the call, which interrupts every wait under this budget. The error message
        contains ``reason``, such as "the user pressed stop". Thread-safe.
        """
        self._shared.cancel(reason)

    def on_cancel(self, callback: Callable[[str], None]) -> Callable[[], None]:
        """Call ``callback(reason)`` once, when the budget is canceled, or immediately if the budget
        is already canceled. Return a function that removes the callback.
        """
        return self._shared.subscribe(callback)

    @property
    def doing(self) -> str:
        """What the call is waiting for, such as "waiting for the tab to be freed"; "" if the call
        isn't waiting. A budget and its children share this text.
        """
        return self._shared.doing

    @doing.setter
    def doing(self, words: str) -> None:
        self._shared.doing = words

    @asynccontextmanager
    async def waiting_for(self, what: str) -> AsyncIterator[None]:
        """Run a block that waits for other calls. Interrupt the block at the deadline or on
        cancellation.

        Args:
            what: a noun phrase for ``doing`` and the error, such as "another call to open the
                browser".

        Raises:
            BudgetExceeded: the deadline passed; the error describes the wait.
            Cancelled: the caller canceled.
        """
        self.check()
        began, before = time.monotonic(), self.doing
        self.doing = f"waiting for {what}"

        def late() -> BudgetExceeded:
            waited_ms = round((time.monotonic() - began) * 1000)
            return BudgetExceeded(
                f"The call did not finish in time: it spent {waited_ms} of its "
                f"{self._rounded_ms()} ms waiting for {what}.",
                Hint("Call again, or ", MORE_TIME, "."),
                timeout_ms=self.timeout_ms,
                waited_ms=waited_ms,
                waited_for=what,
            )

        try:
            async with self._ending(0.0, late):
                yield
        finally:
            self.doing = before

    @asynccontextmanager
    async def enforced(self) -> AsyncIterator[None]:
        """Interrupt the block's waits soon after the deadline or a cancellation.

        Use this for waits outside a ``Race``: a ``Race`` already observes the deadline.

        Raises:
            BudgetExceeded: the deadline passed.
            Cancelled: the caller canceled.
        """
        async with self._ending(_GRACE_S, self.exceeded):
            yield

    @asynccontextmanager
    async def _ending(
        self, grace_s: float, late: Callable[[], BudgetExceeded]
    ) -> AsyncIterator[None]:
        """Interrupt the block ``grace_s`` after the deadline or a cancellation. If the deadline
        passed, raise the error that ``late()`` returns.
        """
        loop = asyncio.get_running_loop()
        end = asyncio.timeout_at(self.deadline + grace_s)
        try:
            async with end:
                undo = self.on_cancel(lambda _: _end_in(grace_s, loop, end))
                try:
                    yield
                finally:
                    undo()
        except TimeoutError:
            if not end.expired():
                raise
            self.check()
            raise late() from None

    def exceeded(self) -> BudgetExceeded:
        """Return the error for a missed deadline, with ``doing`` in its message."""
        doing = f": it was {self.doing}" if self.doing else ""
        return BudgetExceeded(
            f"The call did not finish within its {self._rounded_ms()} ms{doing}.",
            timeout_ms=self.timeout_ms,
        )

    def _rounded_ms(self) -> str:
        """Format ``timeout_ms`` as a rounded number, because a child budget often has many
        decimals.
        """
        return f"{self.timeout_ms:g}" if self.timeout_ms < 10 else str(round(self.timeout_ms))

    def check(self) -> None:
        """Raise ``Cancelled`` if the caller canceled the call. Ignore the deadline."""
        if self.cancelled is not None:
            raise Cancelled(f"The call was canceled: {self.cancelled}.")


def _end_in(after_s: float, loop: asyncio.AbstractEventLoop, end: asyncio.Timeout) -> None:
    def reschedule() -> None:
        with suppress(RuntimeError):  # the wait has already finished
            end.reschedule(loop.time() + after_s)

    if not loop.is_closed():
        loop.call_soon_threadsafe(reschedule)


Timeout: TypeAlias = float | Budget | None
"""A call's time limit: milliseconds, the caller's budget, or None for the default."""


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
            "Omit this parameter to use the default.",
            field="timeout_ms",
        )
    return float(timeout_ms)
