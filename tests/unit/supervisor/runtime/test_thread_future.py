"""A value that one thread passes to another."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from tabwarden.supervisor.runtime import Handoff


def in_thread(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_thread_waits_for_the_first_value_of_a_thread_future() -> None:
    given = Handoff()
    giving = in_thread(lambda: given.set_result(3))
    assert given.wait() == 3
    giving.join()
    given.set_result(4)
    assert given.wait() == 3


def test_asyncio_task_gets_a_value_set_before_or_after_it_waits() -> None:
    async def waited(n: int) -> int:
        given = Handoff()
        giving = in_thread(lambda: given.set_result(n))
        got: int = await given
        giving.join()
        return got

    async def waits() -> list[int]:
        return [await waited(n) for n in range(500)]

    assert asyncio.run(waits()) == list(range(500))


def test_thread_future_wakes_its_waiting_task_once() -> None:
    """A second wake-up would resume the task at its next, unrelated wait."""
    woken: list[Handoff] = []

    async def waits() -> None:
        given = Handoff()
        given.add_done_callback(woken.append)
        given.set_result(1)
        given.set_result(2)
        given.cancel()
        await asyncio.sleep(0.01)
        assert woken == [given]
        assert given.result() == 1

    asyncio.run(waits())


@pytest.mark.parametrize("after", [False, True])
def test_canceled_task_stays_canceled_even_if_its_value_arrives(after: bool) -> None:
    async def cancelled() -> None:
        given = Handoff()

        async def wait() -> None:
            await given

        waiting = asyncio.ensure_future(wait())
        await asyncio.sleep(0)
        for step in [waiting.cancel, lambda: given.set_result(1)][:: -1 if after else 1]:
            step()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(cancelled())


def test_set_result_ignores_a_waiter_whose_event_loop_is_closed() -> None:
    given = Handoff()

    async def wait() -> None:
        await given

    loop = asyncio.new_event_loop()
    waiting = loop.create_task(wait())
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    given.set_result(1)
    assert not waiting.done()
    waiting._log_destroy_pending = False  # type: ignore[attr-defined]
