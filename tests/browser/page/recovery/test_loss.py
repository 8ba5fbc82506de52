"""Crashes, killed processes and closed tabs: reported at once, with a way to continue."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from http.server import BaseHTTPRequestHandler

import pytest
from support.eventually import eventually
from support.pace import allow, long_before
from support.reading import ref_of
from support.site import Site

import tabwarden
from tabwarden.budget import Budget
from tabwarden.errors import (
    BrowserGone,
    BudgetExceeded,
    DialogPending,
    InvalidArgument,
    NotOpen,
    StaleRef,
    TabwardenError,
    TargetCrashed,
)
from tabwarden.supervisor.runtime import Race
from tabwarden.sync import Browser


def test_running_call_reports_a_renderer_crash_and_the_tab_recovers(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<p>alive</p>", title="Alive"))
    tab_id = browser.state.active_tab_id
    browser.evaluate("window.mark = 1")
    with pytest.raises(TargetCrashed) as caught:
        browser.cdp("Page.crash", timeout_ms=10_000)
    assert caught.value.data["steps"]
    assert "refs" in caught.value.data["lost"]
    assert "snapshot" in caught.value.hint
    assert browser.evaluate("[document.title, window.mark ?? null]").value == ["Alive", None]
    assert browser.state.active_tab_id == tab_id
    assert browser.state.tabs[0].generation > 1


def crash(browser: Browser) -> None:
    """Kill the active tab's renderer while no call is running."""
    supervisor = tabwarden.browser.opening.registry.get(browser.task_id)
    assert supervisor is not None

    async def ended() -> None:
        tab = supervisor.state.tabs[supervisor.state.active_tab_id or ""]
        supervisor.connection.send("Page.crash", b"{}", tab.session_id)
        with Race(supervisor, Budget(10_000)) as race:
            await race.until(lambda state: state.tabs[tab.tab_id].status == "crashed")

    browser._engine.run_sync(ended())


