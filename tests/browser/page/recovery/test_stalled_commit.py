"""A page that hangs during a navigation: no command reaches it, and no call waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from support.pace import allow
from support.site import Site
from support.telling import TELL, hang, tell_when_begun

import tabwarden
from tabwarden.browser.opening import registry
from tabwarden.config import BrowserConfig
from tabwarden.errors import BrowserGone, BudgetExceeded
from tabwarden.events import NavigationStarted
from tabwarden.page.recovery import find_silent, sessions_of
from tabwarden.page.snapshot import read_page
from tabwarden.page.task import Call
from tabwarden.supervisor.core.state.inputs import ReplaceTab
from tabwarden.supervisor.runtime import engine_loop
from tabwarden.sync import Browser

NUMBERS = "window.numbers = Array.from({length: 2e7}, Math.random); 0"
"""An array to sort in native code, which cannot be interrupted."""
GOES_AND_HANGS = "location.href = '/next'; for (;;) {}"


class Hanging:
    """A page that hangs as soon as another is requested, and the other page's server."""

    def __init__(self, site: Site) -> None:
        self._hangs = threading.Event()
        self._asked = threading.Event()
        script = "if (await (await fetch('/asked')).text() === 'yes') for (;;) {}"
        self.url = site.page("/", f"<script>setInterval(async () => {{ {script} }}, 20)</script>")
        site.pages["/asked"] = self._tell
        site.pages["/next"] = self._next
        self.next = f"{site.here}/next"

    def _tell(self, handler: BaseHTTPRequestHandler) -> None:
        answer(handler, b"yes" if self._asked.is_set() else b"no")
        if self._asked.is_set():
            self._hangs.set()

    def _next(self, handler: BaseHTTPRequestHandler) -> None:
        self._asked.set()
        self._hangs.wait(5)
        answer(handler, b"<title>Next</title><script>window.ran = true</script>")


def answer(handler: BaseHTTPRequestHandler, content: bytes) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)


@pytest.mark.parametrize("way", ["goto", "back", "reload"])
def test_goto_back_and_reload_succeed_while_the_current_page_hangs(
    way: str, own_browser: Browser, site: Site
) -> None:
    page = Hanging(site)
    if way == "back":
        site.page("/before", "before")
        own_browser.goto(f"{site.here}/before")
    own_browser.goto(page.url)
    if way == "goto":
        arrived = own_browser.goto(page.next)
        assert arrived.title == "Next"
        assert own_browser.evaluate("ran").value is True
    elif way == "back":
        site.pages["/before"] = site.pages["/next"]
        arrived = own_browser.back()
        assert arrived.url == f"{site.here}/before"
    else:
        site.pages["/"] = site.pages["/next"]
        arrived = own_browser.reload()
        assert arrived.title == "Next"
    assert arrived.status == "ok"
    assert own_browser.evaluate("1 + 1").value == 2
    assert own_browser.goto(site.page("/calm", "calm")).status == "ok"


@pytest.mark.parametrize("way", ["click", "script", "timer"])
def test_page_that_starts_a_navigation_and_then_hangs_reaches_the_target_url(
    way: str, own_browser: Browser, site: Site
) -> None:
    """The next call does not use up its budget."""
    site.page("/next", "<script>window.ran = true</script>next")
    own_browser.goto(site.page("/", f'<button onclick="{GOES_AND_HANGS}">Go</button>'))
    ref = own_browser.snapshot().ref("Go")
    if way == "click":
        with contextlib.suppress(BrowserGone, BudgetExceeded):
            own_browser.click(ref)
    elif way == "script":
        with pytest.raises(BudgetExceeded):
            own_browser.evaluate(GOES_AND_HANGS, timeout_ms=400)
    else:
        own_browser.evaluate(f"setTimeout(() => {{ {GOES_AND_HANGS} }}, 20); 0")
        with contextlib.suppress(BrowserGone):
            assert own_browser.evaluate("new Promise(() => {})").interrupted
    if way == "script":  # stopped in time: it is on the old or on the new URL
        assert own_browser.evaluate("1 + 1").value == 2
    else:
        with contextlib.suppress(BrowserGone):
            own_browser.wait(url="/next")
        assert own_browser.evaluate("ran").value is True


@pytest.mark.long
def test_goto_succeeds_from_a_page_that_hangs_during_its_own_navigation(
    own_browser: Browser, site: Site
) -> None:
    site.page("/next", "next")
    own_browser.goto(site.page("/", "<p>here</p>"))
    with own_browser.events(NavigationStarted) as events:
        own_browser.evaluate(f"setTimeout(() => {{ {GOES_AND_HANGS} }}, 20); 0")
        next(iter(events))
    arrived = own_browser.goto(site.page("/other", "<title>Other</title>"))
    assert (arrived.status, arrived.url) == ("ok", f"{site.here}/other")
    assert own_browser.evaluate("1 + 1").value == 2


def test_goto_completes_while_recovery_replaces_the_tab(own_browser: Browser, site: Site) -> None:
    next_page = site.page("/next", "next")
    own_browser.goto(site.page("/", "<p>here</p>"))
    supervisor = registry.get(own_browser.task_id)
    assert supervisor is not None
    engine_loop().loop.call_soon_threadsafe(supervisor.feed, ReplaceTab("t1", next_page))
    arrived = own_browser.goto(site.page("/other", "<title>Other</title>"))
    assert (arrived.status, arrived.url) == ("ok", f"{site.here}/other")


