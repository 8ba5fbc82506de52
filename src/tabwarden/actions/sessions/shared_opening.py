"""SharedOpening: a browser launch that several calls can wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import Cancelled


class SharedOpening:
    """Opens a browser in a separate asyncio task. Each call waits for it under the call's own
    budget.

    If a call stops waiting, the opening continues for the other calls. When no call waits any more,
    the opening is cancelled, and ends after its cleanup.

    Args:
        opening: opens the browser and returns it with a note.
        budget: the opening's own budget.
        on_end: called when the opening has ended, successfully or not.
    """

    def __init__(
        self,
        opening: Coroutine[Any, Any, tuple[Browser, str]],
        budget: Budget,
        on_end: Callable[[], None],
    ) -> None:
        self.budget = budget
        self.abandoned = False
        """Whether the opening was cancelled. Its cleanup may still be running."""
        self._waiting = 0
        self._task = asyncio.ensure_future(opening)
        self._task.add_done_callback(_seen)
        self._task.add_done_callback(lambda _: on_end())

    async def wait(self, budget: Budget, what: str) -> None:
        """Wait until the opening has ended.

        Args:
            budget: the waiting call's budget.
            what: the name of the wait in errors.

        Raises:
            BudgetExceeded, Cancelled: the opening continues if others wait for it.
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
        """Return the result of the opening, which must have ended, or raise its error.

        Raises:
            Cancelled: the opening was abandoned.
        """
        if self._task.cancelled():
            raise Cancelled(
                "The browser was closed while it was opening.", "Call again to open one."
            )
        return self._task.result()

    def abandon(self) -> None:
        """Cancel the opening, even if calls wait for it."""
        self.abandoned = True
        self._task.cancel()

    async def ended(self) -> None:
        """Wait until the opening has ended, including its cleanup if it was abandoned."""
        await asyncio.wait([self._task])


def _seen(task: asyncio.Task[Any]) -> None:
    """Mark the error as retrieved, or asyncio would log it when no call waits any more."""
    if not task.cancelled():
        task.exception()
