"""Clients without a token cannot block others, however little they send."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from support.eventually import eventually_async

from tabwarden.surfaces.guard import serving
from tabwarden.surfaces.guard.principal import OPERATOR, admit
from tabwarden.surfaces.guard.serving import config_of

pytestmark = pytest.mark.anyio

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
HEAD = b"POST /%b HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\n"


class App:
    """Responds at once; ``/reads`` reads the body first, and ``/admitted`` has a token, too."""

    def __init__(self) -> None:
        self.answered = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/admitted":
            admit(scope, OPERATOR, lambda: True)
        if scope["path"] in ("/reads", "/admitted"):
            while (await receive()).get("more_body"):
                pass
        start = {
            "type": "http.response.start",
            "status": 200,
            "headers": [(b"content-length", b"2")],
        }
        await send(start)
        await send({"type": "http.response.body", "body": b"ok"})
        self.answered += 1


@asynccontextmanager
async def served(app: App) -> AsyncIterator[int]:
    server = uvicorn.Server(config_of(app, lifespan="off"))
    server.config.port = 0
    server.config.ws = "none"  # older versions of Uvicorn have only one that is deprecated
    serving = asyncio.create_task(server._serve())
    await eventually_async(lambda: server.started)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await serving


@pytest.fixture(autouse=True)
def _short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "REQUEST_S", 0.5)


async def opened(port: int, data: bytes = b"") -> Streams:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    return reader, writer


async def drip(streams: Streams, byte: bytes) -> None:
    """Send the byte repeatedly, until the server has closed the connection."""
    with suppress(ConnectionError):
        while not streams[0].at_eof():
            streams[1].write(byte)
            await streams[1].drain()
            await asyncio.sleep(0.05)


@pytest.mark.threat
@pytest.mark.parametrize(
    ("begun", "byte"),
    [
        (b"", b""),
        (b"POST / HT", b""),
        (b"POST / HTTP/1.1\r\nHost: here\r\nX: ", b"x"),
        (HEAD % b"reads" + b"a", b""),
        (b"POST /reads HTTP/1.1\r\nHost: here\r\nContent-Length: 100000\r\n\r\n", b"x"),
        (b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100000\r\n\r\n", b"x"),
        (b"GET / HTTP/1.1\r\nHost: here\r\n\r\nGET / HTTP/1.1\r\nX: ", b"x"),
    ],
    ids=["silent", "line", "head", "body", "slow body", "slow body after the answer", "second"],
)
async def test_server_closes_an_incomplete_request(begun: bytes, byte: bytes) -> None:
    async with served(App()) as port:
        streams = await opened(port, begun)
        async with asyncio.timeout(20):
            dripping = asyncio.create_task(drip(streams, byte)) if byte else None
            with suppress(ConnectionError):
                while await streams[0].read(1000):
                    pass
            if dripping is not None:
                await dripping
        streams[1].close()


async def test_server_does_not_time_out_an_authenticated_slow_request() -> None:
    app = App()
    async with served(app) as port:
        reader, writer = await opened(port, HEAD % b"admitted" + b"a")
        await asyncio.sleep(1.5)
        writer.write(b"bcde")
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(HEAD % b"admitted" + b"abcde")  # and again, on the same connection
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.close()


@pytest.mark.threat
async def test_idle_connections_do_not_block_other_clients(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "REQUEST_S", 60)
    monkeypatch.setattr(serving, "MOST_WAITING", 20)
    app = App()
    async with served(app) as port:
        working = await opened(port, HEAD % b"admitted" + b"a")
        await eventually_async(lambda: True)
        silent = [await opened(port, HEAD % b"reads" + b"a") for _ in range(60)]
        reader, writer = await opened(port, HEAD % b"" + b"abcde")
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        working[1].write(b"bcde")  # the oldest, but it has sent a valid token
        assert (await working[0].readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        ended = sum(reader.at_eof() or reader.exception() is not None for reader, _ in silent)
        assert ended >= 40
        for _, one in [*silent, working, (reader, writer)]:
            one.close()
