"""CallQueue: a queue that runs the calls of one reply in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.budget import Budget


class CallQueue:
    """Runs one call at a time, in the order of arrival.

    Frameworks run the calls of one reply concurrently, but a click must run before the typing that
    follows it. Use a queue only on the event loop of its first call.
    """

    def __init__(self) -> None:
        self._last: asyncio.Future[None] | None = None

    @asynccontextmanager
    async def turn(self, budget: Budget) -> AsyncIterator[None]:
        """Wait, within this call's budget, until the earlier calls have ended.

        The next call runs after the block.

        Raises:
            BudgetExceeded, Cancelled: the earlier calls took too long. Later calls still wait for
                these calls.
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
