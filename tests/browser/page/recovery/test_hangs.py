"""Every kind of hang: the call returns in time and reports it, and the tab recovers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from support.hangs import HANGS, Costs, Hang, Scene
from support.hangs.stage import LINGER, Ended, Stage, prepare, serve_hangs, trial
from support.pace import in_time, slowness
from support.site import Site

from tabwarden import ActionResult
from tabwarden.errors import TargetCrashed
from tabwarden.sync import Browser

LATE_S = 3.0
"""On an idle machine, with a margin; the benchmark measures the exact figure."""
NEXT_MS = 30_000.0
"""For the next action, which may have to wait until a tab is replaced."""
LINGER_MS = 2_000.0
ASKED = frozenset({"interrupted"})
AT_ONCE_MS = 3_000.0
"""A call that a dialog interrupts returns at once, regardless of its budget."""
PATIENCE = 2.0
"""Raise the hang limits, because other processes can use the CPU for a moment."""
ALWAYS = frozenset(
    "request-under-script pushes popup crash stubborn-interval incurable-interval"
    " incurable-frame reloads incurable-out-of-process-frame beforeunload-touched load-handler"
    " layout trap-functions click alert-on-load".split()
)
"""Also in the short run, which includes each family and each recovery step."""

pytestmark = pytest.mark.calm
LINGERS = frozenset({"ok", "budget_exceeded", "interrupted"})
"""The possible outcomes of a call on a page that hangs; a navigation interrupts it."""


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    stage = Stage(PATIENCE * min(3.0, slowness()))
    yield stage
    stage.close()


@pytest.fixture(scope="module")
def here() -> Iterator[str]:
    with Site() as site:
        serve_hangs(site, HANGS)
        yield site.here


def kinds() -> list[object]:
    return [
        pytest.param(h, id=h.name, marks=[pytest.mark.whole] if h.name in ALWAYS else [])
        for h in HANGS
    ]


@pytest.mark.parametrize("hang", kinds())
def test_call_on_a_hung_page_returns_in_time_and_the_tab_recovers(
    hang: Hang, stage: Stage, here: str
) -> None:
    browser = stage.calm(hang.bridge)
    try:
        scene = prepare(browser, hang, here)
        timeout_ms = max(hang.timeout_ms, AT_ONCE_MS * (hang.ends == ASKED))
        with in_time(timeout_ms / 1000, LATE_S):
            ended = trial(hang.call, scene, timeout_ms)
        is_told(ended, hang.ends)
        for _ in range(4 * hang.lingers):  # on a busy machine it may start much later
            with in_time(LINGER_MS / 1000, LATE_S):
                again = trial(LINGER, scene, LINGER_MS)
            is_told(again, LINGERS)
            if again.how != "ok":
                break
        if hang.after is not None:
            assert trial(hang.after, scene, NEXT_MS).how == "ok"
        goes_on(scene, restless=hang.restless)
        costs_no_more_than(hang.costs, scene, ended)
        can_be_left(scene, tries=3 if hang.restless else 1 + (hang.costs is Costs.DOCUMENT))
    except BaseException:
        stage.spoilt(hang.bridge)
        raise


def is_told(ended: Ended, ends: frozenset[str]) -> None:
    assert ended.how in ends, ended
    if ended.error is not None:
        assert ended.error.hint, ended
    if ended.how == "budget_exceeded":
        assert ended.error is not None
        assert isinstance(ended.error.data["steps"], list)
        assert ended.error.data["state"]


def goes_on(scene: Scene, *, restless: bool) -> None:
    """This tab and every other tab run scripts and can be read."""
    browser = scene.browser
    if not browser.state.tabs:
        browser.tabs("open")
    for tab in browser.state.tabs:
        done = answered(browser, tab.tab_id)
        assert done.value == 2 or (restless and done.interrupted), done
        read = browser.snapshot(tab_id=tab.tab_id, timeout_ms=NEXT_MS)
        assert restless or not read.stale, read.text


def answered(browser: Browser, tab_id: str) -> ActionResult:
    """A page that crashes again on reload is reported as crashed again, and then recovers."""
    for _ in range(2):
        with contextlib.suppress(TargetCrashed):
            return browser.evaluate("1 + 1", tab_id=tab_id, timeout_ms=NEXT_MS)
    return browser.evaluate("1 + 1", tab_id=tab_id, timeout_ms=NEXT_MS)


def costs_no_more_than(costs: Costs, scene: Scene, ended: Ended) -> None:
    browser, tab_id = scene.browser, scene.tab_id
    if costs is Costs.NOTHING and ended.error is not None:
        assert "Runtime.terminateExecution" not in ended.error.data.get("steps", ())
    if costs <= Costs.SCRIPTS and any(tab.tab_id == tab_id for tab in browser.state.tabs):
        mark = browser.evaluate("window.mark", tab_id=tab_id, timeout_ms=NEXT_MS).value
        assert mark == "kept", "the page was lost"
    if costs <= Costs.SCRIPT and any(tab.tab_id == tab_id for tab in browser.state.tabs):
        ticking = (
            "new Promise((on) => { const was = ticks; setInterval(() => ticks > was && on(true)) })"
        )
        assert browser.evaluate(ticking, tab_id=tab_id, timeout_ms=NEXT_MS).value


def can_be_left(scene: Scene, *, tries: int) -> None:
    """The tab goes to another page, and that one's scripts run.

    A restless page's last navigation may come to the browser after the new page has come; and where
    scripts had to be switched off, the first page after may still be without (quiet.committed).
    """
    browser = scene.browser
    open_tabs = [tab.tab_id for tab in browser.state.tabs]
    tab_id = scene.tab_id if scene.tab_id in open_tabs else open_tabs[-1]
    ran = None
    for _ in range(tries):
        arrived = browser.goto(f"{scene.root}../calm", tab_id=tab_id, timeout_ms=NEXT_MS)
        ran = browser.evaluate("window.ran", tab_id=tab_id, timeout_ms=NEXT_MS)
        if ran.value is True:
            return
    raise AssertionError(f"its scripts did not run: {arrived}, {ran}")
