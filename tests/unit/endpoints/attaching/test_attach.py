"""Browser addresses, and servers that are not browsers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.server import ServerConnection, serve

from tabwarden.budget import Budget
from tabwarden.endpoints.attaching import attach as answers
from tabwarden.endpoints.attaching.attach import _as_seen_from_here, open_endpoint, parse_endpoint
from tabwarden.errors import Cancelled, EndpointUnreachable, InvalidArgument

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("9222", "http://127.0.0.1:9222"),
        ("host:9222", "http://host:9222"),
        ("[::1]:9222", "http://[::1]:9222"),
        (" http://h:1 ", "http://h:1"),
        ("wss://h/x?token=s", "wss://h/x?token=s"),
    ],
)
def test_parse_endpoint_accepts_ports_hosts_and_urls(given: str, meant: str) -> None:
    assert parse_endpoint(given).geturl() == meant


@pytest.mark.parametrize(
    "given", ["", "ftp://h:1", "garbage", "http://", "http://h:99999", "99999", "ws:///x", "http:"]
)
def test_parse_endpoint_rejects_invalid_endpoints(given: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        parse_endpoint(given)
    assert caught.value.data["field"] == "endpoint"
    assert "ws(s)://" in caught.value.hint


@pytest.mark.parametrize(
    ("advertised", "asked", "used"),
    [
        ("ws://127.0.0.1:9222/d/b/1", "http://box:8000", "ws://box:8000/d/b/1"),
        ("ws://box/d/b/1", "https://u:p@box/x?token=s", "wss://u:p@box/d/b/1?token=s"),
        ("wss://node5.example/s?sig=1", "https://api.example/", "wss://node5.example/s?sig=1"),
    ],
)
def test_open_endpoint_adapts_the_advertised_websocket_url_to_the_given_address(
    advertised: str, asked: str, used: str
) -> None:
    assert _as_seen_from_here(urlsplit(advertised), urlsplit(asked)) == used


@asynccontextmanager
async def http_server(answer: Callable[[], bytes]) -> AsyncIterator[str]:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer())
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


def page(status: str, body: str) -> bytes:
    return (
        f"HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n{body}"
    ).encode()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (page("200 OK", "<html>hello</html>"), "is not a browser"),
        (page("200 OK", "{}"), "is not a browser"),
        (page("404 Not Found", ""), "HTTP 404"),
        (page("401 Unauthorized", ""), "refused access"),
        (page("500 Oops", "Host header is specified and is not an IP address"), "IP address"),
        (b"SSH-2.0-OpenSSH\r\n", "RemoteProtocolError"),
    ],
)
async def test_open_endpoint_recognizes_servers_that_are_not_browsers(
    answer: bytes, words: str
) -> None:
    async with http_server(lambda: answer) as address:
        with pytest.raises(EndpointUnreachable, match=words) as caught:
            await open_endpoint(f"http://{address}/?token=geheim", Budget(5000))
    assert "geheim" not in json.dumps(caught.value.to_dict())


async def test_open_endpoint_reports_a_dead_port_as_unreachable() -> None:
    async with http_server(lambda: b"") as address:
        pass
    for url in (f"http://{address}", f"ws://{address}/x?token=geheim"):
        with pytest.raises(EndpointUnreachable) as caught:
            await open_endpoint(url, Budget(5000))
        assert caught.value.hint
        assert "geheim" not in json.dumps(caught.value.to_dict())


@asynccontextmanager
async def silent_socket() -> AsyncIterator[str]:
    async def keep_quiet(connection: ServerConnection) -> None:
        await connection.wait_closed()

    async with serve(keep_quiet, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield f"ws://127.0.0.1:{port}/"


async def test_open_endpoint_times_out_on_an_unresponsive_socket_at_its_budget() -> None:
    async with silent_socket() as url:
        budget = Budget(200)
        with pytest.raises(EndpointUnreachable, match="did not respond in time"):
            await open_endpoint(url, budget)


async def test_open_endpoint_stops_waiting_when_its_budget_is_canceled() -> None:
    async with silent_socket() as url:
        budget = Budget(20_000)
        asyncio.get_running_loop().call_later(0.05, budget.cancel)
        with pytest.raises(Cancelled):
            await open_endpoint(url, budget)


@pytest.mark.threat
@pytest.mark.parametrize("packed", [False, True])
async def test_open_endpoint_rejects_an_endless_response(
    packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "MAX_ANSWER_BYTES", 100_000)

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        encoding = b"Content-Encoding: gzip\r\n" if packed else b""
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n" + encoding + b"\r\n")
        packer = zlib.compressobj(wbits=31)
        with contextlib.suppress(ConnectionError):
            while True:
                piece = b" " * 65_536
                piece = (
                    packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH) if packed else piece
                )
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)  # a full buffer alone would make it wait
        writer.close()

    server = await asyncio.start_server(flood, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(EndpointUnreachable, match="larger than 100000 bytes"):
            await open_endpoint(f"http://127.0.0.1:{port}", Budget(20_000))


async def test_open_endpoint_over_plain_http_loads_no_certificate_authorities(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It would block the loop of all tasks for tens of milliseconds at each reconnect."""

    def reads(*_: object, **__: object) -> None:
        raise AssertionError("the authorities were read")

    monkeypatch.setattr(ssl, "create_default_context", reads)
    monkeypatch.setattr(ssl.SSLContext, "load_verify_locations", reads)
    async with http_server(lambda: page("200 OK", "{}")) as address:
        with pytest.raises(EndpointUnreachable, match="is not a browser"):
            await open_endpoint(f"http://{address}", Budget(5000))
