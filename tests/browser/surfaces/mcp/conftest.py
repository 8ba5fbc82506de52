"""MCP tests run on asyncio, most of them with one server that has to be started once."""

from __future__ import annotations

from typing import Any

import pytest
from browser.surfaces.mcp.host import Host, hosting


@pytest.fixture(scope="module")
async def server() -> Any:
    """`tabwarden mcp` over stdio, and the host that started it."""
    async with hosting() as host:
        yield host


@pytest.fixture
async def host(server: Host) -> Any:
    """The same, with no browser open yet."""
    yield server
    await server.raw("browser_close")
