"""A proxy over TLS: early bytes, failures, and closing by either side."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from support.tls_site import TlsSite, tls_site

from tabwarden.egress.origins import Place
from tabwarden.egress.outside import Outside, Unreachable
from tabwarden.egress.over_tls import connect_over_tls
from tabwarden.egress.upstream import Upstream

pytestmark = pytest.mark.anyio
SHOP = Place("shop.example", 443)


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TlsSite]:
    with tls_site(tmp_path_factory.mktemp("tls")) as site:
        yield site


class Proxy:
    """Answers each request with this response, and records all received bytes."""

    def __init__(self, answer: bytes, *, hangs_up: bool) -> None:
        self.asked = b""
        self.heard: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._answer, self._hangs_up = answer, hangs_up

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked = await reader.readuntil(b"\r\n\r\n")
        writer.write(self._answer)
        if self._hangs_up:
            writer.close()
        self.heard.set_result(await reader.read())
        writer.close()


@asynccontextmanager
async def running(
    tls: TlsSite, answer: bytes, *, hangs_up: bool = False, ca: bool = True
) -> AsyncIterator[tuple[Proxy, Upstream]]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tls.chain)
    proxy = Proxy(answer, hangs_up=hangs_up)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield (
            proxy,
            Upstream(
                scheme="https",
                place=Place("localhost", server.sockets[0].getsockname()[1]),
                username="ann",
                password="p@ss",
                ca=tls.authority if ca else None,
            ),
        )


async def test_tls_proxy_connection_delivers_bytes_received_with_the_connect_response(
    tls: TlsSite,
) -> None:
    async with running(tls, b"HTTP/1.1 200 OK\r\n\r\nhello", hangs_up=True) as (proxy, upstream):
        reader, writer = await asyncio.open_connection(
            sock=await connect_over_tls(upstream, SHOP, None)
        )
        assert await reader.read() == b"hello"
        writer.close()
    assert proxy.asked.startswith(
        b"CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example:443\r\n"
    )
    assert b"Basic YW5uOnBAc3M=" in proxy.asked


async def test_tls_proxy_receives_all_bytes_that_the_browser_sent_before_it_closed(
    tls: TlsSite,
) -> None:
    async with running(tls, b"HTTP/1.1 200 OK\r\n\r\n") as (proxy, upstream):
        _, writer = await asyncio.open_connection(sock=await connect_over_tls(upstream, SHOP, None))
        writer.write(b"x" * 300_000)
        writer.close()
        assert len(await proxy.heard) == 300_000


@pytest.mark.parametrize(
    ("answer", "ca", "error"),
    [
        (b"HTTP/1.1 407 No\r\n\r\n", True, "net::ERR_PROXY_AUTH_REQUESTED"),
        (b"HTTP/1.1 502 No\r\n\r\n", True, "net::ERR_TUNNEL_CONNECTION_FAILED"),
        (b"nonsense\r\n\r\n", True, "net::ERR_TUNNEL_CONNECTION_FAILED"),
        (b"HTTP/1.1 200 OK\r\n\r\n", False, "net::ERR_PROXY_CERTIFICATE_INVALID"),
    ],
)
async def test_tls_proxy_failure_is_reported_with_chromiums_error_name(
    tls: TlsSite, answer: bytes, ca: bool, error: str
) -> None:
    async with running(tls, answer, ca=ca) as (_, upstream):
        with pytest.raises(Unreachable, match=error):
            await Outside(upstream).connect_by(upstream, SHOP)


async def test_proxy_from_the_environment_is_reached_over_tls(
    tls: TlsSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tls, b"HTTP/1.1 200 OK\r\n\r\n", ca=False) as (_, upstream):
        monkeypatch.setenv("HTTPS_PROXY", f"https://ann:p%40ss@localhost:{upstream.place.port}")
        outside = Outside()
        found = await outside.upstream(SHOP)
        assert found is not None
        with pytest.raises(Unreachable, match="PROXY_CERTIFICATE_INVALID"):
            await outside.connect_by(found, SHOP)
