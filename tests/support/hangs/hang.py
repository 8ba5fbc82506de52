"""The definition of a hang: its pages, the blocked call, and the cost to the tab."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, Literal

from tabwarden.errors import BudgetExceeded
from tabwarden.sync import Browser

__all__ = [
    "LOOP",
    "Costs",
    "Hang",
    "Respond",
    "Scene",
    "Step",
    "calm_screenshot",
    "click",
    "close",
    "evaluate",
    "evaluate_in_frame",
    "evaluate_on_element",
    "goto",
    "held_up",
    "hover",
    "press",
    "raw",
    "reload",
    "screenshot",
    "snapshot",
    "type_text",
]

LOOP = "while (true) {}"

Respond = Callable[[BaseHTTPRequestHandler], None]


class Costs(enum.IntEnum):
    """The most that a tab may lose when its hang ends."""

    NOTHING = 0
    """No script of the page is stopped."""
    SCRIPT = 1
    """The running script is stopped; the page's other scripts continue."""
    SCRIPTS = 2
    """All scripts of the page are stopped; the document stays."""
    DOCUMENT = 3
    """The page is reloaded, or another tab replaces it."""


@dataclass(frozen=True)
class Scene:
    """A tab in which a hang was prepared."""

    browser: Browser
    tab_id: str
    root: str
    """The URL of the hang's pages, with a trailing slash."""
    ref: str | None = None
    """The element specified by ``Hang.aims_at``."""


Step = Callable[[Scene, float], Any]
"""One call of the public API, with its ``timeout_ms``."""


@dataclass(frozen=True, kw_only=True)
class Hang:
    """One kind of hang.

    The page ``""`` of ``pages`` is opened first, or a calm one. ``$here`` and ``$there`` in a page
    are the hang's folder on this site and on the other.
    """

    name: str
    call: Step
    """The call that the hang blocks."""
    pages: Mapping[str, str | Respond] = field(default_factory=dict)
    """Bodies by path below the hang's folder."""
    aims_at: str = ""
    """The accessible name of the element whose ref the call needs."""
    before: tuple[Step, ...] = ()
    """The calls that start the hang; they return in time."""
    ends: frozenset[str] = frozenset({"budget_exceeded"})
    """The possible outcomes of the call: an error code, ``ok`` or ``interrupted``."""
    lingers: bool = False
    """The call may return ``ok`` while the page hangs: then the next call is blocked."""
    costs: Costs = Costs.SCRIPT
    after: Step | None = None
    """The agent's next call, as the result suggested."""
    timeout_ms: float = 300.0
    bridge: Literal["auto", "native"] = "auto"
    """``browser.dialog_bridge`` of its browser."""
    restless: bool = False
    """Its documents never stay, so a snapshot may say that instead of showing one."""
    heavy: bool = False
    """It uses much memory or CPU: never run two at once."""


def evaluate(script: str) -> Step:
    return lambda scene, timeout_ms: scene.browser.evaluate(
        script, tab_id=scene.tab_id, timeout_ms=timeout_ms
    )


def evaluate_on_element(script: str) -> Step:
    """Call it with the element that the hang specifies."""
    return lambda scene, timeout_ms: scene.browser.evaluate(
        script, scene.ref, tab_id=scene.tab_id, timeout_ms=timeout_ms
    )


def evaluate_in_frame(script: str) -> Step:
    """Call it in the first frame of the page."""

    def step(scene: Scene, timeout_ms: float) -> Any:
        frame = scene.browser.state.frame_tree.children[0]
        return scene.browser.evaluate(script, frame_id=frame.frame_id, timeout_ms=timeout_ms)

    return step


def goto(path: str) -> Step:
    """Navigate to a page of the hang's own."""
    return lambda scene, timeout_ms: scene.browser.goto(
        scene.root + path, tab_id=scene.tab_id, timeout_ms=timeout_ms
    )


def raw(method: str, **params: Any) -> Step:
    return lambda scene, timeout_ms: scene.browser.cdp(
        method, params, tab_id=scene.tab_id, timeout_ms=timeout_ms
    )


def held_up(step: Step) -> Step:
    """A call that does not end in time."""

    def call(scene: Scene, timeout_ms: float) -> None:
        with contextlib.suppress(BudgetExceeded):
            step(scene, 200)

    return call


def press(key: str) -> Step:
    return lambda scene, timeout_ms: scene.browser.press(
        key, tab_id=scene.tab_id, timeout_ms=timeout_ms
    )


def click(scene: Scene, timeout_ms: float) -> Any:
    return scene.browser.click(scene.ref, tab_id=scene.tab_id, timeout_ms=timeout_ms)


def hover(scene: Scene, timeout_ms: float) -> Any:
    return scene.browser.hover(scene.ref, tab_id=scene.tab_id, timeout_ms=timeout_ms)


def type_text(scene: Scene, timeout_ms: float) -> Any:
    return scene.browser.type("text", scene.ref, tab_id=scene.tab_id, timeout_ms=timeout_ms)


def reload(scene: Scene, timeout_ms: float) -> Any:
    return scene.browser.reload(tab_id=scene.tab_id, timeout_ms=timeout_ms)


def close(scene: Scene, timeout_ms: float) -> Any:
    return scene.browser.tabs("close", tab_id=scene.tab_id, timeout_ms=timeout_ms)


def snapshot(scene: Scene, timeout_ms: float) -> Any:
    return scene.browser.snapshot(tab_id=scene.tab_id, timeout_ms=timeout_ms)


def screenshot(scene: Scene, timeout_ms: float) -> Any:
    return scene.browser.screenshot(tab_id=scene.tab_id, timeout_ms=timeout_ms)


def calm_screenshot(scene: Scene, timeout_ms: float) -> Any:
    """Open an unrelated page in another tab; the second call must work."""
    other = scene.browser.tabs("open", url=scene.root + "calm", timeout_ms=timeout_ms).tab_id
    with contextlib.suppress(BudgetExceeded):
        return scene.browser.screenshot(tab_id=other, timeout_ms=timeout_ms / 3)
    return scene.browser.screenshot(tab_id=other, timeout_ms=timeout_ms)
