"""Stalled commit: notice a tab that hangs between two documents, even if no call is running.

The call that started the navigation may already be over, and the next call would spend its whole
budget waiting for a page that never appears.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from tabwarden.page.recovery import timing
from tabwarden.page.recovery.ladder import replace_between_documents
from tabwarden.page.recovery.renderer import slowed_s, until
from tabwarden.page.recovery.replace import is_held, is_navigating
from tabwarden.page.recovery.rescues import begin
from tabwarden.page.task import Task
from tabwarden.supervisor.core.state.notices import NavigationStarted, Notice
from tabwarden.supervisor.core.state.state import SupervisorState

_TIMES = 3


def watch_navigations(task: Task) -> None:
    """Watch every navigation of a task's tabs for a hang."""
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
    try:
        await _arrived_or_held(task, tab_id)
    finally:
        watched.discard(tab_id)


async def _arrived_or_held(task: Task, tab_id: str) -> None:
    """Wait until a navigation is over. Start a rescue if the tab stays between two documents."""
    times, pause_s = 0, timing.ARRIVAL_S
    while not await until(task.supervisor, lambda s: not is_navigating(s, tab_id), pause_s):
        if task.state.health.status != "live":
            return
        if task.state.dialogs_of(tab_id) or task.hangs.rescue_of(tab_id):
            times = 0
            continue
        began = time.monotonic()
        times = times + 1 if await is_held(task.supervisor, tab_id) else 0
        pause_s = slowed_s(pause_s, time.monotonic() - began)
        if times == _TIMES:
            begin(task, tab_id, lambda rescue: replace_between_documents(task, tab_id, rescue))
            return
