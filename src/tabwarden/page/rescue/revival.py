"""Revival: after a crash, the page is loaded again."""

from __future__ import annotations

import time
from collections.abc import Coroutine
from typing import Any

from tabwarden.page.rescue.probe import sessions_of, silent, stop_scripts
from tabwarden.page.rescue.renderer import is_parsed, until
from tabwarden.page.rescue.renewal import is_ready, replaced
from tabwarden.page.rescue.story import LOST, Rescue
from tabwarden.page.task import Task
from tabwarden.protocol import page
from tabwarden.supervisor import CDPSupervisor, SupervisorState

__all__ = ["revived"]

_REVIVE_MS = 2_000.0
_PROBE_MS = 50.0
_CRASHES = 3
_CRASHES_S = 30.0
"""So many crashes within so many seconds: the page is not loaded again."""


def revived(task: Task, tab_id: str, rescue: Rescue) -> Coroutine[Any, Any, None]:
    """A dead renderer's page comes back with a navigation of its session (FINDINGS 4).

    By its URL, not by a reload, which would post a form once more.
    """
    rescue.renews()
    tab = task.state.tabs[tab_id]
    now = time.monotonic()
    crashes = [at for at in task.crashes.get(tab_id, ()) if at > now - _CRASHES_S] + [now]
    task.crashes[tab_id] = crashes
    task.front_target = None
    again = len(crashes) < _CRASHES and is_parsed(task.state, tab_id)
    url = tab.url if again else "about:blank"
    task.supervisor.send(page.Navigate(url=url), tab.session_id)
    rescue.did(f"Page.navigate: {'its last URL' if again else url}")
    words = "The page is being loaded again at its last URL. Take a snapshot."
    if not again:
        how = "while it was loading" if len(crashes) < _CRASHES else f"{len(crashes)} times"
        words = f"It crashed {how}, so the tab stands on {url} now. Navigate somewhere else."
    rescue.ended("reviving", words, LOST)
    return _until_alive(task.supervisor, tab_id, rescue)


async def _until_alive(supervisor: CDPSupervisor, tab_id: str, rescue: Rescue) -> None:
    def alive(state: SupervisorState) -> bool:
        tab = state.tabs.get(tab_id)
        if tab is None or (tab.status == "ready" and is_parsed(state, tab_id)):
            return True
        return bool(state.dialogs_of(tab_id))  # a page that asks as it loads lives

    if not await until(supervisor, alive, _REVIVE_MS):
        await _helped(supervisor, tab_id, rescue)
    rescue.state = "revived"


async def _helped(supervisor: CDPSupervisor, tab_id: str, rescue: Rescue) -> None:
    """A page that hangs where it crashed is stopped; a tab that stays dead is replaced."""
    if not is_ready(supervisor.state, tab_id):
        rescue.did("Target.createTarget")
        await replaced(supervisor, supervisor.state.tabs[tab_id])
    elif hung := await silent(supervisor, sessions_of(supervisor.state, tab_id), _PROBE_MS):
        rescue.did("Runtime.terminateExecution")
        stop_scripts(supervisor, hung)
