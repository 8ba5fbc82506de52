"""MCP over stdin and stdout, for one host with one browser."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, cast

from mcp.server.stdio import stdio_server

from tabwarden.actions import DEFAULT_TASK, Toolset
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.live.on_demand import served_on_demand
from tabwarden.surfaces.mcp.clients import Clients, Structured
from tabwarden.surfaces.mcp.server import make_server

if TYPE_CHECKING:
    from anyio import AsyncFile

_STDIN = 0


async def _stdin_lines() -> AsyncIterator[str]:
    """Yield the lines of standard input until it closes.

    A daemon thread reads the lines, because a blocked read can be abandoned but not interrupted.
    The thread doesn't use ``sys.stdin``, because the interpreter would wait for its lock at exit.
    """
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str | None] = asyncio.Queue()

    def tell(line: str | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(lines.put_nowait, line)

    def read() -> None:
        with os.fdopen(os.dup(_STDIN), encoding="utf-8", errors="replace") as stdin:
            for line in stdin:
                tell(line)
        tell(None)

    threading.Thread(target=read, name="tabwarden-stdin", daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line


async def serve_stdio(
    config: LiveConfig, toolset: Toolset, *, structured: Structured = "none"
) -> None:
    """Serve one host on stdin and stdout until it disconnects, then close the browser."""
    clients = Clients(toolset, config, structured=structured)
    server = make_server(clients, lambda _: DEFAULT_TASK, host_is_here=True)
    clients.view.title = f"MCP, process {os.getpid()}"
    async with clients.served(), served_on_demand(clients.view):
        # The SDK only iterates over this object. Its own reader can't be stopped during a read.
        stdin = cast("AsyncFile[str]", _stdin_lines())
        async with stdio_server(stdin) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
