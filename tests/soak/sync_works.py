"""The work of a lane without an event loop: a launched browser, and all that can happen in it.

Each work leaves the browser as it found it: one tab, nothing that waits.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from soak.field import Field

import tabwarden
from tabwarden import Budget, events
from tabwarden.errors import BrowserGone, TabwardenError, TargetCrashed
from tabwarden.sync import Browser

__all__ = ["RARE", "USUAL", "Scene", "Work"]

SHORT_MS = 150.0
LONG_MS = 60_000.0
LOOP = "while (true) {}"
NEVER = "new Promise(() => {})"


@dataclass(frozen=True)
class Scene:
    """The arguments of a work."""

    browser: Browser
    field: Field
    folder: Path
    """For the work's own files; empty afterwards."""


Work = Callable[[Scene], None]


def _shop(scene: Scene) -> Browser:
    scene.browser.goto(scene.field.here + "/shop", timeout_ms=LONG_MS)
    return scene.browser


def _only(browser: Browser, keep: str | None) -> None:
    for tab in browser.state.tabs:
        if tab.tab_id != keep:
            with contextlib.suppress(TabwardenError):  # it may close by itself
                browser.tabs("close", tab_id=tab.tab_id)


def _fails(code: str, call: Callable[[], object]) -> None:
    try:
        came: object = call()
    except TabwardenError as error:
        came = error
    assert isinstance(came, TabwardenError), came
    assert came.code == code, came


def _ref(browser: Browser, name: str) -> str:
    seen = browser.snapshot()
    try:
        return seen.ref(name)
    except TabwardenError as error:
        error.add_note(seen.text)
        error.add_note(f"and then: {browser.snapshot().text}")
        raise


def reading(scene: Scene) -> None:
    browser = _shop(scene)
    browser.snapshot()
    browser.snapshot(diff=True)
    browser.scrape()
    browser.find(role="button")
    browser.screenshot(full_page=True)
    browser.highlight(_ref(browser, "Ask"), duration_s=0.1)
    browser.pdf(as_bytes=True)


def hands(scene: Scene) -> None:
    browser = _shop(scene)
    seen = browser.snapshot()
    browser.type("hello", seen.ref("Field"), clear=True)
    browser.select(seen.ref("Menu"), labels="Two")
    browser.hover(seen.ref("Ask"))
    browser.scroll("down", 400)
    browser.press("PageUp")
    browser.click(_ref(browser, "Agree"))
    browser.drag(from_x=20, from_y=20, to_x=60, to_y=60)
    assert browser.evaluate("document.querySelector('input').value").value == "hello"


def dialogs(scene: Scene) -> None:
    browser = _shop(scene)
    assert browser.click(_ref(browser, "Ask")).interrupted
    browser.snapshot()
    browser.dialog("accept")
    assert browser.evaluate("document.title").value == "yes"
    assert browser.click(_ref(browser, "Name")).interrupted
    browser.dialog("accept", "Ada")
    assert browser.evaluate("alert('left open')").interrupted
    browser.dialog("dismiss")


def frames(scene: Scene) -> None:
    browser = _shop(scene)
    browser.wait(text="Inside", timeout_ms=LONG_MS)
    browser.click(_ref(browser, "Inside"))
    browser.evaluate("document.querySelector('iframe').remove()")
    again = "const f = document.createElement('iframe'); f.src = '{}'; document.body.prepend(f)"
    browser.evaluate(again.format(scene.field.there + "/inner"))
    browser.wait(text="Inside", timeout_ms=LONG_MS)
    browser.type("deep", _ref(browser, "Deep"))


def popups_and_tabs(scene: Scene) -> None:
    browser = _shop(scene)
    keep = browser.state.active_tab_id
    with browser.events(events.PopupOpened) as told:
        browser.click(_ref(browser, "Popup"))
        assert told.get(60) is not None
    browser.tabs("open", url=scene.field.there + "/calm")
    browser.tabs("switch", tab_id=keep)
    _only(browser, keep)


