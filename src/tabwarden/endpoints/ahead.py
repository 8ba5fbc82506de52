"""Ahead: a browser that starts while Tabwarden still imports the modules that will drive it."""

from __future__ import annotations

import asyncio

from tabwarden.budget import Budget
from tabwarden.endpoints.endpoint import Endpoint, OpenedEndpoint

END_MS = 5_000.0
"""How long to wait for the end of a browser that nobody took."""


class OpenedAhead:
    """An endpoint that opens before it has a supervisor. Use it only on one loop."""

    def __init__(self, endpoint: Endpoint, budget: Budget) -> None:
        self._opening = asyncio.ensure_future(endpoint.open(budget))
        self._is_taken = False

    async def take(self) -> OpenedEndpoint:
        """Return the endpoint when it is open. From now on, the caller ends it.

        Raises:
            EndpointUnreachable, LaunchFailed, InvalidArgument: as in ``Endpoint.open``.
        """
        self._is_taken = True
        return await self._opening

    async def drop(self) -> None:
        """End the browser if nobody took it."""
        if self._is_taken:
            return
        self._opening.cancel()
        (opened,) = await asyncio.gather(self._opening, return_exceptions=True)
        if isinstance(opened, OpenedEndpoint):
            await opened.end(Budget(END_MS))
