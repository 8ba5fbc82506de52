"""Format the page's state as text: the state line, the outline, and where to click."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from tabwarden import Browser
from tabwarden.actions import Session, dispatch
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import NotOpen, TabwardenError
from tabwarden.page.call import value_without_page
from tabwarden.page.scripts.cdp import cdp, send
from tabwarden.page.scripts.cdp_limits import Limits
from tabwarden.page.task import CARDS, Task

_STATE_MS = 5_000
"""How long a model call may wait for a page's state. For a hung page, the text is only the state
line."""
_MOST_PLACES = 150
"""The maximum number of elements with coordinates. Further elements have only a ref, which keeps
the text short and fast to build.
"""


async def state_text(config: BrowserConfig, session: Session) -> str:
    """Return the text for the model's next turn; "" if no browser is open. Never raises.

    The outline is between page marks, and includes news (dialogs, tabs, downloads). ``Centers``
    lists the elements' centers in CSS pixels in the viewport, for the actions that accept x and y.
    An element in an out-of-process frame has only a ref. If the browser doesn't support CDP, every
    element has only a ref.
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
    apart = _frames_apart(seen["frame_tree"])
    near = [(ref, one) for ref, one in seen["refs"].items() if one["frame_id"] not in apart]
    near = near[:_MOST_PLACES]
    try:
        task = browser.inside.task
    except NotOpen:
        return []
    # The model needs no permission for raw CDP here, because we choose the command.
    limits = Limits(upload_dirs=(), allow_file_urls=False, allow_scripts=False, here=False)
    entries = [entry for _, entry in near]
    centers = await browser.inside.engine.run_async(_centers_of(task, limits, entries))
    return [f"{ref} {at}" for (ref, _), at in zip(near, centers, strict=True) if at]


def _frames_apart(tree: Mapping[str, Any]) -> set[str]:
    """Return the frames whose coordinates are not relative to the tab's viewport."""
    apart: set[str] = set()
    for frame in tree.get("children", ()):  # parents come first
        if frame["is_oopif"] or frame["parent_frame_id"] in apart:
            apart.add(frame["frame_id"])
    return apart


async def _centers_of(
    task: Task, limits: Limits, entries: Sequence[Mapping[str, Any]]
) -> list[str]:
    return await asyncio.gather(*(_center(task, limits, entry) for entry in entries))


async def _center(task: Task, limits: Limits, entry: Mapping[str, Any]) -> str:
    """Return ``(x, y)``; "" if the element no longer exists or is not rendered."""
    params = {"backendNodeId": entry["backendDOMNodeId"]}
    body = partial(send, method="DOM.getContentQuads", params=params, limits=limits)
    try:
        _, result = await value_without_page(task, CARDS[cdp], Budget(_STATE_MS), body)
    except TabwardenError:
        return ""
    quads = result.get("quads") or []
    if not quads:
        return ""
    x, y = (sum(quads[0][at::2]) / 4 for at in (0, 1))
    return f"({x:.0f}, {y:.0f})"
