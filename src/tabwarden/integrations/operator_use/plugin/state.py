"""The page's state as text: the state line, the outline, and where to click."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from tabwarden import Browser
from tabwarden.actions import Session, dispatch
from tabwarden.config import BrowserConfig
from tabwarden.errors import NotOpen, TabwardenError

_STATE_MS = 5_000
"""How long a model call may wait for a page's state. A page that hangs has only the state line."""
_MOST_PLACES = 150
"""Elements beyond this number have only a ref, which keeps the text short and quick to get."""


async def state_text(config: BrowserConfig, session: Session) -> str:
    """Return the text for the model's next turn; "" if no browser is open. Never raises.

    The outline is between page marks and has news (dialogs, tabs, downloads). ``Centers`` gives the
    middle of elements in CSS pixels of the viewport, for the actions that take x and y. An element
    in a frame of another process has only a ref, as has each element if the browser lacks CDP.
    """
    browser = session.current
    if browser is None:
        return ""
    has_cdp = session.can_do("cdp", "cdp")
    arguments = {"timeout_ms": _STATE_MS, **({"refs": "full"} if has_cdp else {})}
    seen = await dispatch(session, config, "browser_snapshot", arguments)
    parts = [browser.state_message(), seen.words]
    if has_cdp and not seen.is_error and not seen.data.get("stale"):
        centers = await _centers(browser, seen.data)
        if centers:
            parts.append(f"Centers: {'; '.join(centers)}")
    return "\n".join(parts)


async def _centers(browser: Browser, seen: Mapping[str, Any]) -> list[str]:
    try:
        # The same task with CDP: the model needs no permission for it, because we send the command.
        allowed = browser.config.model_copy(update={"cdp_enabled": True})
        browser = Browser(browser.inside.task, allowed)
    except NotOpen:
        return []
    apart = _frames_apart(seen["frame_tree"])
    near = [(ref, one) for ref, one in seen["refs"].items() if one["frame_id"] not in apart]
    near = near[:_MOST_PLACES]
    found = await asyncio.gather(*(_center(browser, one) for _, one in near))
    return [f"{ref} {at}" for (ref, _), at in zip(near, found, strict=True) if at]


def _frames_apart(tree: Mapping[str, Any]) -> set[str]:
    """Return the frames whose coordinates do not start at the tab's viewport."""
    apart: set[str] = set()
    for frame in tree.get("children", ()):  # parents come first
        if frame["is_oopif"] or frame["parent_frame_id"] in apart:
            apart.add(frame["frame_id"])
    return apart


async def _center(browser: Browser, entry: Mapping[str, Any]) -> str:
    """Return ``(x, y)``; "" if the element is gone or is not drawn."""
    try:
        told = await browser.cdp(
            "DOM.getContentQuads",
            {"backendNodeId": entry["backendDOMNodeId"]},
            timeout_ms=_STATE_MS,
        )
    except TabwardenError:
        return ""
    quads = told.value.get("quads") or []
    if not quads:
        return ""
    x, y = (sum(quads[0][at::2]) / 4 for at in (0, 1))
    return f"({x:.0f}, {y:.0f})"
