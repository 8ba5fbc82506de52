"""The number of concurrent requests per caller."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from tabwarden.surfaces.guard.middleware import Crowding
from tabwarden.surfaces.guard.principal import OPERATOR, Principal, admit

pytestmark = pytest.mark.anyio

TENANT = msgspec.structs.replace(OPERATOR, name="acme-1", tenant="acme")


class Server:
    """Requests that run until ``end``."""

    def __init__(self, at_most: int) -> None:
        self._end = asyncio.Event()
        self.app = Crowding(self._run, lambda: at_most, lambda *_, **__: PlainTextResponse("full"))
        self.running = 0

    async def _run(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.running += 1
        await self._end.wait()

    async def ask(self, principal: Principal | None) -> list[Message]:
        """Send a request; return the server's immediate response."""
        scope: dict[str, Any] = {"type": "http"}
        if principal is not None:
            admit(scope, principal, lambda: True)
        answered: list[Message] = []

        async def send(message: Message) -> None:
            answered.append(message)

        asyncio.ensure_future(self.app(scope, asyncio.Event().wait, send))  # type: ignore[arg-type]  # noqa: RUF006
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return answered


@pytest.mark.threat
async def test_tenants_and_unauthenticated_clients_cannot_use_up_the_operators_request_slots() -> (
    None
):
    server = Server(at_most=16)
    for _ in range(30):
        assert await server.ask(None) == []  # strangers have a limit of their own: Connection
    for _ in range(30):
        await server.ask(TENANT)
    assert server.running == 30 + 14
    assert await server.ask(TENANT) != []
    assert await server.ask(OPERATOR) == []
    assert await server.ask(OPERATOR) == []
    assert await server.ask(OPERATOR) != []


async def test_server_with_one_request_slot_reserves_no_slot() -> None:
    server = Server(at_most=1)
    assert await server.ask(TENANT) == []
    assert await server.ask(OPERATOR) != []
