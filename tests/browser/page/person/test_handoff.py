"""An agent requests a person, waits within its budget, and gets the outcome."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from support.eventually import eventually
from support.pace import in_time
from support.site import Site

from tabwarden.errors import InvalidArgument
from tabwarden.page.control import Change, HandoffAsked
from tabwarden.sync import Browser


@pytest.fixture
def apart() -> Iterator[ThreadPoolExecutor]:
    """Run calls on threads of their own."""
    with ThreadPoolExecutor() as pool:
        yield pool


def asked(browser: Browser, apart: ThreadPoolExecutor) -> Future[Any]:
    """An open handoff."""
    call = apart.submit(browser.handoff, "Log in", timeout_ms=20_000)
    eventually(lambda: browser.control.waiting_handoffs)
    return call


def test_handoff_returns_when_the_person_completes_it(
    browser: Browser, site: Site, apart: ThreadPoolExecutor
) -> None:
    site.page("/in", "welcome", title="In")
    browser.goto(site.page("/", "<a href=/in>Log in</a>"))
    call = asked(browser, apart)
    (request,) = browser.control.waiting_handoffs
    assert request.reason == "Log in"
    assert f"hand-off {request.id} is waiting for a person" in browser.snapshot().text
    assert f"hand-off {request.id} is waiting for a person" in browser.state_message()
    browser.control.take("Ann")
    browser.control.release("done", "You are in.")
    done = call.result(60)
    assert done.value == {
        "id": request.id,
        "outcome": "done",
        "by": "Ann",
        "message": "You are in.",
    }
    assert done.new_since_last.person == ("Ann had control: did nothing",)


def test_person_can_decline_a_handoff_without_taking_control(
    browser: Browser, apart: ThreadPoolExecutor
) -> None:
    call = asked(browser, apart)
    (request,) = browser.control.waiting_handoffs
    browser.control.answer(request.id, "refused", "Ann", "Not today.")
    done = call.result(60)
    assert (done.value["outcome"], done.value["message"]) == ("refused", "Not today.")
    with pytest.raises(InvalidArgument, match="is not waiting"):
        browser.control.answer(request.id, "done", "Ann")


def test_handoff_that_times_out_stays_open(browser: Browser) -> None:
    with in_time(0.2):
        first = browser.handoff("Log in", timeout_ms=200)
    assert first.value["outcome"] == "waiting"
    assert "timeout_ms" in first.note
    browser.control.take("Ann")
    second = browser.handoff("Log in", timeout_ms=200)
    assert second.value == {"id": first.value["id"], "outcome": "under_way", "by": "Ann"}
    browser.control.release("done", "Done.")
    (told, ended) = browser.snapshot().new_since_last.person
    assert told.startswith("Ann had control")
    assert ended == f'hand-off {first.value["id"]} is done: "Done."'
    assert browser.control.waiting_handoffs == ()


def test_repeated_handoff_returns_the_outcome_of_the_first_handoff(browser: Browser) -> None:
    first = browser.handoff("Log in", timeout_ms=200)
    browser.control.answer(first.value["id"], "done", "Ann")
    second = browser.handoff("Log in", timeout_ms=200)
    assert second.value == {"id": first.value["id"], "outcome": "done", "by": "Ann"}
    assert second.new_since_last.person == ()
    third = browser.handoff("Log in", timeout_ms=200)
    assert third.value["outcome"] == "waiting"


def test_handoff_ends_as_idle_when_the_person_becomes_inactive(
    browser: Browser, apart: ThreadPoolExecutor
) -> None:
    idle_s = browser.control.lease.idle_s
    browser.control.set_idle(0.2)
    call = asked(browser, apart)
    browser.control.take("Ann")
    assert call.result(60).value["outcome"] == "idle"
    browser.control.set_idle(idle_s)


@pytest.mark.parametrize("reason", ["", " ", "x" * 501])
def test_handoff_requires_a_valid_reason(browser: Browser, reason: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        browser.handoff(reason)
    assert refused.value.data["field"] == "reason"


@pytest.mark.threat
def test_agent_tools_cannot_take_or_release_control() -> None:
    from tabwarden.actions import ACTIONS

    words = {word for one in ACTIONS.values() for word in one.schema()["properties"]}
    assert not {"control", "take", "release", "holder"} & words
    assert [tool for tool in ACTIONS if "control" in tool or "take" in tool] == []


def test_watchers_receive_control_changes_in_order(browser: Browser) -> None:
    browser.goto("about:blank")
    learned: list[str] = []
    began = threading.Event()

    def slow(change: Change) -> None:
        began.set()
        if isinstance(change, HandoffAsked):
            time.sleep(0.2)
        learned.append(type(change).__name__)

    stop = browser.control.watch(slow)
    asks = threading.Thread(target=browser.control.ask, args=("Log in",))
    asks.start()
    began.wait()
    browser.control.answer(browser.control.waiting_handoffs[0].id, "done", "Ann")
    asks.join()
    stop()
    assert learned == ["HandoffAsked", "HandoffEnded"]
