"""MCP over stdin and stdout, for one host with one browser.

The engine comes before the SDK: until the SDK is imported, the first calls run without it.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from tabwarden.actions import DEFAULT_TASK, Toolset
from tabwarden.browser.opening_request import drop_early
from tabwarden.engine import engine_loop
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.live.on_demand import served_on_demand
from tabwarden.surfaces.mcp.calls import Structured
from tabwarden.surfaces.mcp.clients import Clients
from tabwarden.surfaces.mcp.early import EarlyCalls
from tabwarden.surfaces.mcp.front import Front

if TYPE_CHECKING:
    from anyio import AsyncFile

_IDLE_S = 0.05
"""How long the host must be silent, with no call running, before the SDK is imported, because the
import slows calls. If the host requests something from the SDK, the import begins at once.
"""
_CLOSED = None


async def serve_stdio(
    config: LiveConfig, toolset: Toolset, front: Front, *, structured: Structured = "none"
) -> None:
    """Serve one host on stdin and stdout until it disconnects, then close the browser."""
    gc.freeze()  # the collector skips the modules that have been imported
    gc.enable()
    clients = Clients(toolset, config, structured=structured)
    clients.view.title = f"MCP, process {os.getpid()}"
    lines = _Lines(front)
    async with clients.served(), served_on_demand(clients.view):
        early = EarlyCalls(clients.of(DEFAULT_TASK), front.send, structured)
        try:
            for_sdk = await _before_sdk(lines, early, front)
            front.server_is_ready()
            if for_sdk != [_CLOSED]:
                await _serve(clients, front, _for_sdk(for_sdk, lines, early))
        finally:
            await early.close()
            await engine_loop().run_async(drop_early())


class _Lines:
    """The host's lines, on an event loop; None at the end."""

    def __init__(self, front: Front) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        front.deliver_to(self._deliver)

    def _deliver(self, line: str | None) -> None:  # on another thread
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)

    async def next(self, timeout_s: float | None = None) -> str | None:
        """Return the next line. Raise TimeoutError if none comes in time."""
        async with asyncio.timeout(timeout_s):
            return await self._lines.get()


async def _before_sdk(lines: _Lines, early: EarlyCalls, front: Front) -> list[str | None]:
    """Run early calls until the SDK is imported. Return the lines for the SDK."""
    rest: list[str | None] = []
    needs_sdk = False
    importing: asyncio.Future[Any] | None = None
    while importing is None or not importing.done():
        try:
            line = await lines.next(_IDLE_S)
        except TimeoutError:
            is_idle = not early.are_running
        else:
            if line is _CLOSED and importing is None and not needs_sdk:
                return [_CLOSED]  # the host has left, and nothing needs the SDK
            # After a request that only the SDK can respond to, calls keep their order.
            if line is _CLOSED or needs_sdk or not early.take(line):
                rest.append(line)
                needs_sdk |= line is _CLOSED or front.leaves_to_server(line)
            is_idle = needs_sdk  # even if a call is running, which may take long
        if importing is None and is_idle:
            engine_loop().submit(drop_early())
            importing = asyncio.ensure_future(asyncio.to_thread(_import_sdk))
    importing.result()
    return rest


def _import_sdk() -> None:
    from tabwarden.surfaces.requirements import check_extra

    check_extra("mcp")
    import_module("tabwarden.surfaces.mcp.server")


async def _for_sdk(first: list[str | None], lines: _Lines, early: EarlyCalls) -> AsyncIterator[str]:
    """Yield the lines for the SDK: the first ones, and then all except those that cancel an early
    call.
    """
    for line in first:
        if line is _CLOSED:
            return
        yield line
    while (line := await lines.next()) is not _CLOSED:
        if not early.cancels(line):
            yield line


async def _serve(clients: Clients, front: Front, lines: AsyncIterator[str]) -> None:
    from mcp.server.stdio import stdio_server

    from tabwarden.surfaces.mcp.server import make_server

    server = make_server(clients, lambda _: DEFAULT_TASK, host_is_here=True)
    # The SDK only iterates over the first object, and only writes to the second one.
    stdin, stdout = cast("AsyncFile[str]", lines), cast("AsyncFile[str]", _Stdout(front.send))
    async with stdio_server(stdin, stdout) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


class _Stdout:
    def __init__(self, send: Callable[[str], object]) -> None:
        self._send = send

    async def write(self, text: str) -> None:
        await asyncio.to_thread(self._send, text)

    async def flush(self) -> None:
        pass
