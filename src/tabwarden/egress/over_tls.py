"""Connect through a proxy that is itself reached over TLS (``https://``).

A tunnel needs a plain socket, so we give it one socket of a socket pair. Two tasks pass bytes
between the other socket and the TLS connection. TLS has no half-close, so when the browser has sent
all its data, both sockets are closed.
"""

from __future__ import annotations

import asyncio
import base64
import socket
import ssl
from functools import lru_cache
from pathlib import Path

from tabwarden.egress.addresses import Address
from tabwarden.egress.origins import Place
from tabwarden.egress.upstream import Upstream
from tabwarden.files.plain_file import check_plain_file
from tabwarden.http_client import check_authorities

_PIECE = 65_536
_passing: set[asyncio.Task[None]] = set()


class ProxyRefusal(Exception):
    """The proxy responded, but opened no connection. ``code`` is the response's HTTP status; None
    if the response is not HTTP.
    """

    def __init__(self, code: int | None) -> None:
        super().__init__(f"the proxy answered {code}")
        self.code = code


async def connect_over_tls(
    upstream: Upstream, place: Place, address: Address | None
) -> socket.socket:
    """Return a socket connected to a place through the proxy.

    Args:
        upstream: the proxy, whose certificate must be valid for its name.
        place: the place to connect to; the proxy resolves its name.
        address: the proxy's address; None if it is not known yet.

    Raises:
        ProxyRefusal: the proxy opened no connection.
        OSError: the proxy can't be reached.
        ssl.SSLCertVerificationError: the proxy's certificate is invalid.
    """
    reader, writer = await asyncio.open_connection(
        str(address or upstream.place.host),
        upstream.place.port,
        ssl=await asyncio.to_thread(_trusting, upstream.ca),
        server_hostname=upstream.place.host,
    )
    try:
        await _ask(reader, writer, upstream, place)
        near, far = socket.socketpair()
        try:
            far_reader, far_writer = await asyncio.open_connection(sock=far)
        except BaseException:
            near.close()
            far.close()
            raise
    except BaseException:
        writer.transport.abort()
        raise
    for passing in (_pass(reader, far_writer), _pass(far_reader, writer)):
        task = asyncio.create_task(passing)
        _passing.add(task)
        task.add_done_callback(_passing.discard)
    return near


async def _ask(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, upstream: Upstream, place: Place
) -> None:
    lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
    if upstream.username:
        login = f"{upstream.username}:{upstream.password}".encode()
        lines.append(f"Proxy-Authorization: Basic {base64.b64encode(login).decode()}")
    writer.write("\r\n".join([*lines, "", ""]).encode())
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        raise ProxyRefusal(None) from None
    protocol, _, rest = head.partition(b" ")
    status = rest[:3]
    if not protocol.startswith(b"HTTP/") or not status.isdigit():
        raise ProxyRefusal(None)
    if not 200 <= int(status) < 300:
        raise ProxyRefusal(int(status))


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(_PIECE):
            writer.write(piece)
            await writer.drain()
    except OSError:
        writer.transport.abort()
    else:
        writer.close()


@lru_cache(maxsize=8)
def _trusting(ca: Path | None) -> ssl.SSLContext:
    """Return an SSL context that trusts the system's CA certificates and those in ``ca``, a PEM
    file.
    """
    check_authorities()
    context = ssl.create_default_context()
    if ca is not None:
        check_plain_file(ca)
        context.load_verify_locations(ca)
    return context
