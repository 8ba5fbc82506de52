"""Disconnected subscribers delay nothing and are removed."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import pytest
from mcp.server.connection import Connection
from mcp.server.session import ServerSession
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher
from mcp.shared.message import SessionMessage

from tabwarden.surfaces.mcp.subscribers import Subscribers

URI = "tabwarden://state"


class Wire:
    """A connection as the SDK creates it, and its peer."""

    def __init__(self, room: float) -> None:
        self._in, incoming = anyio.create_memory_object_stream[Any](0)
        outgoing, self.other_end = anyio.create_memory_object_stream[SessionMessage](room)
        self._dispatcher: Any = JSONRPCDispatcher(incoming, outgoing)
        self.session = ServerSession(self._dispatcher, Connection.for_loop(self._dispatcher))
        self._ends = (self._in, incoming, outgoing, self.other_end)

    def told(self) -> list[str]:
        count = self.other_end.statistics().current_buffer_used
        return [self.other_end.receive_nowait().message.method for _ in range(count)]

    def close(self) -> None:
        for end in self._ends:
            end.close()


def test_clients_get_list_changes_and_only_subscribed_resource_updates() -> None:
    async def run() -> None:
        subscribers, one, two = Subscribers(), Wire(10), Wire(10)
        subscribers.connected("one", one.session)
        subscribers.connected("two", two.session)
        subscribers.subscribe("two", URI)
        await subscribers.tell("state")
        await subscribers.tell("tools")
        assert one.told() == ["notifications/tools/list_changed"]
        assert two.told() == ["notifications/resources/updated", "notifications/tools/list_changed"]
        subscribers.unsubscribe("two", URI)
        subscribers.left("one")
        await subscribers.tell("state")
        await subscribers.tell("tools")
        assert one.told() == []
        assert two.told() == ["notifications/tools/list_changed"]
        one.close()
        two.close()

    asyncio.run(run())


@pytest.mark.parametrize("how", ["stalled", "closed"])
def test_dead_mcp_connection_does_not_delay_other_clients(how: str) -> None:
    async def run() -> None:
        subscribers, dead, alive = Subscribers(patience_s=0.05), Wire(0), Wire(10)
        subscribers.connected("dead", dead.session)
        subscribers.connected("alive", alive.session)
        if how == "closed":
            dead.other_end.close()
        await subscribers.tell("tools")
        assert alive.told() == ["notifications/tools/list_changed"]
        if how == "stalled":
            # There is not even another attempt, which would block here.
            await subscribers.tell("tools")
            with pytest.raises(anyio.WouldBlock):
                dead.other_end.receive_nowait()
        dead.close()
        alive.close()

    asyncio.run(run())
