"""The engine loop: one event loop in one daemon thread, for all tasks of the process.

Supervision continues while the caller's own loop is busy or blocked, and sync callers need no loop.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import gc
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, TypeVar

CTRL_C_S = 0.2
"""How often a waiting thread checks for a signal. A signal that arrives just before the wait does
not end the wait; Python only records it.
"""


SHUTDOWN_S = 10.0
"""The time limit for the engine's loop to stop when the interpreter exits."""
T = TypeVar("T")


class EngineLoop:
    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._at_shutdown: list[Callable[[], Awaitable[None]]] = []
        self._thread = threading.Thread(target=self._run, name="tabwarden-engine", daemon=True)
        self._thread.start()
        # Python collects garbage several times at its end, which would take 50 ms with our modules.
        atexit.register(gc.freeze)
        atexit.register(self.shutdown)  # runs first

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        self.loop.close()

    @property
    def is_current(self) -> bool:
        """Whether the caller runs on the engine's thread."""
        return threading.current_thread() is self._thread

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        """Start a coroutine on the engine; return its future."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)

    def run_sync(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine from another thread and wait for it; Ctrl-C cancels it."""
        if self.is_current:
            coroutine.close()
            raise RuntimeError(
                "a sync call on the engine's own thread would wait for itself forever"
            )
        future: concurrent.futures.Future[T] | None = None
        try:
            future = self.submit(coroutine)
            while True:
                try:
                    return future.result(CTRL_C_S)
                except TimeoutError:
                    if future.done():  # the coroutine raised the error, or has just ended
                        return future.result()
        except BaseException:
            if future is not None:
                future.cancel()
            else:  # Ctrl-C was pressed before submit returned the future
                self.loop.call_soon_threadsafe(_give_up, coroutine)
            raise

    async def run_async(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine on the engine, for a caller that has its own event loop. If the caller is
        canceled, cancel the coroutine and wait for its cleanup.
        """
        if self.is_current:
            return await coroutine
        crossing = _Crossing(coroutine, self.loop)
        try:
            await crossing.ended()
        except asyncio.CancelledError:
            crossing.cancel()
            await crossing.ended()
            raise
        return crossing.result()

    def at_shutdown(self, callback: Callable[[], Awaitable[None]]) -> None:
        """Await ``callback`` on the engine when the interpreter exits."""
        self._at_shutdown.append(callback)

    def shutdown(self) -> None:
        """Stop everything that runs on this loop, then stop the thread, within a limited time."""
        if not self._thread.is_alive() or self.is_current:
            return
        future = self.submit(self._shutdown())
        try:
            future.result(SHUTDOWN_S)
        except (TimeoutError, concurrent.futures.CancelledError):
            future.cancel()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(1)

    async def _shutdown(self) -> None:
        await asyncio.gather(*(callback() for callback in self._at_shutdown))
        rest = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        # while the interpreter exits, no thread can be started (Python 3.12)
        with contextlib.suppress(RuntimeError):
            await self.loop.shutdown_default_executor()


def _give_up(coroutine: Coroutine[Any, Any, Any]) -> None:
    """Cancel a coroutine's task, or close it if it has none."""
    for task in asyncio.all_tasks():
        if task.get_coro() is coroutine:
            task.cancel()
            return
    coroutine.close()


class _Crossing(Generic[T]):
    """Lets a task on one loop start, cancel and await a coroutine on another loop. ``ended`` waits
    until the coroutine has really ended. A wrapped future would count as done as soon as it is
    canceled, while its task is still cleaning up.
    """

    def __init__(self, coroutine: Coroutine[Any, Any, T], there: asyncio.AbstractEventLoop) -> None:
        self._coroutine = coroutine
        self._there = there
        self._here = asyncio.get_running_loop()
        self._ended = self._here.create_future()
        self._task: asyncio.Task[T] | None = None
        there.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        self._task = self._there.create_task(self._coroutine)
        self._task.add_done_callback(self._tell)

    def _tell(self, task: asyncio.Task[T]) -> None:
        if not task.cancelled():
            task.exception()  # retrieve the error, even if the caller has stopped waiting
        if not self._here.is_closed():
            self._here.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)

    async def ended(self) -> None:
        """Wait until the coroutine has ended. Canceling the waiting task doesn't stop the
        coroutine.
        """
        await asyncio.wait([self._ended])

    def cancel(self) -> None:
        def cancel() -> None:
            if self._task is not None:
                self._task.cancel()

        self._there.call_soon_threadsafe(cancel)

    def result(self) -> T:
        assert self._task is not None
        return self._task.result()


_engine: EngineLoop | None = None
_engine_lock = threading.Lock()


def engine_loop() -> EngineLoop:
    """Return the process's engine; start it on first use."""
    global _engine  # noqa: PLW0603 - one engine per process is the point
    with _engine_lock:
        if _engine is None:
            _engine = EngineLoop()
        return _engine
