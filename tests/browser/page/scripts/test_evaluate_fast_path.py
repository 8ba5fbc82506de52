"""Scripts that the caller's own thread sends end like any other script."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.cases import ALL
from support.eventually import eventually
from support.fuzzing import searched
from support.inventory import inventory
from support.pace import allow
from support.reading import ref_of
from support.site import Site
from support.telling import tell_when_begun

import tabwarden
from tabwarden import Browser as AsyncBrowser
from tabwarden.budget import Budget
from tabwarden.errors import BudgetExceeded, Cancelled, JsError, StaleRef, TabwardenError
from tabwarden.page import ActionResult
from tabwarden.page.scripts.evaluate import Asked
from tabwarden.page.scripts.evaluate_fast_path import FastPath, SentScript
from tabwarden.supervisor.runtime.driver import Observer, Subscription
from tabwarden.sync import Browser

CALLS = 60 if ALL else 20
LOOP = "(fetch('/begun'), (() => { while (true); })())"


@pytest.fixture
def warm(browser: Browser, site: Site) -> Browser:
    """A browser on a page where the next script uses the fast path."""
    browser.goto(site.page("/", "<button>Buy</button>", title="Warm"))
    browser.wait(load_state="load")
    eventually(lambda: is_warm(browser))  # a late event about the page changes the state
    return browser


def is_warm(browser: Browser) -> bool:
    browser.evaluate("0")
    sent = browser._fast_path.send(Asked("1 + 1"), Budget(10_000), None)
    return sent is not None and sent.ended_sync(browser._engine).value == 2


def sent_ahead(browser: Browser, script: str, **given: Any) -> Any:
    """The value of a script that must use the fast path."""
    sent = browser._fast_path.send(Asked(script, **given), Budget(10_000), None)
    assert sent is not None
    value = sent.ended_sync(browser._engine)
    assert not browser._task.scripts
    return value.value


def plainly(browser: Browser, script: str, long_ways: list[str]) -> ActionResult:
    """The result of a script that needs no more than the verdict; what a page that was just loaded
    still tells of itself may come between."""

    def ended_plainly() -> ActionResult | None:
        long_ways.clear()
        done = browser.evaluate(script)
        return None if long_ways else done

    done = eventually(ended_plainly)
    assert done is not None
    return done


@pytest.fixture
def long_ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The scripts on the fast path that did not end with a plain value."""
    seen: list[str] = []
    rest = SentScript._rest

    def seeing(sent: SentScript, **how: Any) -> Any:
        seen.append(sent._asked.script)
        return rest(sent, **how)

    monkeypatch.setattr(SentScript, "_rest", seeing)
    return seen


@pytest.mark.parametrize("script", ["1 + 1", "({a: [1]})", "document.title", "() => 3", "10n"])
def test_evaluate_fast_path_returns_a_plain_value_without_the_engine(
    script: str, warm: Browser, long_ways: list[str]
) -> None:
    done = plainly(warm, script, long_ways)
    assert (done.title, done.tab_id, done.status) == ("Warm", warm.state.active_tab_id, "ok")


def test_evaluate_fast_path_passes_an_element_and_arguments(warm: Browser) -> None:
    ref = ref_of(warm.snapshot(), '"Buy"')
    script = "(element, more) => element.textContent + more"
    assert warm.evaluate(script, ref, args=["!"]).value == "Buy!"
    assert sent_ahead(warm, script, ref=ref, args=["!"]) == "Buy!"


@pytest.mark.parametrize(
    ("script", "error"),
    [
        ("(() => { while (true); })()", BudgetExceeded),
        ("new Promise(() => {})", BudgetExceeded),
        ("(() => { throw new Error('no') })()", JsError),
        ("1) + (", JsError),
    ],
)
def test_evaluate_fast_path_raises_the_same_errors_as_the_ordinary_path(
    script: str, error: type[Exception], warm: Browser, long_ways: list[str]
) -> None:
    with pytest.raises(error):
        warm.evaluate(script, timeout_ms=1_500)
    assert long_ways == [script]
    assert warm.evaluate("1 + 1", timeout_ms=10_000).value == 2


def test_dialog_interrupts_a_script_on_the_fast_path(warm: Browser, long_ways: list[str]) -> None:
    done = warm.evaluate("confirm('Sure?')")
    assert done.interrupted
    assert done.by is not None
    assert done.by["dialog"]["message"] == "Sure?"
    assert len(long_ways) == 1
    warm.dialog("accept")
    assert warm.evaluate("1 + 1").value == 2


