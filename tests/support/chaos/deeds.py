"""An agent's actions: each deed is one or two calls, under the given budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from support.chaos.pages import PATHS
from support.chaos.world import World

__all__ = ["BUDGET_MS", "DEEDS", "Deed"]

BUDGET_MS = 1_500.0
_MAX_TABS = 4


@dataclass(frozen=True)
class Deed:
    """An action; ``call(world, draw, message)`` makes one call of the public API."""

    call: Callable[[World, float, str], Any]
    weight: float = 1.0
    budget_ms: float = BUDGET_MS
    closes: bool = False
    """It can close a tab, whose next dialog is then never reported."""
    calls: tuple[str, ...] = ("Runtime.evaluate", "Runtime.callFunctionOn")
    """Commands that it is made of, not what watching a tab is made of: a browser that never tells
    the supervisor about a tab can't be supervised."""
    tells: tuple[str, ...] = ("Debugger.*", "Page.*")
    """The events that it causes."""

    @property
    def domains(self) -> tuple[str, ...]:
        """The commands of its calls."""
        return tuple(sorted({call.partition(".")[0] for call in self.calls}))


def _goto(world: World, draw: float, message: str) -> Any:
    root = world.site.there if draw > 0.7 else world.site.here
    path = PATHS[int(draw * 100) % len(PATHS)]
    return world.browser.goto(f"{root}{path}?{message}", timeout_ms=BUDGET_MS)


def _evaluate(world: World, draw: float, message: str) -> Any:
    return world.browser.evaluate(f"document.title + {draw}", timeout_ms=BUDGET_MS)


def _promise(world: World, draw: float, message: str) -> Any:
    script = f"await new Promise((on) => setTimeout(on, {draw * 300}))"
    return world.browser.evaluate(script, timeout_ms=BUDGET_MS)


def _hang(world: World, draw: float, message: str) -> Any:
    return world.browser.evaluate("while (true) {}", timeout_ms=300)


def _ask(world: World, draw: float, message: str) -> Any:
    return world.browser.evaluate(f"ask('{message}')", timeout_ms=BUDGET_MS)


def _ask_soon(world: World, draw: float, message: str) -> Any:
    script = f"setTimeout(() => ask('{message}'), {draw * 100}); 0"
    return world.browser.evaluate(script, timeout_ms=BUDGET_MS)


def _ask_in_frame(world: World, draw: float, message: str) -> Any:
    children = world.browser.state.frame_tree.children
    frame = children[int(draw * len(children))].frame_id if children else None
    return world.browser.evaluate(f"ask('{message}')", frame_id=frame, timeout_ms=BUDGET_MS)


def _snapshot(world: World, draw: float, message: str) -> Any:
    return world.browser.snapshot(timeout_ms=BUDGET_MS)


def _click(world: World, draw: float, message: str) -> Any:
    shown = world.browser.snapshot(timeout_ms=BUDGET_MS / 2)
    name = "Count" if draw < 0.7 else "Plain"
    return world.browser.click(shown.ref(name), timeout_ms=BUDGET_MS / 2)


def _type(world: World, draw: float, message: str) -> Any:
    shown = world.browser.snapshot(timeout_ms=BUDGET_MS / 2)
    return world.browser.type(message, shown.ref("Name"), timeout_ms=BUDGET_MS / 2)


def _screenshot(world: World, draw: float, message: str) -> Any:
    return world.browser.screenshot(timeout_ms=BUDGET_MS)


def _reload(world: World, draw: float, message: str) -> Any:
    return world.browser.reload(timeout_ms=BUDGET_MS)


def _back(world: World, draw: float, message: str) -> Any:
    return world.browser.back(timeout_ms=BUDGET_MS)


def _open(world: World, draw: float, message: str) -> Any:
    if len(world.browser.state.tabs) >= _MAX_TABS:
        return _close(world, draw, message)
    url = world.site.here + "/frames" if draw > 0.5 else None
    return world.browser.tabs("open", url=url, timeout_ms=BUDGET_MS)


def _popup(world: World, draw: float, message: str) -> Any:
    if len(world.browser.state.tabs) >= _MAX_TABS:
        return _close(world, draw, message)
    return world.browser.evaluate("window.open('/plain'); 0", timeout_ms=BUDGET_MS)


