"""Calm: what a page would begin again by itself, taken away from our own world."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call
from tabwarden.supervisor import Race

__all__ = ["clear_timers"]

_CLEAR_MS = 60.0


async def clear_timers(task: Task, session_ids: Sequence[str]) -> None:
    """Clear the timers and animation frames of the documents that these sessions serve."""
    frames = [f.frame_id for f in task.state.frames.values() if f.session_id in session_ids]
    with Race(task.supervisor, Budget(_CLEAR_MS)) as race:
        await asyncio.gather(*(_clear(task, race, frame_id) for frame_id in frames))


async def _clear(task: Task, race: Race, frame_id: str) -> None:
    try:
        await call(race, await task.worlds.of(race, frame_id), "clearTimers")
    except (TabwardenError, WorldGone):  # what can't be reached is not calmed
        return