def test_fast_path_detects_a_dialog_that_opens_just_before_it_starts_waiting(
    warm: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waited its whole budget: the state, read earlier, had no dialog yet."""
    supervisor = warm._task.supervisor
    observe = supervisor.observe

    def observe_later(observer: Observer) -> Subscription:
        monkeypatch.undo()
        warm.evaluate("setTimeout(confirm)")
        eventually(lambda: supervisor.state.pending_dialogs)
        return observe(observer)

    monkeypatch.setattr(supervisor, "observe", observe_later)
    assert warm.evaluate("1 + 1", timeout_ms=allow(3_000)).value == 2  # read during the pause
    warm.dialog("accept")


def test_navigation_interrupts_a_script_on_the_fast_path(
    warm: Browser, long_ways: list[str]
) -> None:
    done = warm.evaluate("(location.reload(), new Promise(() => {}))")
    assert done.interrupted
    assert done.by is not None
    assert done.by["kind"] == "navigation"
    assert len(long_ways) == 1


def test_fast_path_returns_console_errors_that_the_script_logged(
    warm: Browser, long_ways: list[str]
) -> None:
    done = warm.evaluate("(console.error('broken'), 5)")
    assert done.value == 5
    assert [error["text"] for error in done.new_since_last.console_errors] == ["broken"]
    assert len(long_ways) == 1


def test_fast_path_rejects_a_removed_element(warm: Browser) -> None:
    ref = ref_of(warm.snapshot(), '"Buy"')
    assert warm.evaluate("(e) => e.textContent", ref).value == "Buy"
    warm.evaluate("document.querySelector('button').remove()")
    with pytest.raises(StaleRef):
        warm.evaluate("(e) => e.textContent", ref)


def test_fast_path_recreates_released_handles(warm: Browser, long_ways: list[str]) -> None:
    warm.cdp("Runtime.releaseObject", {"objectId": [*warm._task.serializers._handles.values()][-1]})
    assert warm.evaluate("2 + 2").value == 4
    assert long_ways == ["2 + 2"]
    assert sent_ahead(warm, "3 + 3") == 6


def test_canceling_the_budget_stops_a_script_on_the_fast_path(warm: Browser, site: Site) -> None:
    budget = Budget(60_000)
    tell_when_begun(site, lambda: budget.cancel("enough"))
    with pytest.raises(Cancelled, match="enough"):
        warm.evaluate(LOOP, timeout_ms=budget)
    assert warm.evaluate("1 + 1", timeout_ms=10_000).value == 2


@pytest.mark.long
def test_canceling_the_callers_task_stops_a_script_on_the_fast_path(
    warm: Browser, site: Site, long_ways: list[str]
) -> None:
    browser = AsyncBrowser(warm._task, warm.config)
    before = inventory(warm)

    async def cancelled() -> None:
        calling = asyncio.create_task(browser.evaluate(LOOP, timeout_ms=60_000))
        loop = asyncio.get_running_loop()
        tell_when_begun(site, lambda: loop.call_soon_threadsafe(calling.cancel))
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert (await browser.evaluate("1 + 1", timeout_ms=10_000)).value == 2

    asyncio.run(cancelled())
    assert long_ways == [LOOP]
    assert inventory(warm, like=before) == before


def test_fast_path_meets_its_deadline_while_the_callers_event_loop_is_blocked(
    warm: Browser, site: Site
) -> None:
    browser = AsyncBrowser(warm._task, warm.config)
    begun = threading.Event()
    tell_when_begun(site, begun.set)

    async def blocked() -> None:
        calling = asyncio.create_task(browser.evaluate(LOOP, timeout_ms=1_000))
        await asyncio.sleep(0)
        assert begun.wait(60)
        # This blocks the loop: the race ends on the engine
        eventually(lambda: not warm._task.supervisor.deadlines)
        with pytest.raises(BudgetExceeded):
            await calling

    asyncio.run(blocked())
    assert warm.evaluate("1 + 1", timeout_ms=10_000).value == 2


@pytest.mark.calm  # in a process with many objects, checking each takes long
def test_concurrent_callers_on_many_threads_and_event_loops_get_their_own_values(
    warm: Browser,
) -> None:
    before = inventory(warm)

    def sync(thread: int) -> list[Any]:
        return [warm.evaluate(f"'{thread}-{n}'").value for n in range(CALLS)]

    def loop(thread: int) -> list[Any]:
        browser = AsyncBrowser(warm._task, warm.config)

        async def all_at_once() -> list[Any]:
            calls = (browser.evaluate(f"'{thread}-{n}'") for n in range(CALLS))
            return [done.value for done in await asyncio.gather(*calls)]

        return asyncio.run(all_at_once())

    kinds: list[Callable[[int], list[Any]]] = [sync, loop] * 3
    with ThreadPoolExecutor(len(kinds)) as threads:
        got = list(threads.map(lambda kind, thread: kind(thread), kinds, range(len(kinds))))
    assert got == [[f"{thread}-{n}" for n in range(CALLS)] for thread in range(len(kinds))]
    assert warm.metrics()["calls_in_flight"] == 0
    assert inventory(warm, like=before) == before


def test_evaluate_works_after_another_callers_event_loop_closed(warm: Browser) -> None:
    """A caller's loop can close while its call is running."""
    browser = AsyncBrowser(warm._task, warm.config)
    loop = asyncio.new_event_loop()
    calling = loop.create_task(browser.evaluate("new Promise((r) => setTimeout(r, 50))"))
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    eventually(lambda: not warm._task.supervisor.connection.in_flight)
    assert tabwarden.sync.Browser(warm._task, warm.config).evaluate("1 + 1").value == 2
    calling._log_destroy_pending = False  # type: ignore[attr-defined]


# -- the same as the ordinary path -----------------------------------------------------------


Step = tuple[str, dict[str, Any]]
"""A script and its ``evaluate`` arguments; ``on_button``: pass the button's ref."""
STEPS: list[Step] = [
    ("window.n = (window.n || 0) + 1", {}),
    ("const n = window.n; return n", {}),
    ("const kept = 7; kept", {}),
    ("(x, y) => [x, y, window.n]", {"args": [1, "a"]}),
    ("({a: [1, new Date(0)], m: new Map([['k', 1n]])})", {}),
    ("document.title = 'Changed'", {}),
    ("window.n", {"world": "isolated"}),
    ("navigator.userActivation.hasBeenActive", {"user_gesture": False}),
    ("(button) => button.textContent", {"on_button": True}),
    ("(button) => button.remove()", {"on_button": True}),
    ("(console.error('broken'), 5)", {}),
    ("confirm('Sure?')", {}),
    ("(location.reload(), new Promise(() => {}))", {}),
    ("(() => { throw new Error('no') })()", {}),
    ("Promise.reject(3)", {}),
    ("1) + (", {}),
    ("1", {"frame_id": "nowhere"}),
    ("new Promise(() => {})", {"timeout_ms": 300}),
    ("(() => { while (true); })()", {"timeout_ms": 500}),
]


def lived(browser: Browser, site: Site, history: list[Step]) -> list[Any]:
    """The outcome of each script on a fresh page, and the page's state afterwards."""
    browser.goto(site.page("/", "<button>Buy</button>", title="Warm"))
    browser.wait(load_state="load")
    browser.evaluate("0", user_gesture=False)
    ref = ref_of(browser.snapshot(), '"Buy"')
    told: list[Any] = []
    for script, asked in history:
        given = {key: value for key, value in asked.items() if key != "on_button"}
        try:
            done = browser.evaluate(script, ref if "on_button" in asked else None, **given)
        except TabwardenError as error:
            told.append(error.code)
            continue
        by = (done.by or {}).get("kind")
        errors = [error["text"] for error in done.new_since_last.console_errors]
        told.append((done.status, done.value, done.note, by, done.navigation, done.focus, errors))
        if by == "dialog":
            browser.dialog("accept")
        elif by == "navigation":
            browser.wait(load_state="load")
    eventually(lambda: not browser.state.pending_dialogs)
    left = "[window.n, document.title, document.body.innerHTML]"
    browser.evaluate("0", timeout_ms=20_000)
    told.append((browser.evaluate(left, user_gesture=False).value, len(browser.state.tabs)))
    return told


@pytest.mark.calm  # a deadline on a busy machine may find the two paths at different steps
@searched(1, slow=True)
@given(history=st.lists(st.sampled_from(STEPS), min_size=2, max_size=7))
@example(history=STEPS[:12])
@example(history=STEPS[8:])
@pytest.mark.long
def test_fast_and_ordinary_path_return_the_same_results(
    history: list[Step], browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = inventory(browser)
    fast = lived(browser, site, history)
    with monkeypatch.context() as patched:
        patched.setattr(FastPath, "send", lambda *_: None)
        ordinary = lived(browser, site, history)
    assert fast == ordinary
    assert inventory(browser, like=before) == before
