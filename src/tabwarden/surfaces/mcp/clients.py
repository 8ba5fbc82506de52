"""Clients: all that a server has, each with its own task; none sees another's tabs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from tabwarden.actions import Tasks, Toolset
from tabwarden.config import Config
from tabwarden.errors import TabwardenError
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.mcp.client import Client
from tabwarden.surfaces.opening import session_of

__all__ = ["Clients"]

log = logging.getLogger("tabwarden.mcp")

_LOOKS = 10
"""How often it is looked who is idle, in the time that one may be."""


class Clients:
    """The clients of a server, by name.

    Args:
        toolset: what their models are shown.
        config: what is allowed, as it is now.
        at_most: browsers that may be open at the same time. Where that is more than one, each has
            a context of its own in a browser that all are told to attach to.
        idle_s: seconds without a request after which a client's browser is closed; None: never.
    """

    def __init__(
        self, toolset: Toolset, config: LiveConfig, *, at_most: int, idle_s: float | None = None
    ) -> None:
        self.toolset = toolset
        self._config = config
        self._idle_s = idle_s
        # A dialect may ask that its model opens the browser itself.
        own = at_most > 1
        self._tasks = Tasks(
            lambda: session_of(config, auto_open=toolset.auto_open, own_context=own), at_most
        )
        self._clients: dict[str, Client] = {}
        self._in_flight: Counter[str] = Counter()
        self._last_used: dict[str, float] = {}

    def of(self, name: str) -> Client:
        """The client of a name; made when it is first heard of.

        Raises:
            InvalidArgument: no such name can be.
        """
        if name not in self._clients:
            self._clients[name] = Client(name, self._tasks, self.toolset, self._config)
            self._last_used[name] = time.monotonic()
        return self._clients[name]

    @contextmanager
    def busy(self, name: str) -> Iterator[None]:
        """A request of a client is served in the block: it is not idle."""
        self._in_flight[name] += 1
        try:
            yield
        finally:
            self._in_flight[name] -= 1
            if not self._in_flight[name]:
                del self._in_flight[name]
            if name in self._clients:
                self._last_used[name] = time.monotonic()

    async def left(self, name: str) -> None:
        """A client is gone, or has been idle for long: its browser is closed."""
        client = self._clients.pop(name, None)
        self._last_used.pop(name, None)
        if client is not None:
            await client.close()

    def disconnected(self, name: str, connection: str) -> None:
        """One of a client's connections is over; it may have others."""
        if name in self._clients:
            self._clients[name].audience.left(connection)

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Serve them in the block: they hear of changes; at its end all their browsers end."""
        closing = None
        if self._idle_s is not None:
            closing = asyncio.create_task(self._close_idle(self._idle_s))
        try:
            async with self._config.followed(self._configured):
                yield
        finally:
            if closing is not None:
                closing.cancel()
            self.stopping()
            await asyncio.gather(*map(self.left, list(self._clients)), return_exceptions=True)
            await self._tasks.close()

    def stopping(self) -> None:
        """The server is about to end: calls and streams end first."""
        self._tasks.cancel_calls("the server stops")
        for client in self._clients.values():
            client.audience.close()

    def _configured(self, _: Config) -> None:
        for client in list(self._clients.values()):
            client.configured()

    async def _close_idle(self, idle_s: float) -> None:
        while True:
            await asyncio.sleep(idle_s / _LOOKS)
            long_ago = time.monotonic() - idle_s
            for name, last in list(self._last_used.items()):
                if last < long_ago and name not in self._in_flight:
                    try:
                        await self.left(name)
                    except TabwardenError as error:
                        log.warning("an idle client's browser could not be closed: %s", error)
