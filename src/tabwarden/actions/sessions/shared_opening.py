"""A browser launch for which several calls can wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import Cancelled


class SharedOpening:
    """Opens a browser in an asyncio task. Each call waits for the asyncio task under its own
    budget.

    If a call stops waiting, the asyncio task continues for the other calls. When no call is waiting
    any more, the asyncio task is canceled and cleans up.

    Args:
        opening: opens the browser and returns it with a note.
        budget: the budget of ``opening``.
        on_end: called when the asyncio task has ended, successfully or not.
    """

    def __init__(
        self,
        opening: Coroutine[Any, Any, tuple[Browser, str]],
        budget: Budget,
        on_end: Callable[[], None],
    ) -> None:
        self.budget = budget
        self.abandoned = False
        """Whether the asyncio task was canceled. It may still be cleaning up."""
        self._waiting = 0
        self._task = asyncio.ensure_future(opening)
        self._task.add_done_callback(_seen)
        self._task.add_done_callback(lambda _: on_end())

    async def wait(self, budget: Budget, what: str) -> None:
        """Wait until the asyncio task has ended.

        Args:
            budget: the waiting call's budget.
            what: what the call is waiting for, for errors.

        Raises:
            BudgetExceeded, Cancelled: this call stopped waiting. The asyncio task continues if
                other calls are waiting for it.
        """
        self._waiting += 1
        try:
            async with budget.waiting_for(what):
                await asyncio.wait([self._task])
        finally:
            self._waiting -= 1
            if not self._waiting and not self._task.done():
                self.abandon()

    def result(self) -> tuple[Browser, str]:
        """Return the asyncio task's result or raise its error. The asyncio task must have ended.

        Raises:
            Cancelled: ``abandon`` was called.
        """
        if self._task.cancelled():
            raise Cancelled(
                "The browser was closed while it was opening.", "Call again to open one."
            )
        return self._task.result()

    def abandon(self) -> None:
        """Cancel the asyncio task, even if calls are waiting for it."""
        self.abandoned = True
        self._task.cancel()

    async def ended(self) -> None:
        """Wait until the asyncio task has ended, including its cleanup."""
        await asyncio.wait([self._task])


def _seen(task: asyncio.Task[Any]) -> None:
    """Retrieve the asyncio task's error. If nobody retrieved it, asyncio would log it when no call
    is waiting any more."""
    if not task.cancelled():
        task.exception()
