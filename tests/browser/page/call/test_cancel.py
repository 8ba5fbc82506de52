"""Calls canceled in the middle return at once, and the next call works."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from support.eventually import eventually
from support.hangs import servers
from support.pace import in_time
from support.site import Site

import tabwarden
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import BrowserGone, BudgetExceeded, Cancelled, InvalidArgument, NoDialog
from tabwarden.sync import Browser

LONG_MS = 60_000
NEXT_MS = 15_000

BEGIN = "{ const r = new XMLHttpRequest(); r.open('GET', '/began', false); r.send() }"
"""Report to the test that the script is running."""
HANG = f"{BEGIN} while (true) {{}}"
LEAVING = (
    "<script>onbeforeunload = () => { navigator.sendBeacon('/began'); while (true) {} }</script>"
)
WHEEL = f"""<div style=height:4000px></div>
<script>addEventListener('wheel', () => {{ {HANG} }}, {{passive: false}})</script>"""

Call = Callable[[tabwarden.Browser, "Place", Any], Awaitable[Any]]


@dataclass(frozen=True)
class Place:
    """Where a call is made."""

    site: Site
    began: threading.Event
    ref: str


@dataclass(frozen=True)
class Action:
    """One call, canceled while it is running."""

    name: str
    call: Call
    body: str = ""
    """The page's HTML; the call's element is called Go."""
    before: str = "0"
    """A script that starts whatever blocks the call."""
    begins: bool = True
    """The page reports when the call has reached it; otherwise a running command is enough."""
    closes: bool = False
    """The tab is closed if the call succeeds in spite of the cancel."""


def button(event: str) -> str:
    return f'<button on{event}="{HANG}">Go</button>'


def field(event: str) -> str:
    return f'<input aria-label=Go on{event}="{HANG}">'


LATER = f"setTimeout(() => {{ {HANG} }}); 0"

ACTIONS = (
    Action(
        "goto",
        lambda b, at, t: b.goto(at.site.here + "/silent", timeout_ms=t),
    ),
    Action("reload", lambda b, at, t: b.reload(timeout_ms=t), LEAVING),
    Action("back", lambda b, at, t: b.back(timeout_ms=t), LEAVING),
    Action("click", lambda b, at, t: b.click(at.ref, timeout_ms=t), button("click")),
    Action("hover", lambda b, at, t: b.hover(at.ref, timeout_ms=t), button("mousemove")),
    Action("type", lambda b, at, t: b.type("x", at.ref, timeout_ms=t), field("input")),
    Action(
        "press",
        lambda b, at, t: b.press("a", timeout_ms=t),
        field("keydown"),
        "document.querySelector('input').focus()",
    ),
    Action("scroll", lambda b, at, t: b.scroll(timeout_ms=t), WHEEL),
    Action(
        "drag",
        lambda b, at, t: b.drag(at.ref, to_x=200, to_y=200, timeout_ms=t),
        button("mousedown"),
    ),
    Action(
        "select",
        lambda b, at, t: b.select(at.ref, values=["b"], timeout_ms=t),
        f'<select aria-label=Go onchange="{HANG}"><option>a<option>b</select>',
    ),
    Action(
        "fill_form",
        lambda b, at, t: b.fill_form([{"ref": at.ref, "value": "x"}], timeout_ms=t),
        field("input"),
    ),
    Action("wait", lambda b, at, t: b.wait(text="never", timeout_ms=t), begins=False),
    Action("wait_time", lambda b, at, t: b.wait(30, timeout_ms=t), begins=False),
    Action("evaluate", lambda b, at, t: b.evaluate(HANG, timeout_ms=t)),
    Action(
        "evaluate_promise",
        lambda b, at, t: b.evaluate(f"{BEGIN} await new Promise(() => {{}})", timeout_ms=t),
    ),
    Action(
        "evaluate_element",
        lambda b, at, t: b.evaluate(f"(element) => {{ {HANG} }}", at.ref, timeout_ms=t),
        "<button>Go</button>",
    ),
    Action("snapshot", lambda b, at, t: b.snapshot(timeout_ms=t), before=LATER),
    Action("screenshot", lambda b, at, t: b.screenshot(timeout_ms=t), before=LATER),
    Action(
        "dialog",
        lambda b, at, t: b.dialog("accept", snapshot="full", timeout_ms=t),
        before=f"setTimeout(() => {{ confirm('Sure?'); {HANG} }}); new Promise(() => {{}})",
    ),
    Action("cdp", lambda b, at, t: b.cdp("Runtime.evaluate", {"expression": HANG}, timeout_ms=t)),
    Action(
        "tabs_open", lambda b, at, t: b.tabs("open", url=at.site.here + "/silent", timeout_ms=t)
    ),
    Action(
        "tabs_close",
        lambda b, at, t: b.tabs("close", timeout_ms=t),
        LEAVING,
        closes=True,
    ),
    Action(
        "upload",
        lambda b, at, t: b.upload(["a.txt"], at.ref, timeout_ms=t),
        f'<input type=file aria-label=Go onchange="{HANG}">',
    ),
    Action(
        "upload_button",
        lambda b, at, t: b.upload(["a.txt"], at.ref, timeout_ms=t),
        button("click"),
    ),
)


@pytest.fixture(scope="module")
def uploads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("uploads")
    (folder / "a.txt").write_text("a")
    return folder


@pytest.fixture(scope="module")
def open_browser(uploads: Path) -> Iterator[Browser]:
    with Browser.launch(config=BrowserConfig(upload_dir=uploads, hang_patience=6)) as browser:
        yield browser


def prepare(browser: Browser, site: Site, action: Action) -> Place:
    """A fresh tab with the action's page, already blocked."""
    began = threading.Event()

    def begin(handler: BaseHTTPRequestHandler) -> None:
        began.set()
        handler.send_response(204)
        handler.end_headers()

    def silent(handler: BaseHTTPRequestHandler) -> None:
        began.set()
        servers.silent(handler)

    before = browser.state.tabs
    browser.tabs("open", url=site.page("/before", "before"))
    for tab in before:
        browser.tabs("close", tab_id=tab.tab_id)
    site.pages["/began"], site.pages["/silent"] = begin, silent
    browser.goto(site.page("/", f"<h1>Page</h1>{action.body}"))
    ref = browser.snapshot().ref("Go") if "Go" in action.body else ""
    browser.evaluate(action.before)
    return Place(site, began, ref)


