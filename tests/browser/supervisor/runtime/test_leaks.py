"""However a call ends, no task, future, listener, command or race is left."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.cases import ALL
from support.eventually import eventually
from support.hangs import servers
from support.inventory import inventory
from support.reading import ref_of
from support.relay import Relay
from support.site import Site

import tabwarden
from tabwarden.budget import Budget
from tabwarden.errors import BrowserGone, TabwardenError
from tabwarden.sync import Browser

pytestmark = pytest.mark.calm  # in a process with many objects, checking each takes long

LOOP = "while (true) {}"
TIMES = 3 if ALL else 2
SHORT_MS = 250
LONG_MS = 30_000


@pytest.fixture(scope="module")
def open_browser() -> Iterator[Browser]:
    with Browser.launch() as browser:
        yield browser


@pytest.fixture
def page(open_browser: Browser, site: Site) -> Browser:
    """A browser with one tab, whose page has a hanging button and a field."""
    before = open_browser.state.tabs
    open_browser.tabs("open")
    for tab in before:
        open_browser.tabs("close", tab_id=tab.tab_id)
    site.pages["/silent"] = servers.silent
    open_browser.goto(
        site.page("/", f"<button onclick='{LOOP}'>Go</button><input aria-label=Name>")
    )
    return open_browser


def ok(browser: Browser, site: Site) -> None:
    browser.evaluate("1")
    browser.snapshot()
    browser.type("x", ref_of(browser.snapshot(), '"Name"'))
    browser.screenshot()


def an_error(browser: Browser, site: Site) -> None:
    with contextlib.suppress(TabwardenError):
        browser.evaluate("throw new Error('x')")
    with contextlib.suppress(TabwardenError):
        browser.click("e999999")
    with contextlib.suppress(TabwardenError):
        browser.cdp("Page.nothing")


def time_outs(browser: Browser, site: Site) -> None:
    ref = ref_of(browser.snapshot(), '"Go"')
    for call in (
        lambda: browser.evaluate(LOOP, timeout_ms=SHORT_MS),
        lambda: browser.evaluate("new Promise(() => {})", timeout_ms=SHORT_MS),
        lambda: browser.click(ref, timeout_ms=SHORT_MS),
        lambda: browser.goto(site.here + "/silent", timeout_ms=SHORT_MS),
    ):
        with pytest.raises(TabwardenError) as caught:
            call()
        assert caught.value.code == "budget_exceeded"
    browser.goto(site.here + "/")


def a_snapshot_of_a_hung_page(browser: Browser, site: Site) -> None:
    browser.evaluate(f"setTimeout(() => {{ {LOOP} }}); 0")
    with contextlib.suppress(TabwardenError):
        browser.snapshot(timeout_ms=SHORT_MS)
    with contextlib.suppress(TabwardenError):
        browser.evaluate("1", timeout_ms=SHORT_MS)


def a_tab_that_is_lost(browser: Browser, site: Site) -> None:
    browser.evaluate("window.numbers = Array.from({length: 2e7}, Math.random); 0")
    with contextlib.suppress(TabwardenError):
        browser.evaluate("numbers.sort()", timeout_ms=SHORT_MS)


def cancels_by_budget(browser: Browser, site: Site) -> None:
    for script in (LOOP, "new Promise(() => {})"):
        budget = Budget(LONG_MS)
        timer = threading.Timer(0.1, budget.cancel)
        timer.start()
        with pytest.raises(TabwardenError) as caught:
            browser.evaluate(script, timeout_ms=budget)
        assert caught.value.code == "cancelled"
        timer.join()
        assert not budget._shared._callbacks


def cancels_by_asyncio(browser: Browser, site: Site) -> None:
    own = tabwarden.Browser(browser._task, browser._config)

    async def cancelled(script: str) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(own.evaluate(script, timeout_ms=LONG_MS), 0.1)

    for script in (LOOP, "new Promise(() => {})"):
        asyncio.run(cancelled(script))


def dialogs(browser: Browser, site: Site) -> None:
    assert browser.evaluate("confirm('Sure?')").interrupted
    with contextlib.suppress(TabwardenError):
        browser.click(x=5, y=5)
    browser.dialog("accept")


def a_crash(browser: Browser, site: Site) -> None:
    with pytest.raises(TabwardenError) as caught:
        browser.cdp("Page.crash", timeout_ms=LONG_MS)
    assert caught.value.code == "target_crashed"
    browser.goto(site.here + "/")


def a_tab_that_closes(browser: Browser, site: Site) -> None:
    keep = browser.state.active_tab_id
    browser.evaluate("new Promise((on) => { window.open('/').onload = () => on(0) })")
    (popup,) = [tab.tab_id for tab in browser.state.tabs if tab.tab_id != keep]
    with pytest.raises(TabwardenError) as caught:
        browser.evaluate(
            "setTimeout(close, 50); await new Promise(() => {})", tab_id=popup, timeout_ms=LONG_MS
        )
    assert caught.value.code == "browser_gone"


ENDINGS = (
    ok,
    an_error,
    time_outs,
    a_snapshot_of_a_hung_page,
    a_tab_that_is_lost,
    cancels_by_budget,
    cancels_by_asyncio,
    dialogs,
    a_crash,
    a_tab_that_closes,
)


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda ending: ending.__name__)
@pytest.mark.long
def test_call_leaves_no_asyncio_task_future_or_listener_on_any_outcome(
    ending: Callable[[Browser, Site], Any], page: Browser, site: Site
) -> None:
    before = inventory(page)
    for _ in range(TIMES):
        ending(page, site)
        page.evaluate("1")
    assert inventory(page, like=before) == before


def test_task_forgets_closed_tabs_and_removed_frames(page: Browser, site: Site) -> None:
    site.page("/in", "inside")
    framed = site.page("/framed", f"<iframe src={site.there}/in></iframe>")
    page.goto(framed)
    for _ in range(TIMES):
        page.tabs("open", url=framed)
        frame = page.snapshot().frame_tree["children"][0]["frame_id"]
        page.snapshot(frame_id=frame)
        with contextlib.suppress(TabwardenError):
            page.cdp("Page.crash", timeout_ms=LONG_MS)
        page.tabs("close")
    page.evaluate("document.querySelector('iframe').remove()")
    page.snapshot()
    task, state = page._task, page._task.state
    memories = task.memories
    assert set(memories) <= set(state.tabs)
    assert {one for memory in memories.values() for one in memory.outlines} <= {None, *state.frames}
    assert set(task.hangs._crashes) <= set(state.tabs)
    assert {one for memory in memories.values() for one in memory.iframes} <= set(state.frames)


def guarded(browser: Browser) -> None:
    """Wait until the guard connection is open, which happens after the first one."""
    supervisor = tabwarden.browser.opening.registry.get(browser.task_id)
    assert supervisor is not None
    eventually(lambda: supervisor.guard_post.guard)


def test_lost_connection_leaves_no_asyncio_task_future_or_listener(port: int) -> None:
    with Relay(port) as relay, Browser.connect(relay.url) as browser:
        guarded(browser)
        before = inventory(browser)
        for _ in range(TIMES):
            timer = threading.Timer(0.1, relay.cut)
            timer.start()
            with pytest.raises(BrowserGone):
                browser.evaluate("new Promise(() => {})", timeout_ms=LONG_MS)
            timer.join()
            browser.evaluate("1")
            guarded(browser)
        assert inventory(browser, like=before) == before


def test_dead_browser_leaves_no_asyncio_task_future_or_listener(own_browser: Browser) -> None:
    supervisor = tabwarden.browser.opening.registry.get(own_browser.task_id)
    assert supervisor is not None
    assert supervisor.opened is not None
    assert supervisor.opened.launched is not None
    own_browser.evaluate("1")
    before = inventory(own_browser)
    timer = threading.Timer(0.1, os.kill, (supervisor.opened.launched.pid, signal.SIGKILL))
    timer.start()
    with pytest.raises(BrowserGone):
        own_browser.evaluate(LOOP, timeout_ms=LONG_MS)
    timer.join()
    after = inventory(own_browser)
    assert after.commands == after.rescues == after.scripts == after.races == 0
    assert after.observers == before.observers
    assert after.futures <= before.futures
    # The recording is written concurrently with the result.
    eventually(lambda: len(inventory(own_browser).tasks) <= len(before.tasks))
