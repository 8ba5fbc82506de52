"""The clients of one server: their browser limits, and when their browsers close."""

from __future__ import annotations

from collections.abc import AsyncIterator

import anyio
import pytest

from tabwarden.actions import Answer, Limits
from tabwarden.config import BrowserConfig
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.guard.principal import OPERATOR
from tabwarden.surfaces.mcp.clients import Clients
from tabwarden.toolsets import toolset_of

pytestmark = pytest.mark.anyio

IDLE_S = 0.5


@pytest.fixture
async def clients() -> AsyncIterator[Clients]:
    fixed = LiveConfig.fixed(BrowserConfig())
    clients = Clients(toolset_of(), fixed, limits=lambda: Limits(max_tasks=1, idle_s=IDLE_S))
    async with clients.served():
        yield clients


async def call(clients: Clients, name: str, tool: str, **arguments: object) -> Answer:
    client = clients.of(name)
    with clients.busy(name):
        return await client.call(client.prepare(tool, arguments, OPERATOR), OPERATOR)


async def closed(clients: Clients, name: str) -> None:
    """Return when a client's browser is closed."""
    session, over = clients.of(name).session, anyio.Event()
    unwatch = session.watch(lambda: over.set() if session.current is None else None)
    with anyio.fail_after(60):
        while session.current is not None:
            await over.wait()
    unwatch()


async def test_idle_or_disconnected_client_frees_its_browser_slot(clients: Clients) -> None:
    opened = await call(clients, "one", "browser_navigate", url="about:blank")
    assert not opened.is_error, opened.text
    with clients.busy("one"):  # a running request keeps the client active, however long it takes
        await anyio.sleep(2 * IDLE_S)
        full = await call(clients, "two", "browser_navigate", url="about:blank")
        assert full.data["error"]["code"] == "capacity"
        assert not (await call(clients, "one", "browser_tabs")).is_error
    await closed(clients, "one")
    assert "no call arrived for" in (await call(clients, "one", "browser_snapshot")).text
    opened = await call(clients, "two", "browser_navigate", url="about:blank")
    assert not opened.is_error, opened.text
    session = clients.of("two").session
    await clients.left("two")
    assert session.current is None
