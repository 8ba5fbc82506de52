"""Calm: what a page would begin again by itself, taken away from our own world."""

from __future__ import annotations

import asyncio

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call
from tabwarden.supervisor import Race, descendants

__all__ = ["clear_timers"]

_CLEAR_MS = 60.0


async def clear_timers(task: Task, tab_id: str) -> None:
    """Clear the timers and animation frames of all documents of a tab."""
    top = task.state.top_frame_id(tab_id)
    if top is None:
        return
    frames = [top, *descendants(task.state, [top])]
    with Race(task.supervisor, Budget(_CLEAR_MS), tab_id, through_dialogs=True) as race:
        await asyncio.gather(*(_clear(task, race, frame_id) for frame_id in frames))


async def _clear(task: Task, race: Race, frame_id: str) -> None:
    try:
        await call(race, await task.worlds.of(race, frame_id), "clearTimers")
    except (TabwardenError, WorldGone):  # what can't be reached is not calmed
        return
