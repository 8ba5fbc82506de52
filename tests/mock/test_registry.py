"""The registry of supervisors: one a task, from any thread, and nothing left at the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from mock.mock_browser import MockBrowser

from tabwarden.budget import Budget
from tabwarden.endpoints import OpenedEndpoint, UrlEndpoint
from tabwarden.errors import BudgetExceeded, Cancelled, EndpointUnreachable, TabwardenError
from tabwarden.supervisor import SupervisorRegistry, engine_loop
from tabwarden.supervisor.core.state.inputs import Disconnected
from tabwarden.sync import Browser


@pytest.fixture
def registry() -> Iterator[SupervisorRegistry]:
    registry = SupervisorRegistry(engine_loop())
    yield registry
    registry.stop_all()


def test_many_threads_get_one_supervisor(registry: SupervisorRegistry) -> None:
    with MockBrowser() as mock, ThreadPoolExecutor(16) as pool:
        together = threading.Barrier(16)

        def start(_: int) -> Any:
            together.wait()
            return registry.get_or_start("task", mock.url)

        supervisors = set(pool.map(start, range(16)))
        assert len(supervisors) == 1
        assert mock.connections == 1
        registry.stop("task")


def test_another_address_rebinds_and_carries_nothing_over(registry: SupervisorRegistry) -> None:
    with MockBrowser(tabs=3) as one, MockBrowser() as other:
        first = registry.get_or_start("task", one.url)
        assert len(first.snapshot().tabs) == 3
        second = registry.get_or_start("task", other.url)
        assert second is not first
        assert len(second.snapshot().tabs) == 1
        assert first.snapshot().health.status == "gone"
        assert registry.get_or_start("task", other.url) is second
        registry.stop_all()


def test_tasks_are_apart(registry: SupervisorRegistry) -> None:
    with MockBrowser() as one, MockBrowser() as other:
        first = registry.get_or_start("one", one.url)
        second = registry.get_or_start("other", other.url)
        registry.stop("one")
        assert first.snapshot().health.status == "gone"
        assert second.snapshot().health.status == "live"
        registry.stop_all()
        assert second.snapshot().health.status == "gone"


def test_stopping_twice_or_what_never_ran_is_nothing(registry: SupervisorRegistry) -> None:
    registry.stop("never")
    with MockBrowser() as mock:
        registry.get_or_start("task", mock.url)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(registry.stop, ["task"] * 8))
        registry.stop_all()
        registry.stop_all()


def test_a_start_that_fails_leaves_room_for_the_next(registry: SupervisorRegistry) -> None:
    with pytest.raises(EndpointUnreachable):
        registry.get_or_start("task", "ws://127.0.0.1:9/devtools/browser/x")
    with MockBrowser() as mock:
        assert registry.get_or_start("task", mock.url).snapshot().health.status == "live"
        registry.stop("task")


@pytest.mark.calm  # on a busy machine, the wait around the one in line ends first
def test_a_start_in_line_behind_another_spends_its_own_budget(
    registry: SupervisorRegistry,
) -> None:
    with MockBrowser(silent={"Browser.getVersion"}) as mock, ThreadPoolExecutor(2) as pool:
        budget = Budget(60_000)
        first = pool.submit(registry.get_or_start, "task", mock.url, budget=budget)
        mock.wait_for("Browser.getVersion")
        with pytest.raises(
            BudgetExceeded, match=r"\d+ of its 300 ms waiting for another call"
        ) as caught:
            registry.get_or_start("task", mock.url, budget=Budget(300))
        assert caught.value.data["waited_ms"] > 100
        with pytest.raises(BudgetExceeded, match="of its 200 ms waiting for the browser to close"):
            registry.stop("task", budget=Budget(200))
        budget.cancel("enough")
        with pytest.raises(Cancelled, match="enough"):
            first.result(60)
        registry.stop("task")
        assert registry.get("task") is None


def test_a_caller_who_gives_up_leaves_the_others_theirs(registry: SupervisorRegistry) -> None:
    with MockBrowser(silent={"Browser.getVersion"}) as mock, ThreadPoolExecutor(5) as pool:
        short = pool.submit(registry.get_or_start, "task", mock.url, budget=Budget(400))
        mock.wait_for("Browser.getVersion")
        mock.silent.clear()  # what was asked is not answered any more; what is asked next is
        others = [pool.submit(registry.get_or_start, "task", mock.url) for _ in range(4)]
        with pytest.raises(TabwardenError):
            short.result(60)
        assert len({other.result(40) for other in others}) == 1
        registry.stop("task")


def test_a_browser_that_takes_us_and_says_nothing_is_told(registry: SupervisorRegistry) -> None:
    with MockBrowser(silent={"Browser.getVersion"}) as mock:
        with pytest.raises(TabwardenError) as caught:
            registry.get_or_start("task", mock.url, budget=Budget(300))
        assert caught.value.code in ("endpoint_unreachable", "budget_exceeded")
        assert registry.get("task") is None


def test_a_supervisor_that_is_gone_is_started_anew(registry: SupervisorRegistry) -> None:
    with MockBrowser() as mock:
        first = registry.get_or_start("task", mock.url)
        gone = threading.Event()
        engine_loop().loop.call_soon_threadsafe(
            lambda: (first.feed(Disconnected("it died")), gone.set())
        )
        assert gone.wait(60)
        second = registry.get_or_start("task", mock.url)
        assert second is not first
        assert second.snapshot().health.status == "live"
        registry.stop("task")


def test_one_thread_serves_every_task_and_none_is_left_over() -> None:
    before = {thread.name for thread in threading.enumerate()}
    with (
        MockBrowser() as one,
        MockBrowser() as other,
        Browser.connect(one.url),
        Browser.connect(other.url),
    ):
        names = [thread.name for thread in threading.enumerate()]
        assert names.count("tabwarden-engine") == 1
    assert {thread.name for thread in threading.enumerate()} - before <= {"tabwarden-engine"}


def test_a_connection_that_must_not_be_idle_has_a_heartbeat(registry: SupervisorRegistry) -> None:
    class Hosted(UrlEndpoint, frozen=True):
        async def open(self, budget: Budget) -> OpenedEndpoint:
            opened = await super().open(budget)
            return OpenedEndpoint(opened.wire, opened.product, heartbeat_s=0.02)

    with MockBrowser() as mock:
        registry.get_or_start("task", Hosted(mock.url))
        mock.wait_for("Browser.getVersion", times=6)
        registry.stop("task")


def test_tasks_that_have_ended_leave_nothing_behind(registry: SupervisorRegistry) -> None:
    with MockBrowser() as mock:
        for n in range(3):
            registry.get_or_start(f"task {n}", mock.url)
            registry.stop(f"task {n}")
    registry.stop("never")
    with pytest.raises(EndpointUnreachable):
        registry.get_or_start("nowhere", "http://127.0.0.1:1")
    assert not registry._turns


def test_who_waits_for_a_turn_keeps_others_out_of_it(registry: SupervisorRegistry) -> None:
    with MockBrowser() as mock, ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            work = [
                pool.submit(registry.stop, "task")
                if n % 2
                else pool.submit(registry.get_or_start, "task", mock.url)
                for n in range(8)
            ]
            assert [one.exception() for one in work] == [None] * 8
            registry.stop("task")
            assert not registry._turns
            assert registry.get("task") is None
