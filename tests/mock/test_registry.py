"""The registry of supervisors: one per task, from any thread, without leftovers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from mock.mock_browser import MockBrowser

from tabwarden.budget import Budget
from tabwarden.endpoints import OpenedEndpoint
from tabwarden.endpoints.endpoint import UrlEndpoint
from tabwarden.errors import BudgetExceeded, Cancelled, EndpointUnreachable, TabwardenError
from tabwarden.supervisor.core.state.inputs import Disconnected
from tabwarden.supervisor.runtime import SupervisorRegistry, engine_loop
from tabwarden.sync import Browser


@pytest.fixture
def registry() -> Iterator[SupervisorRegistry]:
    registry = SupervisorRegistry(engine_loop())
    yield registry
    registry.stop_all()


def test_concurrent_threads_get_one_supervisor(registry: SupervisorRegistry) -> None:
    with MockBrowser() as mock, ThreadPoolExecutor(16) as pool:
        together = threading.Barrier(16)

        def start(_: int) -> Any:
            together.wait()
            return registry.get_or_start("task", mock.url)

        supervisors = set(pool.map(start, range(16)))
        assert len(supervisors) == 1
        assert mock.connections == 1
        registry.stop("task")


def test_registry_replaces_the_supervisor_of_a_task_at_a_new_address(
    registry: SupervisorRegistry,
) -> None:
    with MockBrowser(tabs=3) as one, MockBrowser() as other:
        first = registry.get_or_start("task", one.url)
        assert len(first.snapshot().tabs) == 3
        second = registry.get_or_start("task", other.url)
        assert second is not first
        assert len(second.snapshot().tabs) == 1
        assert first.snapshot().health.status == "gone"
        assert registry.get_or_start("task", other.url) is second
        registry.stop_all()


def test_stopping_a_task_keeps_the_supervisors_of_other_tasks(registry: SupervisorRegistry) -> None:
    with MockBrowser() as one, MockBrowser() as other:
        first = registry.get_or_start("one", one.url)
        second = registry.get_or_start("other", other.url)
        registry.stop("one")
        assert first.snapshot().health.status == "gone"
        assert second.snapshot().health.status == "live"
        registry.stop_all()
        assert second.snapshot().health.status == "gone"


def test_registry_ignores_a_repeated_stop_and_a_stop_of_an_unknown_task(
    registry: SupervisorRegistry,
) -> None:
    registry.stop("never")
    with MockBrowser() as mock:
        registry.get_or_start("task", mock.url)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(registry.stop, ["task"] * 8))
        registry.stop_all()
        registry.stop_all()


def test_task_can_start_after_a_failed_start(registry: SupervisorRegistry) -> None:
    with pytest.raises(EndpointUnreachable):
        registry.get_or_start("task", "ws://127.0.0.1:9/devtools/browser/x")
    with MockBrowser() as mock:
        assert registry.get_or_start("task", mock.url).snapshot().health.status == "live"
        registry.stop("task")


@pytest.mark.calm  # on a busy machine, the outer wait ends before the queued one
def test_queued_start_and_stop_time_out_at_their_own_budget(
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


def test_caller_that_times_out_does_not_fail_the_other_callers(
    registry: SupervisorRegistry,
) -> None:
    with MockBrowser(silent={"Browser.getVersion"}) as mock, ThreadPoolExecutor(5) as pool:
        short = pool.submit(registry.get_or_start, "task", mock.url, budget=Budget(400))
        mock.wait_for("Browser.getVersion")
        mock.silent.clear()  # earlier requests get no reply any more; later ones do
        others = [pool.submit(registry.get_or_start, "task", mock.url) for _ in range(4)]
        with pytest.raises(TabwardenError):
            short.result(60)
        assert len({other.result(40) for other in others}) == 1
        registry.stop("task")


def test_registry_keeps_no_supervisor_for_an_unresponsive_browser(
    registry: SupervisorRegistry,
) -> None:
    with MockBrowser(silent={"Browser.getVersion"}) as mock:
        with pytest.raises(TabwardenError) as caught:
            registry.get_or_start("task", mock.url, budget=Budget(300))
        assert caught.value.code in ("endpoint_unreachable", "budget_exceeded")
        assert registry.get("task") is None


def test_registry_replaces_a_supervisor_whose_browser_is_gone(registry: SupervisorRegistry) -> None:
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


def test_all_tasks_share_one_engine_thread() -> None:
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


def test_supervisor_sends_heartbeats_if_the_endpoint_requires_them(
    registry: SupervisorRegistry,
) -> None:
    class Hosted(UrlEndpoint, frozen=True):
        async def open(self, budget: Budget) -> OpenedEndpoint:
            opened = await super().open(budget)
            return OpenedEndpoint(opened.wire, opened.product, heartbeat_s=0.02)

    with MockBrowser() as mock:
        registry.get_or_start("task", Hosted(mock.url))
        mock.wait_for("Browser.getVersion", times=6)
        registry.stop("task")


def test_registry_forgets_ended_and_failed_tasks(registry: SupervisorRegistry) -> None:
    with MockBrowser() as mock:
        for n in range(3):
            registry.get_or_start(f"task {n}", mock.url)
            registry.stop(f"task {n}")
    registry.stop("never")
    with pytest.raises(EndpointUnreachable):
        registry.get_or_start("nowhere", "http://127.0.0.1:1")
    assert not registry._turns


def test_registry_serializes_concurrent_starts_and_stops_of_a_task(
    registry: SupervisorRegistry,
) -> None:
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