def _close(world: World, draw: float, message: str) -> Any:
    tabs = world.browser.state.tabs
    if len(tabs) < 2:
        return world.browser.tabs("list", timeout_ms=BUDGET_MS)
    tab = tabs[int(draw * len(tabs))]
    return world.browser.tabs("close", tab_id=tab.tab_id, timeout_ms=BUDGET_MS)


def _switch(world: World, draw: float, message: str) -> Any:
    tabs = world.browser.state.tabs
    if not tabs:
        return world.browser.tabs("list", timeout_ms=BUDGET_MS)
    return world.browser.tabs("switch", tab_index=int(draw * len(tabs)), timeout_ms=BUDGET_MS)


def _frame(world: World, draw: float, message: str) -> Any:
    """Add, remove or navigate a frame."""
    source = (world.site.there if draw > 0.3 else world.site.here) + "/plain?" + message
    script = (
        "const old = document.querySelector('iframe');"
        f"const which = {draw};"
        "if (old && which < 0.4) old.remove();"
        f"else if (old && which < 0.7) old.src = '{source}';"
        "else { const one = document.createElement('iframe');"
        f"one.src = '{source}'; document.body.append(one) }} 0"
    )
    return world.browser.evaluate(script, timeout_ms=BUDGET_MS)


def _download(world: World, draw: float, message: str) -> Any:
    url = world.site.here + "/file"
    return world.browser.download(url, f"{message}.bin", timeout_ms=BUDGET_MS)


def _eat_memory(world: World, draw: float, message: str) -> Any:
    script = "const all = []; while (true) all.push(new Array(1e5).fill(all.length))"
    return world.browser.evaluate(script, timeout_ms=4_000)


_IN_PAGE = ("Runtime.evaluate",)
_LEAVES = ("Page.*", "Runtime.*", "Debugger.*", "Fetch.*")
_OPENS = ("Target.*", *_LEAVES)

DEEDS: dict[str, Deed] = {
    "goto": Deed(
        _goto,
        4,
        calls=("Page.navigate", "Runtime.evaluate", "Fetch.continueRequest"),
        tells=_LEAVES,
    ),
    "evaluate": Deed(_evaluate, 3),
    "promise": Deed(_promise, 2, calls=("Runtime.callFunctionOn",)),
    "hang": Deed(
        _hang,
        0.5,
        300,
        calls=("Runtime.callFunctionOn", "Runtime.evaluate", "Browser.getVersion"),
        tells=("Debugger.*",),
    ),
    "ask": Deed(_ask, 2, calls=("Runtime.callFunctionOn", "Debugger.*")),
    "ask_soon": Deed(_ask_soon, 2, calls=("Runtime.callFunctionOn", "Debugger.*")),
    "ask_in_frame": Deed(_ask_in_frame, 2, calls=("Runtime.callFunctionOn", "Debugger.*")),
    "snapshot": Deed(_snapshot, 2, calls=_IN_PAGE, tells=("Debugger.*", "Runtime.*")),
    "click": Deed(_click, 2, calls=(*_IN_PAGE, "Input.*", "DOM.*"), tells=("Debugger.*",)),
    "type": Deed(_type, 1, calls=(*_IN_PAGE, "Input.*", "DOM.*"), tells=("Debugger.*",)),
    "screenshot": Deed(
        _screenshot, 1, calls=("Page.captureScreenshot", *_IN_PAGE), tells=("Debugger.*",)
    ),
    "reload": Deed(
        _reload, 1, calls=("Page.reload", *_IN_PAGE, "Fetch.continueRequest"), tells=_LEAVES
    ),
    "back": Deed(
        _back, 1, calls=("Page.getNavigationHistory", "Page.navigateToHistoryEntry"), tells=_LEAVES
    ),
    "open": Deed(_open, 2, closes=True, calls=("Target.createTarget",), tells=_OPENS),
    "popup": Deed(_popup, 1, closes=True, tells=_OPENS),
    "close": Deed(
        _close, 2, closes=True, calls=("Page.close", *_IN_PAGE), tells=("Target.*", "Debugger.*")
    ),
    "switch": Deed(_switch, 1, calls=("Target.activateTarget",), tells=("*",)),
    "frame": Deed(_frame, 2, tells=_LEAVES),
    "download": Deed(
        _download,
        0.5,
        calls=("Page.navigate", "Fetch.*", "IO.read", "Target.createTarget"),
        tells=_OPENS,
    ),
    "eat_memory": Deed(_eat_memory, 0, 4_000),
}
