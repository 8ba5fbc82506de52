"""Audience: who is told of changes on one client's side, in the way of its era of the protocol.

Connections that began with a handshake are sent notifications; since 2026-07-28 a client asks for a
stream of them (``subscriptions/listen``).
"""

from __future__ import annotations

import asyncio
import logging

import anyio
from mcp.server.session import ServerSession
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    ResourceUpdated,
    ServerEvent,
)
from mcp.shared.subscriptions import event_to_notification

__all__ = ["Audience"]

log = logging.getLogger("tabwarden.mcp")

_PATIENCE_S = 5.0


class Audience:
    """The connections and streams of one client.

    Args:
        patience_s: seconds that a connection may take over what it is told; then it is told no
            more.
    """

    def __init__(self, patience_s: float = _PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._bus = InMemorySubscriptionBus()
        self._connections: dict[str, ServerSession] = {}
        self._wanted: dict[str, set[str]] = {}
        self.listen = ListenHandler(self._bus)
        """Serves ``subscriptions/listen``."""

    def connected(self, connection: str, session: ServerSession) -> None:
        """A handshake is over: this connection is told when tools come or go."""
        self._connections[connection] = session

    def subscribe(self, connection: str, uri: str) -> None:
        """Tell a connection of changes of a resource."""
        self._wanted.setdefault(connection, set()).add(uri)

    def unsubscribe(self, connection: str, uri: str) -> None:
        """No longer."""
        self._wanted.get(connection, set()).discard(uri)

    def left(self, connection: str) -> None:
        """A connection is over."""
        self._connections.pop(connection, None)
        self._wanted.pop(connection, None)

    async def tell(self, event: ServerEvent) -> None:
        """Tell all who want to hear of it."""
        await self._bus.publish(event)
        for connection, session in list(self._connections.items()):
            wanted = self._wanted.get(connection, set())
            if not isinstance(event, ResourceUpdated) or event.uri in wanted:
                await self._tell_one(connection, session, event)

    async def _tell_one(self, connection: str, session: ServerSession, event: ServerEvent) -> None:
        try:
            async with asyncio.timeout(self._patience_s):
                await session.send_notification(event_to_notification(event, {}))
        except (TimeoutError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            log.info("a connection does not listen any more, and is told no more")
            self.left(connection)

    def close(self) -> None:
        """End the streams; their clients are told that it was meant."""
        self.listen.close()
