"""A recording: its locators in Playwright, and its file."""

from __future__ import annotations

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import FrameLocator, Locator, Page

from tabwarden.recording import Trace, write_trace
from tabwarden.recording.records import call_record
from tabwarden.sync import Browser


def in_playwright(page: Page, frames: list[str], locator: Mapping[str, Any]) -> Locator:
    """The Playwright locator for a recorded locator."""
    root: Page | FrameLocator = page
    for css in frames:
        root = root.frame_locator(css)
    match locator:
        case {"by": "role", "role": role, "name": name}:
            return root.get_by_role(role, name=name, exact=True)
        case {"by": "role", "role": role}:
            return root.get_by_role(role)
        case {"by": "label", "text": text}:
            return root.get_by_label(text, exact=True)
        case {"by": "placeholder", "text": text}:
            return root.get_by_placeholder(text, exact=True)
        case {"by": "text", "text": text}:
            return root.get_by_text(text, exact=True)
        case {"by": "test_id", "text": text}:
            return root.get_by_test_id(text)
        case {"css": css}:
            return root.locator(css.replace(" >>> ", " >> "))
    raise AssertionError(locator)


def run_in_tabwarden(script: Path, end: str) -> Any:
    """Run an exported script in a new browser; return the page's value of ``end``."""
    run = runpy.run_path(str(script))["run"]
    with Browser.launch() as browser:
        run(browser)
        return browser.evaluate(end).value


def write_recording(browser: Any, path: Path, since: int = 0) -> Path:
    """Write a task's calls after the one with this number, as its recorder does."""
    entries = browser._task.journal.entries
    calls = [call_record(one) for one in entries if one.number > since]
    about = {"task": "t", "browser": "", "platform": "", "reason": "saved"}
    times = {"began": calls[0]["began"], "ended": calls[-1]["began"]}
    write_trace(Trace.of([{"type": "recording", **about, **times}, *calls], {}), path)
    return path
