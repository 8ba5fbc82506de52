"""An idle task's browser closes, its slot becomes free, and its agent is informed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import anyio
import pytest

from tabwarden.actions import Limits, Session, Tasks, dispatch, session_of
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import Capacity

pytestmark = pytest.mark.anyio

CONFIG = BrowserConfig()


@pytest.fixture
async def tasks() -> AsyncIterator[Tasks]:
    tasks = Tasks(
        lambda name: session_of(CONFIG, task_id=name), lambda: Limits(max_tasks=1, idle_s=0.5)
    )
    ending = asyncio.create_task(tasks.end_idle())
    try:
        yield tasks
    finally:
        ending.cancel()
        await tasks.close()


async def goto(tasks: Tasks, name: str) -> str:
    with tasks.call(name, Budget(30_000), opens=True) as session:
        answer = await dispatch(session, CONFIG, "browser_navigate", {"url": "about:blank"})
    assert not answer.is_error, answer.text
    return answer.text


async def closed(session: Session) -> None:
    over = anyio.Event()
    unwatch = session.watch(lambda: over.set() if session.current is None else None)
    with anyio.fail_after(60):
        while session.current is not None:
            await over.wait()
    unwatch()


async def test_idle_task_closes_its_browser_and_frees_the_slot(
    tasks: Tasks, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "tabwarden.tasks")
    await goto(tasks, "one")
    with pytest.raises(Capacity):
        await goto(tasks, "two")
    await closed(tasks.of("one"))
    ended = [record for record in caplog.records if record.message == "idle_task_ended"]
    assert [vars(record)["task_id"] for record in ended] == ["one"]
    await goto(tasks, "two")
    await tasks.stop("two")
    told = await goto(tasks, "one")
    assert "no call arrived for" in told
    assert "a new browser" in told
    assert "no call arrived for" not in await goto(tasks, "one")


@pytest.mark.long
async def test_task_with_a_running_call_or_a_person_in_control_is_not_idle(tasks: Tasks) -> None:
    """Not idle: a running call, a person in control, a waiting handoff, or a viewer."""
    watched, looks, looked = False, 0, anyio.Event()

    def keeps(_: str) -> bool:
        nonlocal looks
        looks += 1
        looked.set()
        return watched

    async def long_enough() -> None:
        """Return when the task would have ended; the idle check runs every tenth of the limit."""
        nonlocal looked
        last = looks + 12
        while looks < last:
            looked = anyio.Event()
            await looked.wait()

    tasks.keepers.append(keeps)
    await goto(tasks, "one")
    session = tasks.of("one")
    browser = session.current
    assert browser is not None
    with tasks.call("one", Budget(30_000), opens=False):
        await long_enough()
    browser.control.take("Ann")
    await long_enough()
    browser.control.release("done")
    await browser.handoff("log in", timeout_ms=100)
    assert browser.control.waiting_handoffs
    await long_enough()
    watched = True
    browser.control.take("Ann")
    browser.control.release("done")
    assert not browser.control.waiting_handoffs
    await long_enough()
    assert session.current is browser
    watched = False
    await closed(session)
