"""The two wires, over a real pipe and a real socket."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from tabwarden.budget import Budget
from tabwarden.errors import EndpointUnreachable
from tabwarden.wire import Connection, pipe, websocket
from tabwarden.wire.pipe import PipeWire
from tabwarden.wire.websocket import open_websocket

pytestmark = pytest.mark.anyio


class Inbox:
    """The messages that a wire delivers."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[bytes] = asyncio.Queue()
        self.closed: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def next(self) -> bytes:
        return await asyncio.wait_for(self.messages.get(), 60)

    async def end(self) -> str:
        return await asyncio.wait_for(self.closed, 60)


@asynccontextmanager
async def piped() -> AsyncIterator[tuple[PipeWire, Inbox, int, int]]:
    """A pipe wire, its inbox, and the browser's two pipe ends."""
    from_browser, browser_writes = os.pipe()
    browser_reads, to_browser = os.pipe()
    wire = await PipeWire.open(from_browser, to_browser)
    inbox = Inbox()
    wire.start(inbox.messages.put_nowait, inbox.closed.set_result)
    try:
        yield wire, inbox, browser_writes, browser_reads
    finally:
        await wire.aclose()
        for end in (browser_writes, browser_reads):
            try:
                os.close(end)
            except OSError:
                continue


async def test_pipe_splits_messages_at_nul_bytes_across_reads() -> None:
    async with piped() as (_, inbox, browser, _reads):
        for piece in (b'{"a"', b':1}\0{"b":2}\0{"c', b'":3}', b"\0"):
            os.write(browser, piece)
            await asyncio.sleep(0)
        assert [await inbox.next() for _ in range(3)] == [b'{"a":1}', b'{"b":2}', b'{"c":3}']


async def test_pipe_carries_large_messages_in_both_directions() -> None:
    size = 16 * 1024 * 1024
    async with piped() as (wire, inbox, browser, reads):
        message = b'"' + b"x" * size + b'"'
        loop = asyncio.get_running_loop()

        def write_all() -> None:
            view = memoryview(message + b"\0")
            while view:
                view = view[os.write(browser, view) :]

        writing = loop.run_in_executor(None, write_all)
        assert await inbox.next() == message
        await writing
        wire.send(message)

        def read_all() -> int:
            got = 0
            while got < len(message) + 1:
                got += len(os.read(reads, 1 << 20))
            return got

        assert await loop.run_in_executor(None, read_all) == len(message) + 1


async def test_messages_from_many_threads_through_a_full_pipe_stay_complete_and_ordered() -> None:
    threads, messages = 4, 150
    async with piped() as (wire, _, _browser, reads):
        loop = asyncio.get_running_loop()

        def send(thread: int) -> None:
            for n in range(messages):
                wire.send(b"%d:%d:" % (thread, n) + b"x" * 3_000)

        def read_all() -> list[bytes]:
            got = b""
            while got.count(b"\0") < (threads + 1) * messages:
                got += os.read(reads, 1 << 16)
            return got.split(b"\0")[:-1]

        sending = [loop.run_in_executor(None, send, thread) for thread in range(threads)]
        send(threads)  # also on the loop's own thread; nothing is read yet
        got = await loop.run_in_executor(None, read_all)
        await asyncio.gather(*sending)
        assert {message.lstrip(b"0123456789:") for message in got} == {b"x" * 3_000}
        for thread in range(threads + 1):
            numbers = [message.split(b":")[:2] for message in got]
            own = [int(number) for sender, number in numbers if int(sender) == thread]
            assert own == list(range(messages))


@pytest.mark.parametrize("end", [2, 3])
async def test_pipe_reports_once_that_the_browser_closed_it(end: int) -> None:
    async with piped() as ends:
        wire, inbox = ends[0], ends[1]
        os.close(ends[end])
        wire.send(b"{}")
        assert "pipe" in await inbox.end()
        wire.send(b"{}")


async def test_closed_pipe_error_says_which_side_closed_the_pipe() -> None:
    async with piped() as (wire, inbox, _, _reads):
        await wire.aclose()
        await wire.aclose()
        assert await inbox.end() == "Tabwarden closed the connection"