@pytest.mark.long
def test_recovery_does_not_replace_a_tab_that_is_waiting_for_a_slow_server(
    own_browser: Browser, site: Site
) -> None:
    """Recovery replaces no tab while only the server is slow."""
    answered = threading.Event()

    def slow(handler: BaseHTTPRequestHandler) -> None:
        answered.wait(10)
        answer(handler, b"<title>Slow</title>")

    site.pages["/slow"] = slow
    own_browser.goto(site.page("/", "<p>here</p>"))
    target_id = own_browser.state.tabs[0].target_id
    with pytest.raises(BudgetExceeded):
        own_browser.goto(f"{site.here}/slow", timeout_ms=3_000)
    answered.set()
    assert own_browser.goto(f"{site.here}/slow").title == "Slow"
    assert own_browser.state.tabs[0].target_id == target_id


@pytest.mark.long
def test_evaluate_recovers_a_page_that_hangs_again_and_reports_it(
    own_browser: Browser, site: Site
) -> None:
    own_browser.goto(site.page("/", "<p>here</p>"))
    with pytest.raises(BudgetExceeded):
        own_browser.evaluate(
            "setTimeout(() => { for (;;) {} }, 0); new Promise(() => {})", timeout_ms=300
        )
    hang(own_browser, site)
    done = own_browser.evaluate("1 + 1", timeout_ms=20_000)
    assert done.value == 2
    assert "hung again" in done.note  # it may only have been busy


def test_evaluate_reports_that_it_stopped_a_busy_page_that_hung_before(
    own_browser: Browser, site: Site
) -> None:
    begun = threading.Event()
    tell_when_begun(site, begun.set)
    busy = "for (const end = Date.now() + 3000; Date.now() < end;);"
    own_browser.goto(site.page("/", "<p>here</p>"))
    with pytest.raises(BudgetExceeded):
        own_browser.evaluate("for (;;) {}", timeout_ms=300)
    own_browser.evaluate(f"setTimeout(() => {{ {TELL} {busy} window.over = true }}); 0")
    assert begun.wait(60)
    done = own_browser.evaluate("window.over === true", timeout_ms=20_000)
    assert done.value or "hung again" in done.note


def test_recovery_lets_a_busy_page_finish_despite_an_earlier_hang(site: Site) -> None:
    begun = threading.Event()
    tell_when_begun(site, begun.set)
    busy = "for (const end = Date.now() + 600; Date.now() < end;);"
    with Browser.launch(config=BrowserConfig(hang_patience=6)) as browser:
        browser.goto(site.page("/", "<p>here</p>"))
        with pytest.raises(BudgetExceeded):
            browser.evaluate("for (;;) {}", timeout_ms=500)
        browser.evaluate(f"setTimeout(() => {{ {TELL} {busy} window.over = true }}); 0")
        assert begun.wait(60)
        done = browser.evaluate("window.over === true", timeout_ms=20_000)
    assert (done.value, done.note) == (True, "")


@pytest.mark.calm
@pytest.mark.long
def test_snapshot_recovers_a_page_that_hangs_again_and_reads_it(
    own_browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page recovers once; its next timer starts another loop before it is read."""
    look, looks = read_page.look, 0

    async def once_it_hangs_again(call: Call, **how: Any) -> read_page.Outline:
        nonlocal looks
        looks += 1
        until = time.monotonic() + (1 if looks <= 2 else 0)
        while time.monotonic() < until:
            if await find_silent(call.task.supervisor, sessions_of(call.state, "t1")[:1], 0.2):
                break
        return await look(call, **how)

    own_browser.goto(site.page("/", "<button>Here</button>"))
    own_browser.evaluate("setInterval(() => { for (;;) {} }, 100); 0")
    monkeypatch.setattr(read_page, "look", once_it_hangs_again)
    read = own_browser.snapshot(timeout_ms=allow(6_000))
    assert 2 <= looks <= read_page._RESCUES + 1  # how many depends on when each loop starts
    assert not read.stale
    assert read.ref("Here")


def test_next_call_reports_a_recovery_that_ran_between_calls(
    own_browser: Browser, site: Site
) -> None:
    own_browser.goto(site.page("/", "<p>here</p>"))
    own_browser.evaluate(NUMBERS, timeout_ms=60_000)
    with pytest.raises(BudgetExceeded) as caught:
        own_browser.evaluate("numbers.sort()", timeout_ms=300)
    state = caught.value.data["state"]
    done = own_browser.evaluate("1 + 1", timeout_ms=20_000)
    assert done.value == 2
    assert ("had hung" in done.note) is (state == "recovering")
    assert own_browser.evaluate("1 + 1", timeout_ms=20_000).note == ""


@pytest.mark.long
def test_next_call_reports_that_a_canceled_call_hung_the_tab(
    own_browser: Browser, site: Site
) -> None:
    own_browser.goto(site.page("/", "<p>here</p>"))
    own_browser.evaluate(NUMBERS, timeout_ms=60_000)
    own = tabwarden.Browser(own_browser._task, own_browser._config)

    async def given_up() -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(own.evaluate("numbers.sort()", timeout_ms=60_000), 0.3)

    asyncio.run(given_up())
    assert "had hung" in own_browser.evaluate("1 + 1", timeout_ms=20_000).note