async def cancelled(browser: Browser, action: Action, at: Place, *, by_budget: bool) -> None:
    """Start the call, cancel it while it is running, and check that it returns at once."""
    own = tabwarden.Browser(browser._task, browser._config)
    budget = Budget(LONG_MS)
    at_rest = observers(browser)
    task = asyncio.ensure_future(action.call(own, at, budget))
    if action.begins:
        reached = asyncio.to_thread(at.began.wait, 60)
        done, _ = await asyncio.wait(
            {task, asyncio.ensure_future(reached)}, return_when="FIRST_COMPLETED"
        )
        assert task not in done, task
    await asyncio.to_thread(under_way, browser, at_rest)
    assert not task.done(), task
    if by_budget:
        with in_time(0.5), contextlib.suppress(Cancelled):
            budget.cancel("the test said so")
            await task
        assert task.exception() is not None, "it was not cancelled"
        return
    with in_time(0.5), contextlib.suppress(asyncio.CancelledError):
        task.cancel()
        await task
    assert task.cancelled()


def observers(browser: Browser) -> int:
    """The number of waits on the supervisor's state; each running call has one."""
    supervisor = tabwarden.browser.opening.registry.get(browser.task_id)
    assert supervisor is not None
    return len(supervisor._audience.observers)


def under_way(browser: Browser, at_rest: int) -> None:
    """Wait until the engine has started the call (its own commands do not count)."""
    eventually(lambda: observers(browser) > at_rest)


@pytest.mark.parametrize("by_budget", [True, False], ids=["budget", "task"])
@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_canceled_call_returns_at_once_and_the_next_call_works(
    action: Action, by_budget: bool, open_browser: Browser, site: Site
) -> None:
    browser = open_browser
    at = prepare(browser, site, action)
    tab_id = browser.state.active_tab_id
    asyncio.run(cancelled(browser, action, at, by_budget=by_budget))
    if action.closes:  # it may still close, once the blocking script has been stopped
        with contextlib.suppress(BrowserGone, InvalidArgument):
            browser.evaluate("1 + 1", tab_id=tab_id, timeout_ms=NEXT_MS)
        if tab_id not in [tab.tab_id for tab in browser.state.tabs]:
            browser.tabs("open")
            tab_id = browser.state.active_tab_id
    assert browser.evaluate("1 + 1", tab_id=tab_id, timeout_ms=NEXT_MS).value == 2
    assert not browser.snapshot(tab_id=tab_id, timeout_ms=NEXT_MS).stale


