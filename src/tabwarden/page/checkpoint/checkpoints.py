"""Checkpoints: takes a task's checkpoints while it works, and restores the last one."""

from __future__ import annotations

import asyncio
import logging

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.checkpoint.checkpoint import Checkpoint, restore, take
from tabwarden.page.checkpoint.timing import RESTORE_MS, TAKE_MS
from tabwarden.page.task import Task
from tabwarden.supervisor.core.state.notices import EndpointLost, EndpointRegained, Notice
from tabwarden.supervisor.core.state.state import SupervisorState

log = logging.getLogger("tabwarden.checkpoint")


class Checkpoints:
    """The checkpoints of one task, on the engine's loop.

    Args:
        every_s: seconds between two checkpoints of a browser whose state changes; 0 to take one
            only before a planned move.
    """

    def __init__(self, task: Task, every_s: float) -> None:
        self.last: Checkpoint | None = None
        self._task = task
        self._every_s = every_s
        self._restoring: asyncio.Future[str] | None = None
        """Set when a new browser is ready to be restored."""
        self._ready = asyncio.Event()
        task.checkpoints = self
        task.supervisor.observe(self._on_notices)
        if every_s:
            task.supervisor.spawn(self._take_often(every_s))

    async def take_now(self) -> None:
        """Take a checkpoint. If the browser does not answer, keep the last one."""
        try:
            self.last = await take(self._task, Budget(TAKE_MS))
        except TabwardenError as error:
            log.info("no checkpoint of %s: %s", self._task.supervisor.task_id, error)

    async def _take_often(self, every_s: float) -> None:
        seen = None
        while True:
            await asyncio.sleep(every_s)
            state = self._task.state
            if state is seen or state.health.status != "live" or state.replacement is not None:
                continue
            await self.take_now()
            seen = self._task.state

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
            return "There is no checkpoint, so its pages and logins are gone."
        if not self._every_s:
            self.last = None  # it would be too old for the next move
        try:
            return await restore(self._task, last, Budget(RESTORE_MS))
        except TabwardenError as error:
            log.warning("%s: restoring failed: %s", self._task.supervisor.task_id, error)
            return f"Its last checkpoint could not be restored: {error.message}"

    async def restored(self, budget: Budget) -> str:
        """Wait until a new browser has the last checkpoint, and say what it has."""
        async with budget.waiting_for("the new browser to get the last checkpoint"):
            await self._ready.wait()
            assert self._restoring is not None
            return await asyncio.shield(self._restoring)
