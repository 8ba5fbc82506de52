"""The engine loop: used and canceled from any thread, and stopped with the process."""

from __future__ import annotations

import asyncio
import concurrent.futures
import inspect
import signal
import threading
from collections.abc import Coroutine, Iterator
from typing import Any

import pytest

from tabwarden.engine import EngineLoop, engine_loop
from tabwarden.supervisor.runtime.thread_future import Handoff


@pytest.fixture
def engine() -> Iterator[EngineLoop]:
    engine = EngineLoop()
    yield engine
    engine.shutdown()


async def thread_name() -> str:
    return threading.current_thread().name


async def fails() -> None:
    raise ValueError("no")


def test_engine_loop_runs_coroutines_on_its_own_thread(engine: EngineLoop) -> None:
    assert engine.run_sync(thread_name()) == "tabwarden-engine"
    assert not engine.is_current
    with pytest.raises(ValueError, match="no"):
        engine.run_sync(fails())


def test_process_has_one_engine_loop() -> None:
    assert engine_loop() is engine_loop()


def test_run_sync_rejects_a_call_from_the_engine_thread(
    engine: EngineLoop,
) -> None:
    async def inside() -> str:
        assert engine.is_current
        with pytest.raises(RuntimeError, match="would wait for itself"):
            engine.run_sync(thread_name())
        return await engine.run_async(thread_name())

    assert engine.run_sync(inside()) == "tabwarden-engine"


def test_interrupted_caller_cancels_its_coroutine(
    engine: EngineLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = threading.Event()

    async def waits() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    def ctrl_c(*_: object) -> None:
        engine.submit(asyncio.sleep(0))
        raise KeyboardInterrupt

    monkeypatch.setattr(concurrent.futures.Future, "result", ctrl_c)
    with pytest.raises(KeyboardInterrupt):
        engine.run_sync(waits())
    monkeypatch.undo()
    assert ended.wait(60)


def test_caller_interrupted_before_it_waits_cancels_its_coroutine(
    engine: EngineLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C can arrive when the engine has the work and the caller has no future for it yet."""
    begun, ended = threading.Event(), threading.Event()

    async def waits() -> None:
        try:
            begun.set()
            await asyncio.sleep(60)
        finally:
            ended.set()

    submit = engine.submit

    def ctrl_c(coroutine: Coroutine[Any, Any, None]) -> None:
        submit(coroutine)
        assert begun.wait(60)
        raise KeyboardInterrupt

    monkeypatch.setattr(engine, "submit", ctrl_c)
    with pytest.raises(KeyboardInterrupt):
        engine.run_sync(waits())
    assert ended.wait(60)


def test_interrupt_before_submit_closes_the_coroutine(
    engine: EngineLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ctrl_c(_: object) -> None:
        raise KeyboardInterrupt

    work = thread_name()
    with monkeypatch.context() as patched:
        patched.setattr(engine, "submit", ctrl_c)
        with pytest.raises(KeyboardInterrupt):
            engine.run_sync(work)
    engine.run_sync(asyncio.sleep(0))
    assert inspect.getcoroutinestate(work) == inspect.CORO_CLOSED


def test_canceled_caller_waits_until_its_coroutine_has_cleaned_up(engine: EngineLoop) -> None:
    steps: list[str] = []
    begun = threading.Event()

    async def works() -> None:
        try:
            begun.set()
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            steps.append("cleared")

    async def caller() -> None:
        call = asyncio.create_task(engine.run_async(works()))
        await asyncio.to_thread(begun.wait, 60)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        steps.append("returned")

    asyncio.run(caller())
    assert steps == ["cleared", "returned"]


def test_run_async_passes_results_and_errors_to_the_caller(engine: EngineLoop) -> None:
    assert asyncio.run(engine.run_async(thread_name())) == "tabwarden-engine"
    with pytest.raises(ValueError, match="no"):
        asyncio.run(engine.run_async(fails()))


def test_loop_shutdown_runs_callbacks_before_it_cancels_running_tasks(engine: EngineLoop) -> None:
    steps: list[str] = []

    async def at_shutdown() -> None:
        steps.append("asked")

    async def runs() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            steps.append("ended")

    engine.at_shutdown(at_shutdown)
    future = engine.submit(runs())
    engine.run_sync(asyncio.sleep(0))
    engine.shutdown()
    engine.shutdown()
    assert steps == ["asked", "ended"]
    assert future.cancelled()
    assert engine.loop.is_closed()


def interrupt_without_waking() -> None:
    """Python gets Ctrl-C, but the main thread's wait goes on: as if the signal came just before the
    wait."""
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


def test_ctrl_c_just_before_the_wait_cancels_the_coroutine(engine: EngineLoop) -> None:
    ended: list[str] = []

    async def work() -> None:
        await asyncio.sleep(2)
        ended.append("worked")

    threading.Timer(0.1, interrupt_without_waking).start()
    with pytest.raises(KeyboardInterrupt):
        engine.run_sync(work())
    assert not ended


def test_ctrl_c_just_before_the_wait_for_a_thread_future_ends_the_wait() -> None:
    handoff = Handoff()
    threading.Timer(0.1, interrupt_without_waking).start()
    value = threading.Timer(2, handoff.set_result, ["a value"])
    value.start()
    with pytest.raises(KeyboardInterrupt):
        handoff.wait()
    assert not handoff.done()
    value.cancel()
