"""The stage: serves the hang corpus, starts one hang in a tab, and records its call's outcome."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from support.hangs.hang import Hang, Scene, Step, evaluate
from support.site import Site
from tabwarden.config import BrowserConfig
from tabwarden.errors import TabwardenError
from tabwarden.sync import Browser

__all__ = ["CALM_MS", "LINGER", "Ended", "Stage", "prepare", "serve_hangs", "trial"]

CALM_MS = 10_000.0
"""For pages that do not hang; heavy ones take some time."""
MARK = "window.mark = 'kept'; window.ticks = 0; setInterval(() => { window.ticks++ }, 5); 0"
LINGER = evaluate("new Promise((on) => setTimeout(on, 100, 1))")
"""The time in which delayed effects start."""


class Stage:
    """One browser per bridge, replaced after a failure."""

    def __init__(self, patience: float = 1.0) -> None:
        self._open: dict[str, Browser] = {}
        self._patience = patience

    def calm(self, bridge: str) -> Browser:
        """A browser with one fresh tab."""
        browser = self._open.get(bridge)
        if browser is None:
            config = BrowserConfig(dialog_bridge=bridge, hang_patience=self._patience)  # type: ignore[arg-type]
            browser = self._open[bridge] = Browser.launch(config=config)
            return browser
        before = browser.state
        browser.tabs("open")
        for tab in before.tabs:
            if browser.tabs("close", tab_id=tab.tab_id).interrupted:
                browser.dialog("accept")
        return browser

    def spoilt(self, bridge: str) -> None:
        """Do not use this browser for the next hang."""
        browser = self._open.pop(bridge, None)
        if browser is not None:
            browser.close()

    def close(self) -> None:
        """Close all browsers."""
        for browser in self._open.values():
            browser.close()


@dataclass(frozen=True)
class Ended:
    """The outcome of a call."""

    how: str
    """``ok``, ``interrupted``, or the error's code."""
    took_ms: float
    over_ms: float
    """How long after its deadline the call ended; below 0 if before it."""
    error: TabwardenError | None = None
    value: Any = None


def serve_hangs(site: Site, hangs: Iterable[Hang]) -> None:
    """Serve the pages of all hangs, each in a folder with its name, and one calm page."""
    site.page("/calm", "<script>window.ran = true</script>calm")
    for hang in hangs:
        for path, page in {"calm": "calm", **hang.pages}.items():
            where = f"/{hang.name}/{path}"
            if callable(page):
                site.pages[where] = page
                continue
            body = page.replace("$here", f"{site.here}/{hang.name}")
            site.page(where, body.replace("$there", f"{site.there}/{hang.name}"), title=hang.name)


def prepare(browser: Browser, hang: Hang, here: str) -> Scene:
    """Start a hang in the active tab; ``here`` is the site that serves the corpus."""
    tab_id = browser.state.active_tab_id
    assert tab_id is not None
    root = f"{here}/{hang.name}/"
    browser.goto(root if "" in hang.pages else root + "calm", timeout_ms=CALM_MS)
    browser.evaluate(MARK, timeout_ms=CALM_MS)
    ref = browser.snapshot(timeout_ms=CALM_MS).ref(hang.aims_at) if hang.aims_at else None
    scene = Scene(browser, tab_id, root, ref)
    for step in hang.before:
        step(scene, CALM_MS)
    return scene


def trial(step: Step, scene: Scene, timeout_ms: float) -> Ended:
    """Run one call and record its outcome."""
    began = time.monotonic()
    how, error, value = "ok", None, None
    try:
        value = step(scene, timeout_ms)
        how = getattr(value, "status", "ok")
    except TabwardenError as caught:
        how, error = caught.code, caught
    took_ms = (time.monotonic() - began) * 1000
    return Ended(how, took_ms, took_ms - timeout_ms, error, value)
