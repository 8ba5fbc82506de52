"""Turns: calls that wait for those before them, as a model means the calls of one reply."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.budget import Budget

__all__ = ["Turns"]


class Turns:
    """One call at a time, in the order in which they come.

    Frameworks run the calls of one reply side by side, though a click and what is typed after it
    are meant in that order. Belongs to one event loop, of its first call.
    """

    def __init__(self) -> None:
        self._last: asyncio.Future[None] | None = None

    @asynccontextmanager
    async def turn(self, budget: Budget) -> AsyncIterator[None]:
        """Wait for the calls before this one, under its own budget; its turn ends with the block.

        Raises:
            BudgetExceeded, Cancelled: they took too long; those after it go on waiting for them.
        """
        before = self._last
        mine = self._last = asyncio.get_running_loop().create_future()
        try:
            if before is not None and not before.done():
                async with budget.waiting_for("the calls before it"):
                    await asyncio.wait([before])
            yield
        finally:
            if before is None or before.done():
                mine.set_result(None)
            else:
                before.add_done_callback(lambda _: mine.set_result(None))
