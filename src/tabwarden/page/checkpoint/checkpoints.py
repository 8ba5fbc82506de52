"""Checkpoints: save a task's cookies, storage and tabs, and restore them in a new browser."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.call import open_if_none, open_tab, wait_until_ready
from tabwarden.page.storage import state_format, storage_state
from tabwarden.page.task import Call, Task
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.inputs import ActivateTab
from tabwarden.supervisor.core.state.notices import EndpointLost, EndpointRegained, Notice
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import Race

_TAKE_MS = 5_000.0
"""A checkpoint that takes longer is skipped, because the page or the computer is busy."""
_RESTORE_MS = 10_000.0
"""How long it may take to set a checkpoint's cookies and storage in a new browser."""
log = logging.getLogger("tabwarden.checkpoint")


class Checkpoint(msgspec.Struct, frozen=True):
    """The state of a task's browser at one time. It contains logins, so never write it to a log."""

    storage: dict[str, Any]
    """Cookies and web storage, in the format of ``storage_state``."""
    urls: tuple[str, ...]
    """The URLs of the tabs, oldest first."""
    active: int
    """The index of the active tab."""

    def __repr__(self) -> str:
        return f"Checkpoint({len(self.urls)} tabs)"


async def take(task: Task, budget: Budget) -> Checkpoint:
    """Return a checkpoint of the task's browser.

    Raises:
        TabwardenError: the browser did not respond in time, or it has no tab.
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
    """Restore a checkpoint in the task's new browser. Return a sentence for the agent.

    The tabs begin to load, but this function does not wait for them.
    """
    await open_if_none(task, budget)
    first = task.tab().tab_id
    with Race(task.supervisor, budget) as race:
        tab = await wait_until_ready(task, race, first, revives=False)
        call = Call(task, race, tab, storage_state.STORAGE_STATE)
        result = await storage_state.load(call, state_format.checked_state(checkpoint.storage))
        tab_ids = []
        for number, url in enumerate(checkpoint.urls):
            tab_id = first if number == 0 else await open_tab(task, race)
            tab_ids.append(tab_id)
            race.start(page.Navigate(url=url), task.tab(tab_id).session_id)
        if tab_ids:
            task.supervisor.feed(ActivateTab(tab_ids[min(checkpoint.active, len(tab_ids) - 1)]))
    return (
        f"The new browser has {result.value['cookies']} cookies, the storage of "
        f"{len(result.value['origins'])} sites and {len(tab_ids)} tabs from the last checkpoint. "
        "The tabs are reloaded from their URLs. The state of their pages, such as typed text, is "
        "lost."
    )


class Checkpoints:
    """The checkpoints of one task. Use them on the engine's event loop.

    Args:
        every_s: seconds between two checkpoints of a browser whose state changes; 0 to take one
            only before a planned move.
    """

    def __init__(self, task: Task, every_s: float) -> None:
        self.last: Checkpoint | None = None
        self._task = task
        self._every_s = every_s
        self._restoring: asyncio.Future[str] | None = None
        self._ready = asyncio.Event()
        """Set while the state is being restored in a new browser."""
        task.checkpoints = self
        task.supervisor.observe(self._on_notices)
        if every_s:
            task.supervisor.spawn(self._take_often(every_s))

    async def take_now(self) -> None:
        """Take a checkpoint. If the browser does not respond, keep the last checkpoint."""
        try:
            self.last = await take(self._task, Budget(_TAKE_MS))
        except TabwardenError as error:
            log.info("no checkpoint of %s: %s", self._task.supervisor.task_id, error)

    async def _take_often(self, every_s: float) -> None:
        last_state = None
        while True:
            await asyncio.sleep(every_s)
            state = self._task.state
            if (
                state is last_state
                or state.health.status != "live"
                or state.replacement is not None
            ):
                continue
            await self.take_now()
            last_state = self._task.state

    def _on_notices(self, notices: tuple[Notice, ...], state: SupervisorState) -> None:
        for notice in notices:
            if isinstance(notice, EndpointLost):
                self._ready.clear()
            elif isinstance(notice, EndpointRegained) and state.replacement is not None:
                self._restoring = self._task.supervisor.spawn(self._restore())
                self._ready.set()

    async def _restore(self) -> str:
        last = self.last
        if last is None:
            return "There is no checkpoint, so the old browser's pages and login cookies are lost."
        if not self._every_s:
            self.last = None  # this checkpoint is too old for the next move
        try:
            return await restore(self._task, last, Budget(_RESTORE_MS))
        except TabwardenError as error:
            log.warning("%s: restoring failed: %s", self._task.supervisor.task_id, error)
            return f"The last checkpoint could not be restored: {error.message}"

    async def restored(self, budget: Budget) -> str:
        """Wait until the last checkpoint is restored in a new browser, and return a summary."""
        async with budget.waiting_for("the last checkpoint to be restored in the new browser"):
            await self._ready.wait()
            assert self._restoring is not None
            return await asyncio.shield(self._restoring)
