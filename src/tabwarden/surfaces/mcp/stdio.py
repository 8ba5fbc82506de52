"""Over stdin and stdout: one host, one browser, both gone together."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from mcp.server.stdio import stdio_server

from tabwarden.actions import DEFAULT_TASK, Toolset
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.mcp.clients import Clients
from tabwarden.surfaces.mcp.server import make_server
from tabwarden.surfaces.mcp.stdin import stdin_lines

if TYPE_CHECKING:
    from anyio import AsyncFile

__all__ = ["serve_stdio"]


async def serve_stdio(config: LiveConfig, toolset: Toolset) -> None:
    """Serve one host on stdin and stdout until it hangs up; then close the browser.

    Args:
        config: what is allowed, as it is now.
        toolset: what the host's model is shown.
    """
    clients = Clients(toolset, config, at_most=1)
    server = make_server(clients, lambda _: DEFAULT_TASK)
    async with clients.served():
        # The SDK only iterates over it, and its own could not be left while a read is under way.
        stdin = cast("AsyncFile[str]", stdin_lines())
        async with stdio_server(stdin) as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
