"""SharedOpening: a browser that is being opened, for as long as any call waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import Cancelled

__all__ = ["SharedOpening"]


class SharedOpening:
    """Opens a browser in a task of its own; each call waits under its own budget.

    A call that gives up leaves the opening to the others. When the last one has left it is
    cancelled, and ends when nothing of it is left.

    Args:
        opening: opens the browser and says what there is to say about it.
        budget: what the opening itself has.
        on_end: called when it is over, however that came.
    """

    def __init__(
        self,
        opening: Coroutine[Any, Any, tuple[Browser, str]],
        budget: Budget,
        on_end: Callable[[], None],
    ) -> None:
        self.budget = budget
        self.abandoned = False
        """Nobody waits for it any more; what there is of it is being cleared away."""
        self._waiting = 0
        self._task = asyncio.ensure_future(opening)
        self._task.add_done_callback(_seen)
        self._task.add_done_callback(lambda _: on_end())

    async def wait(self, budget: Budget, what: str) -> None:
        """Wait until it is over.

        Args:
            budget: the waiting call's.
            what: how an error names it.

        Raises:
            BudgetExceeded, Cancelled: it goes on if others wait for it.
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
        """What came of it, once it is over; raises what it failed with.

        Raises:
            Cancelled: it was given up.
        """
        if self._task.cancelled():
            raise Cancelled(
                "The browser was closed while it was being opened.", "Call again to open one."
            )
        return self._task.result()

    def abandon(self) -> None:
        """Give it up, whoever waits."""
        self.abandoned = True
        self._task.cancel()

    async def ended(self) -> None:
        """Wait until it is over and nothing of it is left, if it was given up."""
        await asyncio.wait([self._task])


def _seen(task: asyncio.Task[Any]) -> None:
    """An opening that failed when nobody waited any more is no lost error."""
    if not task.cancelled():
        task.exception()
