"""Subscribers: the connections and streams on which a client receives notifications."""

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
    ToolsListChanged,
)
from mcp.shared.subscriptions import event_to_notification

from tabwarden.surfaces.mcp.state import SCREENSHOT, STATE, Change

_EVENTS: dict[Change, ServerEvent] = {
    "tools": ToolsListChanged(),
    "state": ResourceUpdated(STATE),
    "screenshot": ResourceUpdated(SCREENSHOT),
}

NOTIFY_S = 5.0
"""How long a client may take to read a notification."""

log = logging.getLogger("tabwarden.mcp")


class Subscribers:
    """The connections and streams of one client. The protocol version decides how they are
    notified. Each connection that started with a handshake receives notifications. Since
    2026-07-28, a client requests a stream of notifications instead (``subscriptions/listen``). A
    connection that takes longer than ``patience_s`` to read a notification gets no more.
    """

    def __init__(self, patience_s: float = NOTIFY_S) -> None:
        self._patience_s = patience_s
        self._bus = InMemorySubscriptionBus()
        self._connections: dict[str, ServerSession] = {}
        self._wanted: dict[str, set[str]] = {}
        self.listen = ListenHandler(self._bus)
        """Serves ``subscriptions/listen``."""

    def connected(self, connection: str, session: ServerSession) -> None:
        """After a handshake: notify this connection when the list of tools changes."""
        self._connections[connection] = session

    def subscribe(self, connection: str, uri: str) -> None:
        """Notify a connection of a resource's changes."""
        self._wanted.setdefault(connection, set()).add(uri)

    def unsubscribe(self, connection: str, uri: str) -> None:
        """Stop notifying a connection of a resource's changes."""
        self._wanted.get(connection, set()).discard(uri)

    def left(self, connection: str) -> None:
        """Forget a closed connection."""
        self._connections.pop(connection, None)
        self._wanted.pop(connection, None)

    async def tell(self, change: Change) -> None:
        """Notify all subscribers of a change."""
        event = _EVENTS[change]
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
            log.info("a subscriber's connection is closed, so it gets no more updates")
            self.left(connection)

    def close(self) -> None:
        """End the streams normally, without an error."""
        self.listen.close()
