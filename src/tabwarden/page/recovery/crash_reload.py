"""Crash reload: load a crashed page again."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from tabwarden.page.recovery import timing
from tabwarden.page.recovery.outcomes import LOST
from tabwarden.page.recovery.probe import find_silent, sessions_of, stop_scripts
from tabwarden.page.recovery.renderer import is_parsed, until
from tabwarden.page.recovery.replace import is_ready, replace_tab
from tabwarden.page.task import Rescue, Task
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import CDPSupervisor

_CRASHES = 3
"""After this many crashes within ``timing.CRASHES_S``, we do not load the page again."""


def reload_crashed(task: Task, tab_id: str, rescue: Rescue) -> Coroutine[Any, Any, None]:
    """Load a crashed page again: a navigation starts a new renderer (docs/facts.md, "What a
    crash looks like").

    Navigate to the page's URL instead of reloading, because a reload could submit a form again.
    """
    rescue.renews()
    tab = task.state.tabs[tab_id]
    crashes = task.hangs.crashed(tab_id, timing.CRASHES_S)
    task.front_target = None
    may_reload = crashes < _CRASHES and is_parsed(task.state, tab_id)
    url = tab.url if may_reload else "about:blank"
    task.supervisor.send(page.Navigate(url=url), tab.session_id)
    rescue.did(f"Page.navigate: {'its last URL' if may_reload else url}")
    hint = "The page is reloading at its last URL. Take a snapshot."
    if not may_reload:
        cause = "while it was loading" if crashes < _CRASHES else f"{crashes} times"
        hint = f"It crashed {cause}, so the tab now shows {url}. Navigate somewhere else."
    rescue.ended("reviving", hint, LOST)
    return _until_alive(task.supervisor, tab_id, rescue)


async def _until_alive(supervisor: CDPSupervisor, tab_id: str, rescue: Rescue) -> None:
    def alive(state: SupervisorState) -> bool:
        tab = state.tabs.get(tab_id)
        if tab is None or (tab.status == "ready" and is_parsed(state, tab_id)):
            return True
        return bool(state.dialogs_of(tab_id))  # a page that opens a dialog while it loads is alive

    if not await until(supervisor, alive, timing.REVIVE_S):
        await _free_or_replace(supervisor, tab_id, rescue)
    rescue.state = "revived"


async def _free_or_replace(supervisor: CDPSupervisor, tab_id: str, rescue: Rescue) -> None:
    """If the reloaded page hangs, stop its script. If the tab is still crashed, replace it."""
    if not is_ready(supervisor.state, tab_id):
        rescue.did("Target.createTarget")
        await replace_tab(supervisor, supervisor.state.tabs[tab_id])
    elif hung := await find_silent(
        supervisor, sessions_of(supervisor.state, tab_id), timing.REVIVED_PROBE_S
    ):
        rescue.did("Runtime.terminateExecution")
        stop_scripts(supervisor, hung)