def files(scene: Scene) -> None:
    browser = _shop(scene)
    browser.download(scene.field.here + "/report", "report.bin", overwrite=True)
    with browser.events(events.DownloadProgress) as told:
        browser.click(_ref(browser, "Report"))
        while (news := told.get(60)) is not None and news.download.status == "in_progress":
            pass
    for path in scene.folder.rglob("*"):
        if path.is_file():
            path.unlink()


def hangs(scene: Scene) -> None:
    browser = _shop(scene)
    for call in (
        lambda: browser.evaluate(LOOP, timeout_ms=SHORT_MS),
        lambda: browser.evaluate(NEVER, timeout_ms=SHORT_MS),
        lambda: browser.click(_ref(browser, "Hang"), timeout_ms=2 * SHORT_MS),
        lambda: browser.goto(scene.field.here + "/silent", timeout_ms=SHORT_MS),
    ):
        _fails("budget_exceeded", call)
    budget = Budget(LONG_MS)
    timer = threading.Timer(SHORT_MS / 1000, budget.cancel)
    timer.start()
    _fails("cancelled", lambda: browser.evaluate(LOOP, timeout_ms=budget))
    timer.join()


def crash(scene: Scene) -> None:
    browser = _shop(scene)
    with contextlib.suppress(TargetCrashed):
        browser.cdp("Page.crash", timeout_ms=LONG_MS)
    browser.reload(timeout_ms=LONG_MS)


def keeping(scene: Scene) -> None:
    browser = _shop(scene)
    browser.cookies("set", name="who", value="ada")
    browser.storage("set", key="who", value="ada")
    browser.load_storage_state(browser.storage_state())
    browser.emulate(locale="de-DE", color_scheme="dark")
    browser.network()
    browser.console(clear=True)
    browser.emulate(reset=True)
    browser.cookies("clear")
    browser.storage("clear")


def mistakes(scene: Scene) -> None:
    browser = _shop(scene)
    browser.click(_ref(browser, "Fail"))
    _fails("js_error", lambda: browser.evaluate("throw new Error('x')"))
    _fails("unknown_ref", lambda: browser.click("e999999999"))
    _fails("invalid_argument", lambda: browser.cdp("Page.nothing"))
    stale = _ref(browser, "Ask")
    browser.evaluate("document.querySelectorAll('button').forEach((one) => one.remove())")
    _fails("stale_ref", lambda: browser.click(stale))


def a_browser_of_its_own(scene: Scene) -> None:
    with Browser.launch(timeout_ms=LONG_MS) as own:
        own.goto(scene.field.here + "/shop", timeout_ms=LONG_MS)
        own.snapshot()


def a_browser_that_dies(scene: Scene) -> None:
    with Browser.launch(timeout_ms=LONG_MS) as own:
        opened = tabwarden.browser.opening.registry.get(own.task_id).opened
        assert opened is not None
        assert opened.launched is not None
        timer = threading.Timer(0.1, os.kill, (opened.launched.pid, signal.SIGKILL))
        timer.start()
        with contextlib.suppress(BrowserGone):
            own.evaluate(LOOP, timeout_ms=LONG_MS)
        timer.join()


def a_tab_that_is_replaced(scene: Scene) -> None:
    browser = _shop(scene)
    browser.evaluate("window.numbers = Array.from({length: 5e6}, Math.random); 0")
    with contextlib.suppress(TabwardenError):
        browser.evaluate("for (;;) numbers.slice().sort()", timeout_ms=SHORT_MS)
    _shop(scene)


USUAL: tuple[Work, ...] = (
    reading, hands, dialogs, frames, popups_and_tabs, files, hangs, crash, keeping, mistakes,
)  # fmt: skip
RARE: tuple[Work, ...] = (a_browser_of_its_own, a_browser_that_dies, a_tab_that_is_replaced)
"""One of these per round, in turn: they cost seconds of CPU."""