def test_next_call_reports_a_crash_between_calls(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<p>alive</p>", title="Alive"))
    crash(browser)
    assert "crashed" in browser.state_message()
    with pytest.raises(TargetCrashed):
        browser.evaluate("1")
    assert browser.evaluate("document.title").value == "Alive"


def test_snapshot_after_a_crash_shows_the_stale_page_and_then_the_reloaded_one(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<p>alive</p>", title="Alive"))
    browser.snapshot()
    crash(browser)
    shown = browser.snapshot()
    assert shown.stale
    assert "is reloading" in shown.text
    assert "alive" in shown.text
    again = browser.snapshot()
    assert not again.stale
    assert "alive" in again.text


@pytest.mark.long
def test_recovery_opens_about_blank_after_repeated_crashes(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<p>alive</p>", title="Alive"))
    for _ in range(3):
        with pytest.raises(TargetCrashed) as caught:
            browser.cdp("Page.crash", timeout_ms=10_000)
        shown = browser.snapshot(timeout_ms=10_000)
    assert shown.url == "about:blank"
    assert "Page.navigate: about:blank" in caught.value.data["steps"]
    browser.goto(site.here + "/")
    assert browser.evaluate("document.title").value == "Alive"


def test_crash_interrupts_the_pending_call(browser: Browser, site: Site) -> None:
    browser.goto(site.page("/", "<p>alive</p>"))

    async def crash() -> None:
        supervisor = tabwarden.browser.opening.registry.get(browser.task_id)
        assert supervisor is not None
        supervisor.connection.send("Page.crash", b"{}", supervisor.state.tabs[tab_id].session_id)

    tab_id = browser.state.active_tab_id
    assert tab_id is not None
    timer = threading.Timer(0.1, lambda: browser._engine.run_sync(crash()))
    timer.start()
    with long_before(30), pytest.raises(TargetCrashed):
        browser.evaluate("new Promise(() => {})", timeout_ms=30_000)
    timer.join()
    browser.goto("about:blank")
    assert browser.evaluate("1").value == 1


def test_calls_on_a_killed_browser_fail_at_once_and_state_the_reason(own_browser: Browser) -> None:
    supervisor = tabwarden.browser.opening.registry.get(own_browser.task_id)
    assert supervisor is not None
    assert supervisor.opened is not None
    assert supervisor.opened.launched is not None
    pid = supervisor.opened.launched.pid
    timer = threading.Timer(0.1, lambda: os.kill(pid, signal.SIGKILL))
    timer.start()
    with long_before(30), pytest.raises(BrowserGone) as caught:
        own_browser.evaluate("new Promise(() => {})", timeout_ms=30_000)
    assert caught.value.data["reason"]
    timer.join()
    for call in (
        lambda: own_browser.evaluate("1"),
        lambda: own_browser.snapshot(),
        lambda: own_browser.goto("about:blank"),
        lambda: own_browser.tabs(),
        lambda: own_browser.screenshot(),
    ):
        with pytest.raises(BrowserGone):
            call()
    assert own_browser.state.health.status == "gone"
    assert "gone" in own_browser.state_message()


def test_tab_that_closes_itself_interrupts_the_pending_call(browser: Browser, site: Site) -> None:
    script = "setTimeout(() => window.close(), 50)"
    site.page("/popup", f"<script>{script}</script>")
    browser.goto(site.page("/", "<p>opener</p>"))
    keep = browser.state.active_tab_id
    browser.evaluate("window.open('/popup'); 0")
    popup = browser.state.tabs[-1].tab_id
    assert popup != keep
    with pytest.raises((BrowserGone, InvalidArgument)):
        browser.evaluate("new Promise(() => {})", tab_id=popup, timeout_ms=20_000)
    assert browser.evaluate("1", tab_id=keep).value == 1


def test_call_on_a_closed_browser_reports_that_no_browser_is_open() -> None:
    browser = Browser.launch()
    browser.close()
    browser.close()
    for call in (lambda: browser.evaluate("1"), lambda: browser.snapshot(), lambda: browser.state):
        with pytest.raises(NotOpen):
            call()


def _is_of_a_call(task: asyncio.Task[object]) -> bool:
    """Chromium connects to its egress proxy at any time, and each connection is a task."""
    name = getattr(task.get_coro(), "__qualname__", "")
    return not name.endswith(("EgressProxy.serve", "_accept_connection2"))


def test_interrupted_evaluate_leaves_no_tasks_or_observers_behind(
    own_browser: Browser,
) -> None:
    supervisor = tabwarden.browser.opening.registry.get(own_browser.task_id)
    assert supervisor is not None

    async def left() -> tuple[int, int, int]:
        return (
            supervisor.connection.in_flight,
            len(supervisor._audience.observers),
            sum(_is_of_a_call(one) for one in asyncio.all_tasks()),
        )

    own_browser.evaluate("1")
    before = own_browser._engine.run_sync(left())
    for script in ("while (true) {}", "new Promise(() => {})", "confirm('x')", "throw 1"):
        with contextlib.suppress(TabwardenError):
            own_browser.evaluate(script, timeout_ms=200)
        if own_browser.state.pending_dialogs:
            own_browser.dialog("accept")
    own_browser.evaluate("1")
    assert own_browser._engine.run_sync(left()) == before


@pytest.mark.calm  # on a busy machine, the 400 ms pass before the first step
def test_recovery_reloads_an_unstoppable_page_in_the_same_tab(browser: Browser, site: Site) -> None:
    held = threading.Event()

    def silent(handler: BaseHTTPRequestHandler) -> None:
        held.wait(30)

    site.pages["/silent"] = silent
    browser.goto(site.page("/first", "<p>first</p>", title="First"))
    browser.goto(site.page("/second", "<button>Buy</button>", title="Second"))
    ref = ref_of(browser.snapshot(), '"Buy"')
    tab_id = browser.state.active_tab_id
    script = "const x = new XMLHttpRequest(); x.open('GET', '/silent', false); x.send()"
    with pytest.raises(BudgetExceeded) as caught:
        browser.evaluate(script, timeout_ms=allow(400))
    held.set()
    assert "Runtime.terminateExecution" in caught.value.data["steps"]
    assert browser.evaluate("document.title", timeout_ms=allow(10_000)).value == "Second"
    assert browser.state.active_tab_id == tab_id
    assert browser.state.tabs[0].generation > 1
    with pytest.raises(StaleRef):
        browser.click(ref)
    if caught.value.data["steps"][-1] == "Page.navigate: about:blank and back":
        assert browser.evaluate("history.length > 2").value


@pytest.mark.long
def test_page_hung_in_native_code_while_loading_does_not_delay_later_calls(
    own_browser: Browser, site: Site
) -> None:
    """The page hung again in its replacement tab, and the next call timed out on it."""
    sort = "<script>Array.from({length: 2e7}, Math.random).sort()</script>"
    sorting = site.page("/sorting", sort)
    own_browser.goto(site.page("/", "calm"))
    with pytest.raises(BudgetExceeded) as caught:
        own_browser.goto(sorting, timeout_ms=1_500)
    assert caught.value.hint
    assert own_browser.evaluate("1 + 1", timeout_ms=30_000).value == 2


def test_recovery_does_not_stop_a_page_that_opens_a_dialog_as_it_reloads(
    browser: Browser, site: Site
) -> None:
    url = site.page("/", "<script>window.got = confirm('Sure?')</script>")
    browser.goto(url)
    browser.dialog("accept")
    with pytest.raises(TargetCrashed):
        browser.cdp("Page.crash", timeout_ms=10_000)
    (dialog,) = eventually(lambda: browser.state.pending_dialogs)
    threading.Event().wait(2.5)  # recovery checks a page that is not parsed by then
    browser.dialog("accept", dialog_id=dialog.id)
    assert browser.evaluate("got").value is True


def test_click_is_not_blocked_by_a_dialog_that_opens_during_recovery(
    browser: Browser, site: Site
) -> None:
    browser.goto(site.page("/", "<script>window.got = confirm('Sure?')</script>"))
    crash(browser)
    browser.snapshot()  # it recovers from here on
    with long_before(20), contextlib.suppress(DialogPending, TargetCrashed):
        browser.click("css=body", timeout_ms=20_000)
    assert browser.state.pending_dialogs
