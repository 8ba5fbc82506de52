"""Many callers share one browser launch; each waits under its own budget."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.endpoints.processes import processes_naming
from support.eventually import eventually_async
from support.pace import in_time
from support.relay import Relay

from tabwarden import Browser, BrowserConfig, Budget
from tabwarden.actions import Answer, Session, Way, dispatch
from tabwarden.actions.sessions.opening import session_of
from tabwarden.errors import TabwardenError

pytestmark = pytest.mark.anyio


@pytest.fixture
def relay(port: int) -> Iterator[Relay]:
    """A proxy in front of a real browser that accepts clients but is silent until ``flow()``."""
    with Relay(port) as relay:
        relay.stall()
        yield relay


@pytest.fixture
def config(relay: Relay) -> BrowserConfig:
    return BrowserConfig(endpoint=relay.url)


@pytest.fixture
async def session(config: BrowserConfig) -> AsyncIterator[Session]:
    session = session_of(config)
    yield session
    await session.close()


Call = Callable[..., asyncio.Task[Answer]]


@pytest.fixture
def call(session: Session, config: BrowserConfig) -> Call:
    def begin(tool: str = "browser_tabs", **more: Any) -> asyncio.Task[Answer]:
        budget = more.pop("budget", None)
        return asyncio.ensure_future(dispatch(session, config, tool, more, budget=budget))

    return begin


async def test_call_with_a_short_budget_times_out_alone_while_the_browser_opens(
    relay: Relay, call: Call
) -> None:
    short, *others = call(timeout_ms=500), *(call() for _ in range(4))
    answer = await short
    assert answer.data["error"]["code"] == "budget_exceeded"
    assert "of its 500 ms waiting for the browser to open" in answer.text
    await eventually_async(lambda: relay.connections == 1)
    assert not any(other.done() for other in others)
    relay.flow()
    for answer in await asyncio.gather(*others):
        assert not answer.is_error, answer.text


async def test_timeout_error_says_that_another_call_was_opening_the_browser(
    relay: Relay, call: Call
) -> None:
    first, behind = call(), call("browser_snapshot", timeout_ms=1_500)
    with in_time(1.5):
        answer = await behind
    assert "of its 1500 ms waiting for another call to open the browser" in answer.text
    error = answer.data["error"]
    assert error["data"]["waited_ms"] > 300
    relay.flow()
    assert not (await first).is_error


async def test_action_runs_with_the_budget_that_remains_after_the_browser_opens(
    relay: Relay, call: Call
) -> None:
    call()
    budget = Budget(60_000)
    behind = call("browser_evaluate", script="new Promise(() => {})", budget=budget)
    await eventually_async(lambda: budget.doing == "waiting for another call to open the browser")
    relay.flow()
    await eventually_async(lambda: budget.doing != "waiting for another call to open the browser")
    budget.cancel("enough")
    assert (await behind).data["error"]["code"] == "cancelled"


@pytest.mark.parametrize("how", ["budget", "task"])
async def test_canceled_caller_does_not_stop_other_callers_browser_launch(
    how: str, relay: Relay, call: Call
) -> None:
    budget = Budget(60_000)
    first = call(budget=budget)
    await eventually_async(lambda: relay.connections)
    other = call()
    await eventually_async(lambda: budget.doing)
    if how == "budget":
        budget.cancel("enough")
        assert (await first).data["error"]["code"] == "cancelled"
    else:
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
    relay.flow()
    assert not (await other).is_error


async def test_caller_with_a_longer_budget_retries_a_launch_that_timed_out(
    relay: Relay, config: BrowserConfig
) -> None:
    async def connect(_: Way, budget: Budget) -> Browser:
        return await Browser.connect(relay.url, config=config, timeout_ms=budget)

    session = Session(connect, opening_ms=400)
    first = asyncio.ensure_future(session.browser(may_open=True, budget=Budget(400)))
    other = asyncio.ensure_future(session.browser(may_open=True, budget=Budget(60_000)))
    with pytest.raises(TabwardenError):
        await first
    relay.flow()
    browser, _ = await other
    assert browser is session.current
    await session.close()


async def test_launch_kills_its_processes_when_no_caller_is_waiting(tmp_path: Path) -> None:
    slow = tmp_path / "slow-browser"
    slow.write_text("#!/bin/sh\nsleep 300\n")
    slow.chmod(0o755)
    config = BrowserConfig(executable=slow)
    session = session_of(config)
    budgets = [Budget(60_000), Budget(60_000)]
    calls = [
        asyncio.ensure_future(dispatch(session, config, "browser_tabs", {}, budget=budget))
        for budget in budgets
    ]
    await eventually_async(lambda: processes_naming(str(slow)))
    budgets[0].cancel("enough")
    assert (await calls[0]).data["error"]["code"] == "cancelled"
    assert processes_naming(str(slow))
    budgets[1].cancel("enough")
    assert (await calls[1]).data["error"]["code"] == "cancelled"
    await eventually_async(lambda: not processes_naming(str(slow)))
    # The next launch starts after the last one has left nothing behind.
    again = asyncio.ensure_future(dispatch(session, config, "browser_tabs", {"timeout_ms": 900}))
    await eventually_async(lambda: processes_naming(str(slow)))
    assert (await again).is_error
    await session.close()
    await eventually_async(lambda: not processes_naming(str(slow)))


async def test_close_cancels_a_running_launch_and_its_waiting_callers(
    call: Call, session: Session
) -> None:
    assert (await call("browser_back")).data["error"]["code"] == "not_open"
    budget = Budget(60_000)
    waiting = [call(), call("browser_snapshot", budget=budget)]
    await eventually_async(lambda: budget.doing)
    await session.close()
    for one in waiting:
        assert (await one).data["error"]["code"] == "cancelled"
    assert session.current is None
