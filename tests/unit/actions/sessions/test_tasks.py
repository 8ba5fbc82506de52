"""A server's tasks: by name, up to a limit, and with cancellation of all calls."""

from __future__ import annotations

import pytest

from tabwarden.actions import Limits, Session, Tasks, Way
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import Capacity, InvalidArgument


async def no_browser(way: Way, budget: Budget) -> Browser:
    raise AssertionError("nobody asked for one")


def tasks(at_most: int = 2) -> Tasks:
    return Tasks(lambda _: Session(no_browser), lambda: Limits(max_tasks=at_most))


def test_every_lookup_of_a_task_returns_the_same_session() -> None:
    known = tasks()
    session = known.of("one")
    assert known.of("one") is known.session("one") is session
    with known.call("one", Budget(1000), opens=False) as same:
        assert same is session
    assert known.of("two") is not session
    with pytest.raises(InvalidArgument):
        known.of("no/name")


def test_only_calls_that_may_open_a_browser_count_toward_the_limit() -> None:
    known = tasks(at_most=1)
    with known.call("one", Budget(1000), opens=True):
        with pytest.raises(Capacity), known.call("two", Budget(1000), opens=True):
            raise AssertionError
        with known.call("two", Budget(1000), opens=False):
            pass
    with known.call("two", Budget(1000), opens=True):
        pass


def test_cancel_calls_cancels_running_and_future_calls() -> None:
    known = tasks()
    running, late = Budget(1000), Budget(1000)
    with known.call("one", running, opens=True):
        known.cancel_calls("the server stops")
        assert running.cancelled == "the server stops"
        with known.call("two", late, opens=True):
            assert late.cancelled == "the server stops"


def test_low_memory_rejects_only_calls_that_open_a_new_browser() -> None:
    free = 100.0
    known = Tasks(
        lambda _: Session(no_browser),
        lambda: Limits(max_tasks=2, min_free_memory_mb=200),
        lambda: free,
    )
    with pytest.raises(Capacity, match="100 MB") as full:
        known.call("one", Budget(1000), opens=True).__enter__()
    assert full.value.data["reason"] == "memory"
    with known.call("one", Budget(1000), opens=False):
        pass
    free = 300.0
    with known.call("one", Budget(1000), opens=True):
        free = 100.0
        with known.call("one", Budget(1000), opens=True):  # it already has its slot
            pass
