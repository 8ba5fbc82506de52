"""MCP tests run on asyncio; most use a server that each worker starts once."""

from __future__ import annotations

from typing import Any

import pytest
from browser.surfaces.mcp.host import Host, hosting


@pytest.fixture(scope="session")
async def stdio_server() -> Any:
    """`tabwarden mcp` over stdio, and its host."""
    async with hosting() as host:
        yield host


@pytest.fixture
async def host(stdio_server: Host) -> Any:
    """The same server, before a browser is open."""
    yield stdio_server
    await stdio_server.raw("browser_close")
