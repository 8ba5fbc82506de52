"""While a person has control, the agent's acting calls wait and its reading calls work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from support.eventually import eventually
from support.pace import in_time
from support.site import Site

from tabwarden.errors import HeldByPerson, InvalidArgument
from tabwarden.journal import as_person
from tabwarden.sync import Browser

BUTTON = "<button onclick=\"document.title='pressed'\">Go</button>"


@pytest.fixture
def apart() -> Iterator[ThreadPoolExecutor]:
    """Run calls on threads of their own."""
    with ThreadPoolExecutor() as pool:
        yield pool


def test_click_waits_until_the_person_returns_control_and_then_succeeds(
    browser: Browser, site: Site, apart: ThreadPoolExecutor
) -> None:
    browser.goto(site.page("/", BUTTON))
    ref = browser.snapshot().ref("Go")
    browser.control.take("Ann")
    click = apart.submit(browser.click, ref, timeout_ms=20_000)
    eventually(lambda: [one.action for one in browser._journal.running] == ["click"])
    assert browser.snapshot().ref("Go") == ref  # reading calls work
    browser.control.release()
    result = click.result(60)
    assert result.title == "pressed"
    assert result.new_since_last.person == ("Ann had control: did nothing",)


@pytest.mark.parametrize(
    "act",
    [
        lambda browser: browser.click(x=5, y=5, timeout_ms=300),
        lambda browser: browser.evaluate("1", timeout_ms=300),
        lambda browser: browser.cdp("Page.reload", timeout_ms=300),
        lambda browser: browser.goto("about:blank", timeout_ms=300),
        lambda browser: browser.tabs("open", timeout_ms=300),
        lambda browser: browser.dialog("accept", timeout_ms=300),
        lambda browser: browser.storage("set", key="a", value="b", timeout_ms=300),
    ],
)
def test_acting_calls_time_out_and_report_the_person_in_control(
    browser: Browser, site: Site, act: Callable[[Browser], Any]
) -> None:
    browser.goto(site.page("/", BUTTON))
    browser.control.take("Ann")
    with in_time(0.3), pytest.raises(HeldByPerson) as held:
        act(browser)
    assert held.value.data["who"] == "Ann"
    assert held.value.data["since"]
    assert "new_since_last" in held.value.hint


def test_reading_calls_work_while_a_person_has_control(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", BUTTON))
    browser.control.take("Ann")
    assert "Ann has control" in browser.snapshot().text
    assert "Ann has control" in browser.state_message()
    assert browser.screenshot().data
    assert browser.find(text="Go").value["total"] == 1
    assert browser.wait(text="Go").value["waited_ms"] >= 0
    assert browser.tabs("list").value


def test_next_result_reports_actions_of_the_person_who_had_control(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<button onclick=\"confirm('Sure?')\">Ask</button>"))
    browser.click(browser.snapshot().ref("Ask"))
    browser.control.take("Ann")
    with as_person("Ann"):
        done = browser.dialog("accept")
    assert done.value["closed_by"] == "person"
    assert browser._journal.entries[-1].by == "Ann"
    browser.control.release()
    news = browser.snapshot().new_since_last
    assert news.person == (f"Ann had control: answered {done.value['id']}",)
    assert [dialog["closed_by"] for dialog in news.dialogs] == ["person"]


def test_second_person_cannot_take_control_from_the_first_person(browser: Browser) -> None:
    browser.control.take("Ann")
    with pytest.raises(HeldByPerson, match="Ann"):
        browser.control.take("Ben")
    assert browser.control.take("Ann") == browser.control.holder


@pytest.mark.parametrize("name", ["", "  ", "x" * 81])
def test_taking_control_requires_a_valid_name(browser: Browser, name: str) -> None:
    with pytest.raises(InvalidArgument):
        browser.control.take(name)


def test_agent_regains_control_when_the_person_is_away(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", BUTTON))
    idle_s = browser.control.lease.idle_s
    browser.control.set_idle(0.2)
    browser.control.take("Ann")
    assert browser.evaluate("1 + 1", timeout_ms=20_000).value == 2
    assert browser.control.holder is None
    browser.control.set_idle(idle_s)


def test_operator_takes_control_back_from_a_person(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", BUTTON))
    browser.control.take("Ann")
    browser.control.release("operator")
    news = browser.snapshot().new_since_last.person
    assert news == ("Ann had control: did nothing, until the operator took control back",)