async def test_pipe_that_ends_within_a_message_delivers_only_complete_messages() -> None:
    async with piped() as (_, inbox, browser, _reads):
        os.write(browser, b'{"a":1}\0{"b":')
        os.close(browser)
        assert await inbox.next() == b'{"a":1}'
        assert await inbox.end() == "the browser closed the pipe"
        assert inbox.messages.empty()


@pytest.mark.threat
async def test_oversized_pipe_message_closes_the_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipe, "MAX_MESSAGE_BYTES", 1_000)
    async with piped() as (_, inbox, browser, _reads):
        os.write(browser, b"x" * 600)
        os.write(browser, b"x" * 600)
        assert "longer than 1000 bytes" in await inbox.end()


async def test_pipe_keeps_messages_that_arrive_before_it_starts() -> None:
    from_browser, browser = os.pipe()
    reads, to_browser = os.pipe()
    wire = await PipeWire.open(from_browser, to_browser)
    os.write(browser, b'{"a":1}\0{"b":2}\0')
    os.close(browser)
    for _ in range(20):  # both messages and the end are received meanwhile
        await asyncio.sleep(0)
    inbox = Inbox()
    wire.start(inbox.messages.put_nowait, inbox.closed.set_result)
    assert [await inbox.next() for _ in range(2)] == [b'{"a":1}', b'{"b":2}']
    assert await inbox.end() == "the browser closed the pipe"
    os.close(reads)


async def test_failing_listener_closes_the_pipe_and_the_error_says_so() -> None:
    from_browser, browser = os.pipe()
    reads, to_browser = os.pipe()
    wire = await PipeWire.open(from_browser, to_browser)
    seen: list[bytes] = []
    closed: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def fail(message: bytes) -> None:
        seen.append(message)
        raise KeyError("bug")

    os.write(browser, b'{"a":1}\0{"b":2}\0')
    wire.start(fail, closed.set_result)
    assert await asyncio.wait_for(closed, 60) == "the pipe's reader failed: KeyError('bug')"
    assert seen == [b'{"a":1}']
    for end in (browser, reads):
        os.close(end)


@asynccontextmanager
async def listening(**about: Any) -> AsyncIterator[tuple[str, asyncio.Queue[ServerConnection]]]:
    """A WebSocket server that exposes its connections and keeps them open."""
    peers: asyncio.Queue[ServerConnection] = asyncio.Queue()

    async def handle(peer: ServerConnection) -> None:
        peers.put_nowait(peer)
        await peer.wait_closed()

    async with serve(handle, "127.0.0.1", 0, max_size=None, **about) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/devtools/browser/1", peers


async def test_websocket_carries_messages_above_the_librarys_default_limit() -> None:
    async with listening() as (url, peers):
        wire = await open_websocket(url, Budget(5_000))
        inbox = Inbox()
        wire.start(inbox.messages.put_nowait, inbox.closed.set_result)
        peer = await peers.get()
        message = "x" * (3 * 1024 * 1024)
        await peer.send(message)
        assert await inbox.next() == message.encode()
        wire.send(message.encode())
        assert await peer.recv() == message  # text, as browsers expect
        assert peer.protocol.extensions == []  # no compression
        await wire.aclose()


async def test_open_websocket_sends_headers_and_query_tokens() -> None:
    async with listening() as (url, peers):
        wire = await open_websocket(f"{url}?token=abc", Budget(5_000), {"X-Key": "secret"})
        peer = await peers.get()
        assert peer.request is not None
        assert peer.request.path.endswith("?token=abc")
        assert peer.request.headers["X-Key"] == "secret"
        assert "Origin" not in peer.request.headers  # Chrome refuses those that have one
        await wire.aclose()


async def test_websocket_reports_a_broken_connection() -> None:
    async with listening() as (url, peers):
        wire = await open_websocket(url, Budget(5_000))
        inbox = Inbox()
        wire.start(inbox.messages.put_nowait, inbox.closed.set_result)
        (await peers.get()).transport.abort()
        assert "the socket closed" in await inbox.end()
        wire.send(b"{}")
        await wire.aclose()


