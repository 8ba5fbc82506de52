"""MCP tests run on asyncio, most of them with one server that each worker starts once."""

from __future__ import annotations

from typing import Any

import pytest
from browser.surfaces.mcp.host import Host, hosting


@pytest.fixture(scope="session")
async def stdio_server() -> Any:
    """`tabwarden mcp` over stdio, and the host that started it."""
    async with hosting() as host:
        yield host


@pytest.fixture
async def host(stdio_server: Host) -> Any:
    """The same, with no browser open yet."""
    yield stdio_server
    await stdio_server.raw("browser_close")
