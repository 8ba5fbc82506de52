"""A connection lost while the browser lives is reopened, and open dialogs are found again."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.chaos.raw import RawClient
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.pace import allow, long_before
from support.relay import Relay
from support.running import is_shell, running_chromium
from support.site import Site

from tabwarden import BrowserConfig, events
from tabwarden.errors import BrowserGone, NoDialog
from tabwarden.sync import Browser

ASK = """<button onclick="document.title = 'got ' + prompt('Name?', 'nobody')">Ask</button>
<input aria-label=Field>"""


@pytest.fixture
def relay(port: int) -> Iterator[Relay]:
    with Relay(port) as relay:
        yield relay


def cut(browser: Browser, relay: Relay) -> None:
    """Cut the connection, and wait until the loss is reported."""
    with browser.events(events.EndpointLost) as told:
        relay.cut()
        assert told.get(5) is not None


RUNS_ON = """localStorage.n = 1;
setTimeout(() => { navigator.sendBeacon("/hung"); for (;;); }, 100)"""


def test_next_call_waits_for_the_reconnect_and_refs_stay_valid(relay: Relay, site: Site) -> None:
    with Browser.connect(relay.url) as browser:
        browser.goto(site.page("/", ASK))
        ref = browser.snapshot().ref("Field")
        before = browser.state.active_tab_id
        cut(browser, relay)
        browser.type("still here", ref)
        assert browser.evaluate("document.querySelector('input').value").value == "still here"
        assert browser.state.active_tab_id == before
        assert browser.state.health.status == "live"
        assert relay.connections > 1


def test_running_call_fails_at_once_on_a_lost_connection_and_is_not_repeated(
    relay: Relay, site: Site
) -> None:
    with Browser.connect(relay.url) as browser:
        browser.goto(site.page("/", "page"))
        threading.Timer(0.2, relay.cut).start()
        script = "window.n = (window.n || 0) + 1, new Promise(() => {})"
        with long_before(30), pytest.raises(BrowserGone) as caught:
            browser.evaluate(script, timeout_ms=30_000)
        assert caught.value.data["reconnecting"] is True
        assert "did not repeat it" in caught.value.hint
        assert browser.evaluate("n").value == 1


@pytest.mark.parametrize("held", [False, True], ids=["without guard", "with guard"])
@pytest.mark.long
def test_endless_script_from_before_a_reconnect_does_not_block_later_calls(
    held: bool, relay: Relay, site: Site
) -> None:
    """No new session can stop the script, so the tab seemed responsive and was never set up."""
    with Browser.connect(relay.url, context="own") as browser:
        browser.goto(site.page("/", "page"))
        eventually(lambda: relay.connections > 1)
        threading.Timer(0.2, relay.cut_first if held else relay.cut).start()
        with pytest.raises(BrowserGone):
            browser.evaluate("for (;;);")
        done = browser.evaluate("document.title", timeout_ms=20_000)
        assert done.value == "Test"
        assert ("replaced" in done.note or "in a new renderer" in done.note) is not held
        assert "page" in browser.snapshot().text


@pytest.mark.parametrize("way", ["snapshot", "goto", "evaluate"])
@pytest.mark.long
def test_browser_recovers_a_tab_that_was_hung_before_connect(
    way: str, port: int, site: Site
) -> None:
    site.pages["/"] = (
        "<title>Hung</title><script>\nif (!localStorage.n) {\n" + RUNS_ON + "}</script>Here"
    )
    hung = site.hits
    with RawClient(port) as client:
        client.call("Target.createTarget", {"url": site.here + "/"})
    eventually(lambda: "/hung" in hung)
    with Browser.connect(f"http://127.0.0.1:{port}") as browser:
        tab = next(t.tab_id for t in browser.state.tabs if t.url.startswith(site.here))
        browser.tabs("switch", tab_id=tab)
        if way == "goto":
            note = browser.goto(site.page("/next", "next")).note
        elif way == "evaluate":
            note = browser.evaluate("1").note
        else:
            note = browser.snapshot().text
        assert "The page hung" in note
        assert browser.evaluate("6 * 7", tab_id=tab, timeout_ms=allow(2_000)).value == 42


def test_events_report_the_lost_and_the_restored_connection(relay: Relay, site: Site) -> None:
    kinds = (events.EndpointLost, events.EndpointRegained, events.StateInvalidated)
    with Browser.connect(relay.url) as browser, browser.events(*kinds) as told:
        browser.goto(site.page("/", "page"))
        relay.cut()
        lost, invalid, regained = told.get(10), told.get(10), told.get(10)
        assert isinstance(lost, events.EndpointLost)
        assert lost.reconnecting
        assert isinstance(invalid, events.StateInvalidated)
        assert isinstance(regained, events.EndpointRegained)


def test_open_dialog_can_be_answered_after_a_reconnect(relay: Relay, site: Site) -> None:
    with Browser.connect(relay.url) as browser:
        browser.tabs("open")
        for turn in range(5):
            browser.goto(site.page("/", ASK))
            asked = browser.click(browser.snapshot().ref("Ask"))
            assert asked.by is not None
            assert asked.by["dialog"]["channel"] == "debugger"
            cut(browser, relay)
            closed = browser.dialog("accept", f"Ada {turn}").value
            assert closed["id"] == asked.by["dialog"]["id"]
            assert closed["closed_by"] == "agent"
            assert browser.evaluate("document.title").value == f"got Ada {turn}"
            assert browser.evaluate("document.cookie").value == ""


def test_snapshot_after_a_reconnect_shows_the_open_dialog(relay: Relay, site: Site) -> None:
    with Browser.connect(relay.url) as browser:
        browser.tabs("open")
        browser.goto(site.page("/", ASK))
        browser.click(browser.snapshot().ref("Ask"))
        cut(browser, relay)
        seen = browser.snapshot()
        assert [dialog["id"] for dialog in seen.pending_dialogs] == ["d-1"]
        browser.dialog("dismiss")
        assert browser.evaluate("document.title").value == "got null"


@pytest.mark.long
def test_dialog_on_a_data_url_page_is_lost_on_reconnect(relay: Relay) -> None:
    with Browser.connect(relay.url) as browser:
        browser.tabs("open")
        browser.goto(f"data:text/html,{ASK}".replace("\n", ""))
        browser.click(browser.snapshot().ref("Ask"))
        cut(browser, relay)
        with pytest.raises(NoDialog):
            browser.dialog("accept", "Ada", timeout_ms=20_000)
        (closed,) = browser.state.recent_dialogs
        assert (closed.closed_by, closed.accepted) == ("remote", None)
        assert browser.evaluate("document.title").value == "got null"


def test_reconnect_removes_closed_tabs_and_adds_new_tabs(
    relay: Relay, port: int, site: Site
) -> None:
    with (
        Browser.connect(relay.url) as browser,
        Browser.connect(f"http://127.0.0.1:{port}") as rival,
    ):
        browser.goto(site.page("/", "one"))
        browser.tabs("open", url=site.page("/two", "two"))
        doomed = browser.state.tabs[1]
        relay.refuse()
        relay.cut()
        eventually(lambda: browser.state.health.status == "reconnecting")
        theirs = next(t.tab_id for t in rival.state.tabs if t.target_id == doomed.target_id)
        rival.tabs("close", tab_id=theirs)
        rival.tabs("open", url=site.page("/three", "three"))
        relay.allow()
        eventually(lambda: browser.state.health.status == "live")
        eventually(
            lambda: [t.url for t in browser.state.tabs] == [site.here + "/", site.here + "/three"]
        )
        assert doomed.tab_id not in {tab.tab_id for tab in browser.state.tabs}


@pytest.mark.long
def test_calls_raise_browser_gone_if_the_reconnect_fails(relay: Relay, site: Site) -> None:
    browser = Browser.connect(relay.url)
    browser.goto(site.page("/", "page"))
    relay.refuse()
    cut(browser, relay)
    with pytest.raises(BrowserGone) as caught:
        browser.evaluate("1")
    assert browser.state.health.status == "gone"
    assert "reconnecting failed" in caught.value.data["reason"]
    with pytest.raises(BrowserGone):
        browser.snapshot()
    browser.close()


@needs("chromium")  # headless shells close a dialog when any client disconnects
@pytest.mark.parametrize("action", ["accept", "dismiss"])
def test_guard_connection_keeps_a_native_dialog_across_a_reconnect(
    action: Any, folder: Path, site: Site
) -> None:
    config = BrowserConfig(dialog_bridge="native")
    with (
        running_chromium(folder, executable=whole_chromium()) as port,
        Relay(port) as relay,
        Browser.connect(relay.url, config=config) as browser,
    ):
        browser.goto(site.page("/", ASK))
        eventually(lambda: relay.connections > 1)  # the guard connects later
        browser.tabs("open", url=site.page("/two", ASK))
        browser.click(browser.snapshot().ref("Ask"))
        with browser.events(events.EndpointLost) as told:
            relay.cut_first()
            assert told.get(5) is not None
        closed = browser.dialog(action, "Ada" if action == "accept" else None).value
        assert (closed["id"], closed["closed_by"]) == ("d-1", "agent")
        got = "got Ada" if action == "accept" else "got null"
        assert browser.evaluate("document.title").value == got
        assert browser.state.health.status == "live"


def test_native_dialog_without_a_guard_is_reported_as_closed_after_a_lost_connection(
    relay: Relay, site: Site
) -> None:
    config = BrowserConfig(dialog_bridge="native")
    with Browser.connect(relay.url, config=config) as browser:
        browser.goto(site.page("/", ASK))
        browser.click(browser.snapshot().ref("Ask"))
        cut(browser, relay)
        eventually(lambda: browser.state.recent_dialogs and browser.state.health.status == "live")
        (closed,) = browser.state.recent_dialogs
        assert (closed.closed_by, closed.accepted) == ("remote", None)
        # A headless shell answers it; in full Chromium nothing does, and the tab is reloaded.
        title = "got null" if is_shell(browser) else "Test"
        assert browser.evaluate("document.title").value == title
