"""Restless: a page that navigates itself all the time, brought to rest where it stands."""

from __future__ import annotations

from tabwarden.page.rescue.probe import sessions_of
from tabwarden.page.rescue.renderer import until
from tabwarden.page.rescue.story import Rescue
from tabwarden.page.rescue.timers import clear_timers
from tabwarden.page.task import Task
from tabwarden.protocol import page
from tabwarden.supervisor import SupervisorState

__all__ = ["stilled"]

_REST_MS = 60.0
_TRIES = 6


async def stilled(task: Task, tab_id: str, rescue: Rescue) -> None:
    """Stop a page's navigations, until it begins no other."""
    supervisor = task.supervisor
    rescue.did("Page.stopLoading: the page navigates itself all the time")
    for _ in range(_TRIES):
        before = supervisor.state.documents_in(tab_id)
        tab = supervisor.state.tabs.get(tab_id)
        if tab is None:
            return
        supervisor.send(page.StopLoading(), tab.session_id)

        def went_on(state: SupervisorState, before: int = before) -> bool:
            return state.documents_in(tab_id) != before

        if not await until(supervisor, went_on, _REST_MS):
            break
    await clear_timers(task, sessions_of(supervisor.state, tab_id))
    rescue.ended(
        "freed",
        "The page navigated itself again and again, and was stopped where it stood. Take a "
        "snapshot; navigate elsewhere if it is not what you want.",
        ["the page's timers"],
    )
