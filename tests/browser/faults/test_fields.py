"""Faults that users of other tools reported, each reproduced as reported."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.chaos.judge import as_seen_afresh
from support.chaos.raw import RawClient
from support.chaos.world import processes
from support.eventually import eventually
from support.faulty import Cut, FaultyRelay, refuse_domain
from support.needs import needs, whole_chromium
from support.pace import allow, in_time
from support.reading import ref_of
from support.running import chromium_process, running_chromium
from support.site import Site

from tabwarden.browser.opening import registry
from tabwarden.config import BrowserConfig
from tabwarden.errors import BrowserGone, BudgetExceeded, TabwardenError
from tabwarden.supervisor.link import backoff
from tabwarden.sync import Browser

ASK = "<button onclick=\"document.title = confirm('Sure?')\">Ask</button>"
FOREVER = 1_000_000


@pytest.fixture
def running(folder: Path) -> Iterator[tuple[int, int]]:
    """The port and the process of a Chromium that Tabwarden did not launch."""
    with chromium_process(folder) as running:
        yield running


def test_browser_continues_in_another_tab_after_the_first_is_closed(port: int, site: Site) -> None:
    """A tool that waits forever for the first page is then unresponsive."""
    url, runs = site.page("/", ASK), threading.Event()
    site.pages["/runs"] = lambda _: runs.set()
    with RawClient(port) as outsider, Browser.connect(f"http://127.0.0.1:{port}") as browser:
        outsider.call("Target.createTarget", {"url": url})
        eventually(lambda: [tab.url for tab in browser.state.tabs][1:] == [url])
        first, second = browser.state.tabs
        here = "location.href"
        eventually(lambda: browser.evaluate(here, tab_id=second.tab_id).value == url)
        with ThreadPoolExecutor() as pool:
            waits = f"fetch('{site.here}/runs'), new Promise(() => {{}})"
            call = pool.submit(browser.evaluate, waits, tab_id=first.tab_id, timeout_ms=30_000)
            assert runs.wait(60)
            outsider.call("Target.closeTarget", {"targetId": first.target_id})
            assert isinstance(call.exception(10), BrowserGone)
        assert browser.evaluate(here).value == url
        assert browser.state.active_tab_id == second.tab_id


def test_frozen_tabs_do_not_delay_attaching_or_other_tabs(
    running: tuple[int, int], site: Site
) -> None:
    """A tool that sets up tabs one by one waits for the first unresponsive tab."""
    port, pid = running
    with RawClient(port) as outsider:
        for _ in range(2):
            outsider.call("Target.createTarget", {"url": site.page("/", ASK)})
        as_seen_afresh(outsider)  # which every renderer answers
    frozen = processes(pid, "renderer")
    for renderer in frozen:
        os.kill(renderer, signal.SIGSTOP)
    try:
        with Browser.connect(f"http://127.0.0.1:{port}", timeout_ms=10_000) as browser:
            assert len(browser.state.tabs) == 3
            with pytest.raises(BudgetExceeded, match="300 ms"):
                browser.evaluate("1", tab_id="t1", timeout_ms=300)
            for renderer in frozen:
                os.kill(renderer, signal.SIGCONT)
            for tab in browser.state.tabs:
                assert browser.evaluate("1 + 1", tab_id=tab.tab_id).value == 2
    finally:
        for renderer in frozen:
            os.kill(renderer, signal.SIGCONT)


@pytest.mark.parametrize(
    "breaks",
    [
        Cut(method="Target.setAutoAttach", kind="command", at_byte=3, times=FOREVER),
        Cut(method="Runtime.runIfWaitingForDebugger", at_byte=3, times=FOREVER),
    ],
    ids=["before attach", "right after attach"],
)
def test_supervisor_stops_reconnecting_if_every_new_connection_breaks(
    breaks: Cut, relay: FaultyRelay, monkeypatch: pytest.MonkeyPatch, site: Site
) -> None:
    """A connection that breaks immediately was reopened endlessly."""
    monkeypatch.setattr(backoff, "GIVE_UP_S", 1.5)
    with Browser.connect(relay.url, context="own") as browser:
        browser.goto(site.page("/", ASK))
        relay.arm(breaks)
        relay.cut()
        eventually(lambda: browser.state.health.status == "gone")
        assert browser.state.health.reason
        with pytest.raises(BrowserGone):
            browser.evaluate("1", timeout_ms=10_000)
        tried = -1
        for _ in range(5):  # on a slow machine, an attempt may have been running for long
            if tried == (tried := relay.connections):
                break
            time.sleep(1)  # no event reports that the retries have ended
        assert relay.connections == tried
        assert tried < 40


@pytest.mark.parametrize("missing", [("Debugger",), ("Fetch",), ("Debugger", "Fetch")], ids=str)
def test_dialog_stays_open_until_answered_without_request_interception(
    missing: tuple[str, ...], relay: FaultyRelay, site: Site
) -> None:
    """A dialog held in a request was answered "no" where requests were not intercepted."""
    relay.arm(*map(refuse_domain, missing))
    with Browser.connect(relay.url, context="own") as browser:
        browser.goto(site.page("/", ASK))
        result = browser.click(ref_of(browser.snapshot(), '"Ask"'))
        assert result.interrupted
        assert [dialog.message for dialog in browser.state.pending_dialogs] == ["Sure?"]
        browser.dialog("accept")
        assert browser.evaluate("document.title").value == "true"


@needs("chromium")  # headless shells close a dialog when any client disconnects
def test_dialog_that_opens_during_a_reconnect_can_be_answered_later(
    folder: Path, site: Site
) -> None:
    """The dialog was reported to no client, and its page could never be set up again."""
    with (
        running_chromium(folder, executable=whole_chromium()) as port,
        FaultyRelay(port) as relay,
        Browser.connect(relay.url) as browser,
    ):
        browser.goto(site.page("/", ASK))
        eventually(lambda: relay.connections == 2)  # the guard's connection is the second
        eventually(lambda: _guards(browser))
        relay.arm(Cut(method="Runtime.callFunctionOn", at_byte=3))
        with pytest.raises(BrowserGone):
            browser.evaluate("setTimeout(() => document.title = confirm('Sure?')), 0")
        eventually(lambda: browser.state.pending_dialogs)
        browser.dialog("accept")
        assert browser.evaluate("document.title").value == "true"


def _guards(browser: Browser) -> bool:
    supervisor = registry.get(browser.task_id)
    return supervisor is not None and bool(
        supervisor.guard_post.guard and supervisor.guard_post.guard.targets
    )


def test_calls_of_two_tasks_on_one_tab_both_return_in_time(port: int, site: Site) -> None:
    """Two tools on one page waited for each other's documents."""
    urls = [site.page(f"/{name}", ASK, title=name) for name in "ab"]
    endpoint = f"http://127.0.0.1:{port}"
    with Browser.connect(endpoint) as one, Browser.connect(endpoint) as other:
        (target,) = {tab.target_id for tab in (*one.state.tabs, *other.state.tabs)}

        def fight(browser: Browser, url: str) -> int:
            returned = 0
            for _ in range(6):
                for call in (
                    lambda: browser.goto(url, timeout_ms=2_000),
                    lambda: browser.evaluate("document.title", timeout_ms=2_000),
                    lambda: browser.evaluate("setTimeout(() => alert(1)), 0", timeout_ms=2_000),
                    lambda: browser.dialog("accept", timeout_ms=2_000),
                ):
                    with in_time(2.0), contextlib.suppress(TabwardenError):  # it says whose fault
                        call()
                    returned += 1
            return returned

        with ThreadPoolExecutor() as pool:
            assert list(pool.map(fight, (one, other), urls)) == [24, 24]
        for browser in (one, other):
            eventually(lambda: _works_once_answered(browser))  # noqa: B023
        one.tabs("open")
        one.tabs("close", tab_id=one.state.tabs[0].tab_id)
        eventually(lambda: target not in {tab.target_id for tab in other.state.tabs})
        eventually(lambda: _works(other))