def test_canceled_dialog_call_has_either_answered_the_dialog_or_can_be_repeated(
    open_browser: Browser, site: Site
) -> None:
    browser = open_browser
    prepare(browser, site, Action("dialog", lambda b, at, t: b.dialog("accept", timeout_ms=t)))
    own = tabwarden.Browser(browser._task, browser._config)

    async def cancel_at_once() -> None:
        task = asyncio.ensure_future(own.dialog("accept", timeout_ms=LONG_MS))
        await asyncio.sleep(0)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    assert browser.evaluate("window.got = confirm('Sure?')").interrupted
    asyncio.run(cancel_at_once())
    with contextlib.suppress(NoDialog):  # the answer was sent
        browser.dialog("accept")
    assert browser.evaluate("window.got", timeout_ms=NEXT_MS).value is True


@pytest.mark.parametrize("after_s", [0.0, 0.004, 0.03, 0.25])
def test_canceling_a_dialog_call_stops_the_script_that_its_answer_resumed(
    after_s: float, open_browser: Browser, site: Site
) -> None:
    browser = open_browser
    prepare(browser, site, Action("none", lambda b, at, t: b.state, before="0"))
    browser.evaluate("setTimeout(() => { confirm('Sure?'); while (true) {} }); 0")
    own = tabwarden.Browser(browser._task, browser._config)
    eventually(lambda: browser.state.pending_dialogs)

    async def give_up(after_s: float) -> None:
        call = own.dialog("accept", snapshot="full", timeout_ms=LONG_MS)
        task = asyncio.ensure_future(call)
        await asyncio.sleep(after_s)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, NoDialog):
            await task

    asyncio.run(give_up(after_s))
    while browser.state.pending_dialogs:  # canceled before the answer was sent: a little later
        after_s += 0.002
        asyncio.run(give_up(after_s))
    assert browser.evaluate("1 + 1", timeout_ms=NEXT_MS).value == 2


def test_canceling_a_shared_budget_cancels_all_its_calls(open_browser: Browser, site: Site) -> None:
    browser = open_browser
    prepare(browser, site, ACTIONS[0])
    own = tabwarden.Browser(browser._task, browser._config)

    async def both() -> list[Any]:
        budget, at_rest = Budget(LONG_MS), observers(browser)
        calls = [
            asyncio.ensure_future(own.evaluate("new Promise(() => {})", timeout_ms=budget)),
            asyncio.ensure_future(own.wait(text="never", timeout_ms=budget)),
        ]
        await asyncio.to_thread(under_way, browser, at_rest + 1)  # both of them
        threading.Timer(0.05, budget.cancel).start()
        return await asyncio.gather(*calls, return_exceptions=True)

    ended = asyncio.run(asyncio.wait_for(both(), 30))
    assert [type(one) for one in ended] == [Cancelled, Cancelled]
    assert browser.evaluate("1 + 1", timeout_ms=NEXT_MS).value == 2


def test_call_with_a_canceled_budget_does_not_start(open_browser: Browser, site: Site) -> None:
    prepare(open_browser, site, ACTIONS[0])
    budget = Budget(LONG_MS)
    budget.cancel()
    with pytest.raises(Cancelled):
        open_browser.evaluate("window.ran = true", timeout_ms=budget)
    assert open_browser.evaluate("window.ran ?? false").value is False


def test_hint_suggests_a_longer_timeout_only_after_a_timeout(
    open_browser: Browser, site: Site
) -> None:
    prepare(open_browser, site, ACTIONS[0])
    budget = Budget(LONG_MS)
    threading.Timer(0.3, budget.cancel).start()
    with pytest.raises(Cancelled) as gave_up:
        open_browser.wait(text="never", timeout_ms=budget)
    assert "The page responds" in gave_up.value.hint
    assert "timeout_ms" not in gave_up.value.hint
    with pytest.raises(BudgetExceeded) as ran_out:
        open_browser.wait(text="never", timeout_ms=300)
    assert "or allow more time (timeout_ms)." in ran_out.value.hint
