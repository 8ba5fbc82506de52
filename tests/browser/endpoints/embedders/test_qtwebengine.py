"""An application with QtWebEngine: its dialogs, windows, tabs and cookies."""

from __future__ import annotations

import pytest
from support.embedders import Attach, Start
from support.needs import needs
from support.pace import in_time
from support.site import Site

from tabwarden.errors import BudgetExceeded, NotSupported
from tabwarden.sync import Browser

pytestmark = [pytest.mark.long, needs("pyside6")]

PAGE = """
<h1>Application</h1><p id=result>nothing</p>
<button onclick="result.textContent = 'answer: ' + confirm('Delete it?')">Ask</button>
<button onclick="window.open('/second'); result.textContent = 'went on'">Open</button>
<button onclick="for (;;);">Hang</button>
"""
SECOND = "<script>document.title = 'said ' + prompt('Who?')</script><h1>Second</h1>"


def test_agent_reads_and_answers_a_dialog_of_a_page_that_was_open_before(qt: Attach) -> None:
    browser = qt(PAGE)
    browser.click(browser.snapshot().ref("Ask"))
    waiting = browser.snapshot()
    assert 'confirm "Delete it?"' in waiting.text
    assert "STALE" not in waiting.text
    assert browser.dialog("accept").value["channel"] == "debugger"
    assert "answer: true" in browser.snapshot().text


def test_opening_the_browser_says_what_an_application_cannot_do(qt: Attach) -> None:
    browser = qt(PAGE)
    assert "QtWebEngine" in browser.capabilities.note
    assert not browser.capabilities.downloads


def test_page_goes_on_when_the_application_refuses_its_window(qt: Attach) -> None:
    browser = qt(PAGE)
    with in_time(2):
        clicked = browser.click(browser.snapshot().ref("Open"))
    assert [note["kind"] for note in clicked.new_since_last.notes] == ["window"]
    assert "went on" in browser.snapshot().text
    assert len(browser.tabs().value) == 1


def test_agent_answers_the_dialog_with_which_a_window_of_the_application_starts(
    qt: Attach, site: Site
) -> None:
    browser = qt(PAGE, "--opens-windows")
    site.page("/second", SECOND)
    browser.click(browser.snapshot().ref("Open"))
    browser.tabs("switch", tab_index=1)
    assert 'prompt "Who?"' in browser.snapshot().text
    browser.dialog("accept", "Ada")
    assert browser.evaluate("document.title").value == "said Ada"


def test_closing_a_tab_says_ok_only_if_the_application_closed_it(qt: Attach, site: Site) -> None:
    browser = qt(PAGE, "--opens-windows")
    site.page("/second", "<h1>Second</h1>")
    browser.click(browser.snapshot().ref("Open"))
    assert len(browser.tabs("close", tab_index=1).value) == 1
    with pytest.raises(NotSupported, match="did not close tab t1"):
        browser.tabs("close")
    assert [tab["tab_id"] for tab in browser.tabs().value] == ["t1"]
    assert "Application" in browser.snapshot().text


def test_opening_a_tab_says_that_the_application_cannot(qt: Attach, start_qt: Start) -> None:
    with pytest.raises(NotSupported, match="This application can't open a tab"):
        qt(PAGE).tabs("open")
    with pytest.raises(NotSupported, match="context='shared'"), in_time(5):
        Browser.connect(start_qt(PAGE), context="window")


def test_cookies_of_the_application_are_read_and_changed(qt: Attach) -> None:
    browser = qt(PAGE)
    browser.evaluate("document.cookie = 'a=1'")
    browser.cookies("set", name="b", value="2")
    assert [one["name"] for one in browser.cookies().value] == ["a", "b"]
    assert browser.evaluate("document.cookie").value == "a=1; b=2"
    assert browser.cookies("delete", name="a").value == {"deleted": 1}
    assert browser.cookies("clear").value == {"deleted": 1}
    assert browser.cookies().value == []


def test_endless_script_is_stopped(qt: Attach) -> None:
    browser = qt(PAGE)
    with pytest.raises(BudgetExceeded, match="was stopped"):
        browser.click(browser.snapshot().ref("Hang"), timeout_ms=4_000)
    assert "Hang" in browser.snapshot().text


def test_dialog_that_blocks_the_application_is_reported_at_once(qt: Attach, site: Site) -> None:
    keep = "<script>onbeforeunload = (event) => event.preventDefault()</script>"
    browser = qt("<button>Touch</button>" + keep)
    browser.click(browser.snapshot().ref("Touch"))
    browser.goto(site.page("/other", "other"))
    with pytest.raises(NotSupported, match="blocks the whole application"), in_time(1):
        browser.dialog("accept")
