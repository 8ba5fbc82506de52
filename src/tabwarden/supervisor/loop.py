"""The engine loop: one event loop in one daemon thread, for every task of the process.

Supervision goes on while the caller's own loop is busy or blocked, sync callers need no loop at
all, and there is one thread however many tasks there are.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import threading
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Generic, Protocol, TypeVar

from tabwarden.supervisor.handoff import Handoff

__all__ = ["Ahead", "EngineLoop", "engine_loop"]

T = TypeVar("T")
R = TypeVar("R", covariant=True)
_SHUTDOWN_S = 10.0


class EngineLoop:
    """A running event loop in a daemon thread of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._at_shutdown: list[Callable[[], Awaitable[None]]] = []
        self._thread = threading.Thread(target=self._run, name="tabwarden-engine", daemon=True)
        self._thread.start()
        atexit.register(self.shutdown)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        self.loop.close()

    @property
    def is_current(self) -> bool:
        """Whether the caller runs on the engine's thread."""
        return threading.current_thread() is self._thread

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        """Start a coroutine on the engine; the future is the caller's."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)

    def run_sync(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine from any other thread and wait; Ctrl-C cancels it."""
        if self.is_current:
            coroutine.close()
            raise RuntimeError("a sync call on the engine's own thread would wait for itself")
        future = self.submit(coroutine)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    async def run_async(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine from the caller's own event loop.

        Cancelling the caller cancels it, and waits until it has cleared up and ended; cancelling
        the caller once more does not.
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

    async def ended_async(self, ahead: Ahead[T]) -> T:
        """What comes of something that was begun ahead; cancelling is as in ``run_async``."""
        try:
            await ahead.arrived
        except asyncio.CancelledError:
            await _Crossing(ahead.rest(given_up=True), self.loop).ended()
            raise
        result = ahead.plain()
        return result if result is not None else await self.run_async(ahead.rest())

    def ended_sync(self, ahead: Ahead[T]) -> T:
        """The same for a thread without a loop; Ctrl-C cancels it."""
        try:
            ahead.arrived.wait()
        except BaseException:
            self.submit(ahead.rest(given_up=True))
            raise
        result = ahead.plain()
        return result if result is not None else self.run_sync(ahead.rest())

    def at_shutdown(self, callback: Callable[[], Awaitable[None]]) -> None:
        """Have ``callback`` awaited on the engine when the interpreter exits."""
        self._at_shutdown.append(callback)

    def shutdown(self) -> None:
        """End everything that runs here and the thread itself; bounded in time."""
        if not self._thread.is_alive() or self.is_current:
            return
        future = self.submit(self._shutdown())
        try:
            future.result(_SHUTDOWN_S)
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
        await self.loop.shutdown_default_executor()


class Ahead(Protocol[R]):
    """A call whose command the caller's thread has sent by itself: only its verdict crosses."""

    arrived: Handoff
    """Resolved on the engine, with a reply or with the end of its race."""

    def plain(self) -> R | None:
        """Once it has arrived, on the caller's thread: the result, where nothing else is left to
        do; else None, and ``rest`` is to be run."""
        ...

    def rest(self, *, given_up: bool = False) -> Coroutine[Any, Any, R]:
        """What is left to do, on the engine.

        Args:
            given_up: the caller was cancelled.
        """
        ...


class _Crossing(Generic[T]):
    """A coroutine of one loop, as another loop's caller sees it: begin, cancel, and its real end.

    (A future that is wrapped is over for its waiter as soon as it is cancelled, while the task
    behind it goes on clearing up.)
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
            task.exception()  # seen, even if its caller has left
        if not self._here.is_closed():
            self._here.call_soon_threadsafe(self._settle)

    def _settle(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)

    async def ended(self) -> None:
        """Wait for its end; being cancelled meanwhile leaves it alone."""
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
    """The process's engine; started on first use."""
    global _engine  # noqa: PLW0603 - one engine a process is the point
    with _engine_lock:
        if _engine is None:
            _engine = EngineLoop()
        return _engine
