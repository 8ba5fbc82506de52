"""Many deadlines on one timer."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from tabwarden.supervisor.runtime.deadlines import Deadlines


def on_loop(
    work: Callable[[Deadlines, asyncio.AbstractEventLoop], Coroutine[Any, Any, None]],
) -> None:
    async def run() -> None:
        loop = asyncio.get_running_loop()
        await asyncio.wait_for(work(Deadlines(loop), loop), 60)

    asyncio.run(run())


@pytest.mark.parametrize("after_ms", [(10, 20, 30), (30, 20, 10), (20, 30, 10)])
def test_deadlines_fire_in_order_and_not_early(after_ms: tuple[int, ...]) -> None:
    async def work(deadlines: Deadlines, loop: asyncio.AbstractEventLoop) -> None:
        began, came = loop.time(), asyncio.Queue[int]()
        late = deadlines.add(began + 60, lambda: None)  # an earlier deadline does not wait for it
        for ms in after_ms:
            deadlines.add(began + ms / 1000, lambda ms=ms: came.put_nowait(ms))  # type: ignore[misc]
        for ms in sorted(after_ms):
            assert await came.get() == ms
            assert loop.time() >= began + ms / 1000 - 0.001
        deadlines.lift(late)
        assert len(deadlines) == 0

    on_loop(work)


def test_canceled_deadline_does_not_fire_or_delay_another_deadline() -> None:
    async def work(deadlines: Deadlines, loop: asyncio.AbstractEventLoop) -> None:
        came = asyncio.Queue[str]()
        deadlines.lift(deadlines.add(loop.time() + 0.005, lambda: came.put_nowait("lifted")))
        deadlines.add(loop.time() + 0.02, lambda: came.put_nowait("kept"))
        assert await came.get() == "kept"

    on_loop(work)


def test_deadline_callback_can_cancel_another_due_deadline() -> None:
    async def work(deadlines: Deadlines, loop: asyncio.AbstractEventLoop) -> None:
        came: list[str] = []
        at = loop.time() + 0.01
        keys: list[int] = []

        def first() -> None:
            came.append("first")
            deadlines.lift(keys[0])

        deadlines.add(at, first)
        keys.append(deadlines.add(at, lambda: came.append("second")))
        done = asyncio.Event()
        deadlines.add(at + 0.01, done.set)
        await done.wait()
        assert came == ["first"]

    on_loop(work)


def test_other_threads_can_add_deadlines() -> None:
    async def work(deadlines: Deadlines, loop: asyncio.AbstractEventLoop) -> None:
        came: list[int] = []
        done = asyncio.Event()

        def told() -> None:
            came.append(1)
            if len(came) == 4 * 100:
                done.set()

        def ask() -> None:
            for n in range(100):
                deadlines.add(loop.time() + 0.05 - n / 2_000, told)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        await done.wait()
        for thread in threads:
            thread.join()

    on_loop(work)


def test_delayed_event_loop_runs_deadlines_and_timers_in_order() -> None:
    async def work(deadlines: Deadlines, loop: asyncio.AbstractEventLoop) -> None:
        came = asyncio.Queue[str]()
        deadlines.add(loop.time() + 0.01, lambda: came.put_nowait("first"))
        loop.call_later(0.02, came.put_nowait, "a timer")
        deadlines.add(loop.time() + 0.03, lambda: came.put_nowait("second"))
        threading.Event().wait(0.05)
        assert [await came.get() for _ in range(3)] == ["first", "a timer", "second"]

    on_loop(work)
