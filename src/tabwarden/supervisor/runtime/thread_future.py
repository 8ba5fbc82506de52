"""``Handoff``: passes one value from one thread to another, with or without an event loop.

To asyncio, a handoff looks like a future (see ``asyncio.isfuture``), but any thread may set its
value. Setting the value takes one call, and wakes the waiter within one loop iteration. A real
future would need two calls and two iterations.
"""

from __future__ import annotations

import asyncio
import queue
from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any

from tabwarden.engine import CTRL_C_S

_NOTHING = object()


class Handoff:
    """A value that is set once. The waiter awaits it on a loop, or calls ``wait`` on a thread."""

    _asyncio_future_blocking = False
    """Asyncio's marker for a future. True means that the future is being awaited, not yielded."""

    def __init__(self) -> None:
        self._value: Any = _NOTHING
        self._wakes: deque[Callable[[], object]] = deque()
        """Functions that wake the waiter. The thread that removes one calls it."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._cancelled = False

    # -- setting the value, on any thread ----------------------------------------------------

    def done(self) -> bool:
        return self._value is not _NOTHING

    def set_result(self, value: Any) -> None:
        """Set the value. Later calls have no effect."""
        if self._value is _NOTHING:
            self._value = value
        self._wake()

    def _wake(self) -> None:
        try:
            wake = self._wakes.pop()
        except IndexError:  # nobody is waiting yet, or the waiter is already awake
            return
        wake()

    # -- waiting -----------------------------------------------------------------------------

    def result(self) -> Any:
        """Return the value, or raise ``CancelledError`` if the waiter's task was canceled first."""
        if self._cancelled:
            raise asyncio.CancelledError
        assert self._value is not _NOTHING
        return self._value

    def wait(self) -> Any:
        """Block this thread until the value is set. Ctrl-C ends the wait."""
        woken: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._wakes.append(lambda: woken.put(None))
        while self._value is _NOTHING:
            with suppress(queue.Empty):
                woken.get(timeout=CTRL_C_S)
        return self.result()

    def __await__(self) -> Generator[Any, None, Any]:
        if self._value is _NOTHING:
            self._loop = asyncio.get_running_loop()
            self._asyncio_future_blocking = True
            yield self
        return self.result()

    # -- for asyncio's tasks -----------------------------------------------------------------

    def get_loop(self) -> asyncio.AbstractEventLoop:
        return self._loop or asyncio.get_running_loop()

    def add_done_callback(self, callback: Callable[[Any], object], *, context: Any = None) -> None:
        """Register the callback that wakes the awaiting task."""
        loop = self.get_loop()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop is closed, so nobody is waiting
                loop.call_soon_threadsafe(callback, self, context=context)

        self._wakes.append(wake)
        if self._value is not _NOTHING:  # the value was set in the meantime
            self._wake()

    def cancel(self, msg: Any = None) -> bool:
        """Wake the canceled task. A value that arrives later is dropped."""
        if self._value is not _NOTHING:
            return False
        self._cancelled = True
        self._wake()
        return True
