"""Handoff: one value that one thread gives and another one waits for, in a loop or without one.

To an event loop it is a future of its own (what ``asyncio.isfuture`` goes by), but one that any
thread may resolve: that wakes its waiter with one call, in one turn of the loop, where a real
future needs a second call to be resolved by, and a second turn to wake its waiter in.
"""

from __future__ import annotations

import asyncio
import queue
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any

__all__ = ["Handoff"]

_NOTHING = object()


class Handoff:
    """Given once, with ``set_result``; ``await`` it on one loop, or ``wait`` for it on a thread."""

    _asyncio_future_blocking = False
    """Asyncio's mark of a future; set by a future to say that it is awaited, not yielded."""

    def __init__(self) -> None:
        self._value: Any = _NOTHING
        self._wakes: deque[Callable[[], object]] = deque()
        """How to wake the waiter: whoever takes it out does it, so that it is woken once."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._cancelled = False

    # -- giving: any thread ------------------------------------------------------------------

    def done(self) -> bool:
        """Whether the value is there."""
        return self._value is not _NOTHING

    def set_result(self, value: Any) -> None:
        """Give the value; only the first one counts."""
        if self._value is _NOTHING:
            self._value = value
        self._wake()

    def _wake(self) -> None:
        try:
            wake = self._wakes.pop()
        except IndexError:  # nobody waits yet, or was woken already
            return
        wake()

    # -- waiting -----------------------------------------------------------------------------

    def result(self) -> Any:
        """The value.

        Raises:
            asyncio.CancelledError: the waiter's task was cancelled before it came.
        """
        if self._cancelled:
            raise asyncio.CancelledError
        assert self._value is not _NOTHING
        return self._value

    def wait(self) -> Any:
        """Block this thread until the value is there. Ctrl-C ends the wait."""
        woken: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._wakes.append(lambda: woken.put(None))
        if self._value is _NOTHING:
            woken.get()
        return self.result()

    def __await__(self) -> Generator[Any, None, Any]:
        if self._value is _NOTHING:
            self._loop = asyncio.get_running_loop()
            self._asyncio_future_blocking = True
            yield self
        return self.result()

    # -- what asyncio's tasks ask of a future ------------------------------------------------

    def get_loop(self) -> asyncio.AbstractEventLoop:
        """The loop that it is awaited on."""
        return self._loop or asyncio.get_running_loop()

    def add_done_callback(self, callback: Callable[[Any], object], *, context: Any = None) -> None:
        """Have the one task that awaits it woken."""
        loop = self.get_loop()

        def wake() -> None:
            with suppress(RuntimeError):  # its loop was closed: nobody waits any more
                loop.call_soon_threadsafe(callback, self, context=context)

        self._wakes.append(wake)
        if self._value is not _NOTHING:  # it came since it was looked at
            self._wake()

    def cancel(self, msg: Any = None) -> bool:
        """Wake the task, which is cancelled; a value that comes later is dropped."""
        if self._value is not _NOTHING:
            return False
        self._cancelled = True
        self._wake()
        return True