async def test_rejected_handshake_error_masks_the_secrets() -> None:
    def refuse(connection: ServerConnection, request: Any) -> Any:
        return connection.respond(HTTPStatus.UNAUTHORIZED, "no")

    async with listening(process_request=refuse) as (url, _):
        with pytest.raises(EndpointUnreachable, match="401") as caught:
            await open_websocket(f"{url}?token=topsecret", Budget(5_000), {"K": "topsecret"})
        assert "topsecret" not in str(caught.value) + str(caught.value.data)


async def test_open_websocket_times_out_on_an_unresponsive_server_at_its_budget() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        with pytest.raises(EndpointUnreachable):
            await open_websocket(f"ws://127.0.0.1:{port}/", Budget(200))


async def test_websocket_that_closes_during_a_call_fails_it_with_the_commands_name() -> None:
    async with listening() as (url, peers):
        closed: list[str] = []
        connection = Connection(
            await open_websocket(url, Budget(5_000)), lambda _: None, closed.append
        )
        connection.start()
        calling = asyncio.create_task(connection.call("Runtime.evaluate", b"{}", "S1"))
        peer = await peers.get()
        assert await peer.recv() == (
            '{"id":1,"method":"Runtime.evaluate","params":{},"sessionId":"S1"}'
        )
        await peer.close(1001, "the browser goes")
        reply = await asyncio.wait_for(calling, 60)
        assert reply.method == "Runtime.evaluate"
        assert "the browser goes" in (reply.lost or "")
        assert closed == [reply.lost]
        await connection.aclose()
        assert len(closed) == 1


async def test_failing_listener_closes_the_websocket_and_the_error_says_so() -> None:
    async with listening() as (url, peers):
        closed: list[str] = []

        def fail(_: object) -> None:
            raise KeyError("bug")

        connection = Connection(await open_websocket(url, Budget(5_000)), fail, closed.append)
        connection.start()
        calling = asyncio.create_task(connection.call("A.a"))
        await (await peers.get()).send('{"method":"M","params":{}}')
        reply = await asyncio.wait_for(calling, 60)
        assert reply.lost == "the socket's reader failed: KeyError('bug')"
        assert closed == [reply.lost]
        await connection.aclose()


@pytest.mark.threat
async def test_oversized_websocket_message_closes_the_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(websocket, "MAX_MESSAGE_BYTES", 1_000)
    async with listening() as (url, peers):
        wire = await open_websocket(url, Budget(5_000))
        inbox = Inbox()
        wire.start(inbox.messages.put_nowait, inbox.closed.set_result)
        await (await peers.get()).send("x" * 1_001)
        assert "1009" in await inbox.end()
        await wire.aclose()


@pytest.mark.parametrize(
    "url",
    [
        "ws://127.0.0.1:1/?token=topsecret",
        "ws://127.0.0.1:99999/?token=topsecret",
        "ws://user:topsecret@127.0.0.1:x/",
        "ws://[::1?token=topsecret",
        "ws://a..b/?token=topsecret",
        "http://127.0.0.1/?token=topsecret",
        "",
    ],
)
@pytest.mark.threat
async def test_open_websocket_masks_the_secrets_of_an_invalid_address(url: str) -> None:
    with pytest.raises(EndpointUnreachable) as caught:
        await open_websocket(url, Budget(5_000))
    assert "topsecret" not in str(caught.value) + str(caught.value.data)


async def test_open_websocket_with_an_expired_budget_opens_no_connection() -> None:
    async with listening() as (url, _):
        with pytest.raises(EndpointUnreachable):
            await open_websocket(url, Budget(1_000).child(headroom_ms=2_000))


@pytest.mark.threat
async def test_websocket_neither_offers_nor_accepts_compression() -> None:
    async with listening() as (url, peers):
        wire = await open_websocket(url, Budget(5_000))
        inbox = Inbox()
        wire.start(inbox.messages.put_nowait, inbox.closed.set_result)
        peer = await peers.get()
        assert peer.request is not None
        assert "Sec-WebSocket-Extensions" not in peer.request.headers
        peer.transport.write(b"\xc1\x02{}")  # a text frame with the bit for compression
        assert "1002" in await inbox.end()
        assert inbox.messages.empty()
        await wire.aclose()
