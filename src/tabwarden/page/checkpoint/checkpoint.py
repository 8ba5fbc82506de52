"""Checkpoint: take what a task's browser has, and put it into another browser."""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.page.call import open_if_none, open_tab, ready
from tabwarden.page.storage import state_format, storage_state
from tabwarden.page.task import Call, Task
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.inputs import ActivateTab
from tabwarden.supervisor.runtime import Race


class Checkpoint(msgspec.Struct, frozen=True):
    """What a task's browser had at one time. It has logins, so never write it to a log."""

    storage: dict[str, Any]
    """Cookies and web storage, as ``storage_state`` returns them."""
    urls: tuple[str, ...]
    """The tabs, oldest first."""
    active: int
    """The index of the active tab."""

    def __repr__(self) -> str:
        return f"Checkpoint({len(self.urls)} tabs)"


async def take(task: Task, budget: Budget) -> Checkpoint:
    """Return a checkpoint of the task's browser.

    Raises:
        TabwardenError: the browser did not answer in time, or it has no tab.
    """
    tab = task.tab()
    with Race(task.supervisor, budget, tab.tab_id, through_dialogs=True) as race:
        call = Call(task, race, tab, storage_state.STORAGE_STATE)
        reading = await storage_state.read(call, [], indexed_db=False)
    tabs = list(task.state.tabs.values())
    ids = [one.tab_id for one in tabs]
    active = task.state.active_tab_id
    return Checkpoint(
        reading.state, tuple(one.url for one in tabs), ids.index(active) if active in ids else 0
    )


async def restore(task: Task, checkpoint: Checkpoint, budget: Budget) -> str:
    """Put a checkpoint into the task's new browser; return one sentence for the agent.

    The tabs begin to load; this does not wait for them.
    """
    await open_if_none(task, budget)
    first = task.tab().tab_id
    with Race(task.supervisor, budget) as race:
        tab = await ready(task, race, first, revives=False)
        call = Call(task, race, tab, storage_state.STORAGE_STATE)
        done = await storage_state.load(call, state_format.checked_state(checkpoint.storage))
        opened = []
        for number, url in enumerate(checkpoint.urls):
            tab_id = first if number == 0 else await open_tab(task, race)
            opened.append(tab_id)
            race.start(page.Navigate(url=url), task.tab(tab_id).session_id)
        if opened:
            task.supervisor.feed(ActivateTab(opened[min(checkpoint.active, len(opened) - 1)]))
    return (
        f"From the last checkpoint it has {done.value['cookies']} cookies, the storage of "
        f"{len(done.value['origins'])} sites and {len(opened)} tabs, which load again by their "
        "URL. What the pages held in memory, such as typed text, is gone."
    )
