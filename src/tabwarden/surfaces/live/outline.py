"""Outline: the page as the model read it last, and where its elements are now."""

from __future__ import annotations

import asyncio
from typing import Any

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.elements import Box, boxes_in_view
from tabwarden.page.task import ActionSpec, Call, blocking_dialogs
from tabwarden.page.text import Known
from tabwarden.supervisor.runtime import Interrupted, Race
from tabwarden.surfaces.live.timing import BOXES_MS
from tabwarden.telemetry.redaction import without_login

_MOST = 3000
_LONG = 500
_LOOK = ActionSpec(name="find", acts=False, reads=True, looks=True, refreshes=False)


def outline_of(browser: Browser, tab_id: str) -> Known | None:
    """Return the last outline of a whole tab."""
    memory = browser.inside.task.memories.get(tab_id)
    return memory.outlines.get(None) if memory is not None else None


def outline_json(known: Known | None) -> dict[str, Any]:
    """Return an outline as lines, each ``[depth, text, [ref, ...]]``."""
    if known is None:
        return {"url": "", "lines": [], "left_out": 0}
    lines = known.lines
    told = [
        [lines.depths[at], lines.texts[at][:_LONG], lines.refs_at(at)]
        for at in range(min(len(lines), _MOST))
    ]
    return {"url": without_login(known.url), "lines": told, "left_out": max(0, len(lines) - _MOST)}


def _shown_refs(known: Known) -> list[int]:
    return [
        int(ref[1:])
        for at in range(min(len(known.lines), _MOST))
        for ref in known.lines.refs_at(at)
    ]


async def boxes_of(browser: Browser, tab_id: str) -> dict[str, Box]:
    """Return where the elements of the last outline are in the viewport, by ref. Empty if the page
    can't answer at once. While the agent's call runs, the page is not asked: the agent goes first.
    """
    return await browser.inside.engine.run_async(_boxes_of(browser, tab_id))


async def _boxes_of(browser: Browser, tab_id: str) -> dict[str, Box]:
    task, known = browser.inside.task, outline_of(browser, tab_id)
    if known is None or task.journal.running or blocking_dialogs(task.state, tab_id):
        return {}
    tab = task.state.tabs.get(tab_id)
    if tab is None or tab.status != "ready" or task.hangs.rescues:
        return {}
    try:
        async with asyncio.timeout(BOXES_MS / 1000):
            with Race(task.supervisor, Budget(BOXES_MS), tab_id) as race:
                return await boxes_in_view(Call(task, race, tab, _LOOK), _shown_refs(known))
    except (TimeoutError, TabwardenError, Interrupted):
        return {}
