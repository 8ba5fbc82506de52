"""Start live views on demand. A program without a port, such as ``tabwarden mcp`` over stdio,
listens on a Unix socket. It starts its live view when another program of the user connects to the
socket.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tabwarden.surfaces.live.live import SERVER_ANSWER_S, Live
from tabwarden.surfaces.live.registry import made_folder, pid_of, registry_folder, runs, servers

if TYPE_CHECKING:
    from tabwarden.surfaces.live.app import OwnServer

log = logging.getLogger("tabwarden.live")


@asynccontextmanager
async def served_on_demand(live: Live) -> AsyncIterator[None]:
    """Serve a live view on demand, until the block ends. If the socket can't be created, the
    program runs without a live view.
    """
    server: OwnServer | None = None

    async def start() -> None:
        nonlocal server
        if server is None:
            from tabwarden.surfaces.live.app import OwnServer

            server = OwnServer(live)
        await server.start()

    async def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await start()
        finally:
            writer.close()

    live.start = start
    listening: asyncio.Server | None = None
    path: Path | None = None
    try:
        path, listener = _socket(live)
        listening = await asyncio.start_unix_server(connected, sock=listener)
    except (OSError, AttributeError, NotImplementedError) as error:
        log.debug("this program has no live view: %s", error)
    try:
        yield
    finally:
        if path is not None:
            path.unlink(missing_ok=True)
        if listening is not None:
            listening.close()
        if server is not None:
            await server.stop()


def start_waiting_servers() -> None:
    """Start the live views of all programs of this user that serve them on demand. Blocks for a
    short time.
    """
    known = {one.pid for one in servers()}
    with suppress(OSError):
        for path in sorted(registry_folder().glob("*.sock")):
            pid = pid_of(path)
            if not runs(pid):
                path.unlink(missing_ok=True)
            elif pid not in known:
                _start(path)


def _start(path: Path) -> None:
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(SERVER_ANSWER_S)
        client.connect(str(path))
        client.recv(1)  # the program closes the connection once its view is running


def _socket(live: Live) -> tuple[Path, socket.socket]:
    """Return a listening socket to which only this user can connect, and the socket's path."""
    path = made_folder() / f"{os.getpid()}-{live.id}.sock"
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
    except BaseException:
        listener.close()
        raise
    finally:
        os.umask(before)
    return path, listener
