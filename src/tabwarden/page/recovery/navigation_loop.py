"""Navigation loop: stop a page from navigating over and over, and stay on it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.recovery import timing
from tabwarden.page.recovery.probe import sessions_of
from tabwarden.page.recovery.renderer import until
from tabwarden.page.task import Task
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import Race


async def clear_timers(task: Task, session_ids: Sequence[str]) -> None:
    """Clear the timers and animation frames of the documents in these sessions."""
    frames = [f.frame_id for f in task.state.frames.values() if f.session_id in session_ids]
    with Race(task.supervisor, Budget(timing.CLEAR_TIMERS_S * 1000)) as race:
        await asyncio.gather(*(_clear(task, race, frame_id) for frame_id in frames))


async def _clear(task: Task, race: Race, frame_id: str) -> None:
    try:
        await call_walker(race, await task.worlds.of(race, frame_id), "clearTimers")
    except (TabwardenError, WorldGone):  # skip a frame that can't be reached
        return


_TRIES = 6


async def stop_navigating(task: Task, tab_id: str) -> None:
    """Stop a page's navigations until the page starts no more."""
    supervisor = task.supervisor
    for _ in range(_TRIES):
        before = supervisor.state.documents_in(tab_id)
        tab = supervisor.state.tabs.get(tab_id)
        if tab is None:
            return
        supervisor.send(page.StopLoading(), tab.session_id)

        def went_on(state: SupervisorState, before: int = before) -> bool:
            return state.documents_in(tab_id) != before

        if not await until(supervisor, went_on, timing.REST_S):
            break
    await clear_timers(task, sessions_of(supervisor.state, tab_id))
