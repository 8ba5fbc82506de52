"""A recording: its locators in Playwright, and the file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import FrameLocator, Locator, Page


def in_playwright(page: Page, frames: list[str], locator: Mapping[str, Any]) -> Locator:
    """The locator of Playwright that a recorded one stands for."""
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


def write_recording(browser: Any, path: Path, since: int = 0) -> Path:
    """Write the calls of a browser's task as a recording does."""
    lines = [
        {"type": "call", **{name: _plain(getattr(entry, name)) for name in FIELDS}}
        for entry in browser._task.journal.entries[since:]
    ]
    path.write_bytes(b"\n".join(map(msgspec.json.encode, lines)))
    return path


FIELDS = (
    "number action arguments began within tab_id element locators came status message url title "
    "result"
).split()


def _plain(value: Any) -> Any:
    """The value as JSON has it; what JSON has no form for, as text."""
    return msgspec.to_builtins(value, enc_hook=str, str_keys=True)
