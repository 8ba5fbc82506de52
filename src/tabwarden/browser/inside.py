"""The parts of a browser that higher packages use in addition to its methods.

Higher packages access them as ``browser.inside``. Users should not, because ``inside`` may change
in any version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import NotOpen, TabwardenError
from tabwarden.events import Observable
from tabwarden.journal import Journal
from tabwarden.page import ActionResult, Task
from tabwarden.page.snapshot import Addition, show
from tabwarden.page.task import Card
from tabwarden.supervisor.runtime import engine_loop


class Inside:
    """A browser's task and journal, and the engine on whose event loop the task runs.

    Args:
        task: the task; None for a browser that Tabwarden does not supervise.
    """

    def __init__(self, task: Task | None) -> None:
        self.engine = engine_loop()
        self.open_task = task
        """None after ``close``."""
        self._closed_after = 0
        """The last ref of the task that was closed."""

    act: Callable[[Card, Mapping[str, Any]], Any]
    """Runs an action with checked arguments. The browser sets this function."""

    def close(self) -> None:
        self._closed_after = self.last_ref
        self.open_task = None

    @property
    def task(self) -> Task:
        if self.open_task is None:
            raise NotOpen(
                "This browser is closed.", "Open another browser: Browser.launch() or .connect()."
            )
        return self.open_task

    @property
    def journal(self) -> Journal:
        return self.task.journal

    @property
    def observed(self) -> Observable:
        """The source of the browser's events."""
        return self.task.supervisor

    @property
    def last_ref(self) -> int:
        return self._closed_after if self.open_task is None else self.open_task.refs.last

    async def show(self, result: ActionResult, shows: Addition, budget: Budget) -> ActionResult:
        """Add a snapshot of the action's tab to a result, as the method parameter ``snapshot``
        does."""

        async def done() -> ActionResult:
            return result

        try:
            return await self.engine.run_async(show.and_show(self.task, budget, done, shows))
        except TabwardenError as error:
            self.journal.clean(error)
            raise