def _works_once_answered(browser: Browser) -> bool:
    """The dialog is in both tasks' state, and the first answer counts."""
    with contextlib.suppress(TabwardenError):
        for dialog in browser.state.pending_dialogs:
            browser.dialog("accept", dialog_id=dialog.id)
        return bool(browser.evaluate("1", timeout_ms=allow(2_000)).value == 1)
    return False


@pytest.mark.parametrize("answers", [0, 1], ids=["the first answers", "the second answers"])
def test_two_tasks_on_one_tab_see_its_dialog_and_either_can_answer(
    answers: int, port: int, site: Site
) -> None:
    """The second tool resumed the page without the first one, and never saw the dialog."""
    url = site.page("/", ASK, title="Asks")
    endpoint = f"http://127.0.0.1:{port}"
    config = BrowserConfig(dialog_bridge="debugger")
    with (
        Browser.connect(endpoint, config=config) as one,
        Browser.connect(endpoint, config=config) as other,
    ):
        both = (one, other)
        one.goto(url)
        eventually(lambda: other.evaluate("document.title").value == "Asks")
        asked = one.evaluate("document.title = prompt('Who?', 'Ada')")
        assert asked.interrupted
        for browser in both:
            eventually(lambda: browser.state.pending_dialogs)  # noqa: B023
            (dialog,) = browser.state.pending_dialogs
            assert (dialog.type, dialog.message, dialog.default_prompt) == ("prompt", "Who?", "Ada")
            assert (dialog.url, dialog.channel) == (url, "debugger")
        both[answers].dialog("accept", prompt_text="Eve")
        for browser in both:
            eventually(lambda: not browser.state.pending_dialogs)  # noqa: B023
            assert browser.evaluate("document.title", timeout_ms=allow(5_000)).value == "Eve"
        closed = [browser.state.recent_dialogs[-1].closed_by for browser in both]
        assert closed[answers] == "agent"
        assert closed[1 - answers] == "remote"


def _works(browser: Browser) -> bool:
    """A closing target can appear as a tab once more."""
    try:
        return bool(browser.evaluate("1").value == 1)
    except BrowserGone:
        return False


def test_supervisor_replaces_a_lost_guard_connection(relay: FaultyRelay, site: Site) -> None:
    """Without the guard, each lost connection would close all native dialogs."""
    with Browser.connect(relay.url) as browser:
        eventually(lambda: _guards(browser))
        supervisor = registry.get(browser.task_id)
        assert supervisor is not None
        first = supervisor.guard_post.guard
        relay.cut_last()
        eventually(lambda: supervisor.guard_post.guard is not first and _guards(browser))
        assert browser.state.health.status == "live"
        assert browser.evaluate("1").value == 1
