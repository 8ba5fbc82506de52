"""Held: a tab that hangs between two documents is noticed while it is on its way, by nobody's call.

The call that set the navigation off may be over by then, and the next one would wait its whole
budget for a page that never comes.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from tabwarden.page.rescue.renderer import slowed_ms, until
from tabwarden.page.rescue.renewal import is_held, is_navigating, replaced_on_its_way
from tabwarden.page.rescue.rescues import begin
from tabwarden.page.task import Task
from tabwarden.supervisor import SupervisorState
from tabwarden.supervisor.notices import NavigationStarted, Notice

__all__ = ["watch_navigations"]

_PAUSE_MS = 500.0
"""A document comes in within milliseconds of being ready to."""
_TIMES = 3


def watch_navigations(task: Task) -> None:
    """Have every tab of a task watched while it is on its way to another document."""
    watched: set[str] = set()

    def noticed(notices: Iterable[Notice], state: SupervisorState) -> None:
        for one in notices:
            if not isinstance(one, NavigationStarted) or one.tab_id in watched:
                continue
            if one.frame_id == state.top_frame_id(one.tab_id):
                tab_id = one.tab_id
                watched.add(tab_id)
                task.supervisor.spawn(_watch(task, tab_id, watched))

    task.supervisor.observe(noticed)


async def _watch(task: Task, tab_id: str, watched: set[str]) -> None:
    """Watch one tab until it has arrived."""
    try:
        await _arrived_or_held(task, tab_id)
    finally:
        watched.discard(tab_id)


async def _arrived_or_held(task: Task, tab_id: str) -> None:
    """Until a navigation is over; begins the rescue of a tab that stays between two documents."""
    times, pause_ms = 0, _PAUSE_MS
    while not await until(task.supervisor, lambda s: not is_navigating(s, tab_id), pause_ms):
        if task.state.health.status != "live":
            return
        if task.state.dialogs_of(tab_id) or tab_id in task.rescues:
            times = 0
            continue
        began = time.monotonic()
        times = times + 1 if await is_held(task.supervisor, tab_id) else 0
        pause_ms = slowed_ms(pause_ms, (time.monotonic() - began) * 1000)
        if times == _TIMES:
            begin(task, tab_id, lambda rescue: replaced_on_its_way(task, tab_id, rescue))
            return
