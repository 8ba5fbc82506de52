"""Settle: after an input, see whether it led somewhere, without sleeping.

One tiny round trip on the page's session brings in all that the page reported while it handled
the input; if a navigation has begun by then, it is awaited up to a bound.
"""

from __future__ import annotations

from typing import Any

from tabwarden.page.task import Task
from tabwarden.protocol import runtime
from tabwarden.supervisor import Pending, Race, SupervisorState, Tab

__all__ = ["BUSY_NOTE", "answered", "is_on_its_way", "is_settled", "settle"]

_FLUSH_MS = 250.0
_NAVIGATION_MS = 5_000.0
BUSY_NOTE = "The page is still busy with what this set off."
LOADING_NOTE = "The page that this led to is still loading."


async def settle(task: Task, race: Race, tab: Tab, *, flushed: bool = False) -> str:
    """Wait for what an input set off; a note when it goes on.

    ``flushed``: the page's session has answered something since the input.
    """
    if not flushed and not is_on_its_way(
        task.state, tab.tab_id
    ):  # else commands wait for it in the browser
        flush = race.start(runtime.Evaluate(expression="0", silent=True), tab.session_id)
        if not await answered(race, flush):
            return BUSY_NOTE
    asked = await race.until(
        lambda state: not state.is_asking(tab.tab_id), at_most_ms=_share(race, _FLUSH_MS)
    )
    if not asked:
        return BUSY_NOTE
    if not is_on_its_way(task.state, tab.tab_id):
        return ""
    arrived = await race.until(
        lambda state: not is_on_its_way(state, tab.tab_id),
        at_most_ms=_share(race, _NAVIGATION_MS),
    )
    return "" if arrived else LOADING_NOTE


def is_settled(task: Task, tab: Tab) -> bool:
    """Whether, as far as is known, an input set off nothing to wait for."""
    state = task.state
    return not state.is_asking(tab.tab_id) and not is_on_its_way(state, tab.tab_id)


async def answered(race: Race, asked: Pending[Any]) -> bool:
    """Whether the page answers within the time in which one does that is not busy."""
    return await race.answered(asked, at_most_ms=_share(race, _FLUSH_MS))


def is_on_its_way(state: SupervisorState, tab_id: str) -> bool:
    """Whether the tab's top frame is on its way to another document, or short of DOM ready."""
    frame = state.top_frame(tab_id)
    if frame is None:
        return False
    return frame.navigating or (bool(frame.lifecycle) and not frame.is_parsed)


def _share(race: Race, at_most_ms: float) -> float:
    """A bound that leaves the caller's budget time to end in its own way."""
    return min(at_most_ms, race.budget.remaining_ms() * 0.5)
