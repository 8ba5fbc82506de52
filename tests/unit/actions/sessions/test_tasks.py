"""Tasks of a server: by name, with room for so many browsers, and an end for all calls."""

from __future__ import annotations

import pytest

from tabwarden.actions import Session, Tasks, Way
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import Capacity, InvalidArgument


async def no_browser(way: Way, budget: Budget) -> Browser:
    raise AssertionError("nobody asked for one")


def tasks(at_most: int = 2) -> Tasks:
    return Tasks(lambda: Session(no_browser), at_most)


def test_a_task_has_one_session_whoever_asks_first() -> None:
    known = tasks()
    session = known.of("one")
    assert known.of("one") is known.session("one") is session
    with known.call("one", Budget(1000), opens=False) as same:
        assert same is session
    assert known.of("two") is not session
    with pytest.raises(InvalidArgument):
        known.of("no/name")


def test_calls_that_may_open_a_browser_take_room() -> None:
    known = tasks(at_most=1)
    with known.call("one", Budget(1000), opens=True):
        with pytest.raises(Capacity), known.call("two", Budget(1000), opens=True):
            raise AssertionError
        with known.call("two", Budget(1000), opens=False):
            pass
    with known.call("two", Budget(1000), opens=True):
        pass


def test_the_end_is_the_end_of_calls_that_run_and_of_those_that_still_come() -> None:
    known = tasks()
    running, late = Budget(1000), Budget(1000)
    with known.call("one", running, opens=True):
        known.cancel_calls("the server stops")
        assert running.cancelled == "the server stops"
        with known.call("two", late, opens=True):
            assert late.cancelled == "the server stops"
