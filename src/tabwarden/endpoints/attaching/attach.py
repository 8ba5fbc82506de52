"""Attach to a running browser: find its WebSocket and open it."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import SplitResult, urlsplit, urlunsplit

import msgspec

from tabwarden.budget import Budget
from tabwarden.egress.gate import is_loopback_name
from tabwarden.egress.origins import canonical_host
from tabwarden.errors import EndpointUnreachable, InvalidArgument
from tabwarden.http_client import http_client
from tabwarden.own_ports import PortClaim
from tabwarden.wire import Connection, Wire, open_websocket
from tabwarden.wire.websocket import without_secrets, without_secrets_in

if TYPE_CHECKING:
    import httpx2

MAX_ANSWER_BYTES = 8 * 1024 * 1024
"""Limit for one response after decompression. The responses that we need are a few kilobytes."""


class ResponseTooLong(ValueError):
    """The HTTP response is longer than ``MAX_ANSWER_BYTES``."""


class HttpResponse(NamedTuple):
    status_code: int
    headers: Mapping[str, str]
    content: bytes


async def asked(client: httpx2.AsyncClient, method: str, url: str, **given: Any) -> HttpResponse:
    """Send a request and read the response, with the arguments of ``AsyncClient.request``.

    Raises:
        ResponseTooLong: the response is too long. httpx2.HTTPError: see ``AsyncClient.request``.
    """
    content = bytearray()
    async with client.stream(method, url, **given) as response:
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > MAX_ANSWER_BYTES:
                raise ResponseTooLong(f"the response is larger than {MAX_ANSWER_BYTES} bytes")
    return HttpResponse(response.status_code, response.headers, bytes(content))


class _Version(msgspec.Struct, rename="camel"):
    product: str = ""
    user_agent: str = ""

    @property
    def name(self) -> str:
        """The browser's name and the version of its Chromium. The product of QtWebEngine is the
        application's own name (``app.py/``, PySide6 6.12).
        """
        qt = _QT.search(self.user_agent)
        return f"QtWebEngine/{qt[1]}" if qt is not None else self.product


async def ask_product(wire: Wire) -> tuple[str | None, str]:
    """Send ``Browser.getVersion``. The wire can be started again afterwards.

    The caller must set a time limit.

    Returns:
        The product ("Chrome/156.0.8078.79", or "" if unknown) and ""; or None and the reason why
        the wire closed.
    """
    connection = Connection(wire, lambda event: None, lambda reason: None)
    connection.start()
    reply = await connection.call("Browser.getVersion")
    if reply.lost is not None:
        return None, reply.lost
    if reply.result is None:
        return "", ""
    return msgspec.json.decode(reply.result, type=_Version).name, ""


class HandoverWire:
    """Wraps a WebSocket wire so that, like a ``PipeWire``, it can be started again.

    We can't open a second socket instead, because remote providers close the browser when the first
    socket closes.

    Args:
        wire: the open WebSocket.
        claim: the browser's debugging port, if the browser runs on this machine. The wire
            releases it.
    """

    def __init__(self, wire: Wire, claim: PortClaim | None = None) -> None:
        self._wire = wire
        self._claim = claim
        self._started = False
        self._end_reason: str | None = None
        self._on_message: Callable[[bytes], None]
        self._on_close: Callable[[str], None]

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        """See ``Wire.start``; a second call replaces the callbacks."""
        self._on_message, self._on_close = on_message, on_close
        if not self._started:
            self._started = True
            self._wire.start(self._received, self._ended)
        elif self._end_reason is not None:
            on_close(self._end_reason)

    def send(self, message: bytes) -> None:
        self._wire.send(message)

    async def aclose(self) -> None:
        await self._wire.aclose()

    def _received(self, message: bytes) -> None:
        self._on_message(message)

    def _ended(self, reason: str) -> None:
        self._end_reason = reason
        if self._claim is not None:
            self._claim.close()
        self._on_close(reason)


_QT = re.compile(r"\bQtWebEngine/[\d.]+ Chrome/([\d.]+)")
_ACCEPTED = "Accepted: http(s)://host:port, ws(s)://…, host:port, or a port number on this machine."
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""A TLS context for plain HTTP, which never uses it. Creating the default context instead would
load all certificate authorities, and block every task for 25 ms.
"""
_BARE = re.compile(r"(?:(?P<host>[\w.-]+|\[[0-9a-fA-F:.]+\]):)?(?P<port>\d{1,5})/?")


class AttachedEndpoint(NamedTuple):
    """An open wire to a browser that was not launched by us."""

    wire: Wire
    """The wire, ready for ``start``. The browser has already responded on it once."""
    ws_url: str
    """The WebSocket URL; may contain secrets (``tabwarden.wire.websocket.without_secrets``)."""
    product: str
    """The browser's name and version; "" if unknown."""


class _VersionPage(msgspec.Struct, rename={"ws_url": "webSocketDebuggerUrl"}):
    ws_url: str = ""


async def open_endpoint(
    url: str, budget: Budget, headers: Mapping[str, str] | None = None
) -> AttachedEndpoint:
    """Open the CDP wire of the browser at ``url``. To reconnect, call this again.

    Args:
        url: ``http(s)://host:port`` (``/json/version`` there returns the WebSocket address),
            ``ws(s)://…`` with any tokens in its query, ``host:port``, or a port on this machine.
        budget: limits the whole call.
        headers: sent with each request. They may contain an API key.

    Raises:
        InvalidArgument: ``url`` has none of these formats.
        EndpointUnreachable: nothing responded in time, or the peer does not speak CDP or rejected
            the connection.
        Cancelled: the caller canceled.
    """
    budget.check()
    parts = parse_endpoint(url)
    opening = asyncio.ensure_future(_open(parts, budget, headers))
    loop = asyncio.get_running_loop()
    undo = budget.on_cancel(lambda reason: _cancel(loop, opening))
    try:
        return await opening
    except asyncio.CancelledError:
        if opening.done() and not opening.cancelled() and opening.exception() is None:
            await opening.result().wire.aclose()  # the wire opened just after the deadline
        budget.check()
        raise
    finally:
        undo()


def _cancel(loop: asyncio.AbstractEventLoop, task: asyncio.Task[AttachedEndpoint]) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(task.cancel)


def parse_endpoint(url: str) -> SplitResult:
    """Parse an endpoint's address, and complete short forms.

    Raises:
        InvalidArgument: ``url`` is not an endpoint's address.
    """
    text = url.strip() if isinstance(url, str) else ""
    bare = _BARE.fullmatch(text)
    if bare:
        text = f"http://{bare['host'] or '127.0.0.1'}:{bare['port']}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _not_an_endpoint("the endpoint's host or port is malformed") from None
    if parts.scheme not in {"http", "https", "ws", "wss"}:
        raise _not_an_endpoint(
            f"`{parts.scheme}:` is not a scheme that Tabwarden can connect to"
            if parts.scheme and "://" in text
            else "the endpoint is not an address"
        )
    if not parts.hostname or port == 0:
        raise _not_an_endpoint("the endpoint has no host, or port 0")
    return parts


def _not_an_endpoint(why: str) -> InvalidArgument:
    return InvalidArgument(f"{why[0].upper()}{why[1:]}.", _ACCEPTED, field="endpoint")


def may_run_here(ws_url: str) -> bool:
    """Whether the browser at a URL might run on this computer."""
    host = canonical_host(urlsplit(ws_url).hostname or "")
    return host is not None and is_loopback_name(host)


async def _open(
    parts: SplitResult, budget: Budget, headers: Mapping[str, str] | None
) -> AttachedEndpoint:
    ws_url = urlunsplit(parts)
    if parts.scheme in {"http", "https"}:
        ws_url = await _discover(parts, budget, headers)
    opened, there = await open_websocket(ws_url, budget, headers), urlsplit(ws_url)
    claim = PortClaim(there.port) if there.port and may_run_here(ws_url) else None
    wire = HandoverWire(opened, claim)
    try:
        async with asyncio.timeout(budget.remaining_s()):
            product, lost = await ask_product(wire)
    except TimeoutError:
        await wire.aclose()
        raise _unreachable(
            ws_url, "it accepted the connection but did not respond in time"
        ) from None
    except BaseException:
        await wire.aclose()
        raise
    if product is None:
        await wire.aclose()
        raise _unreachable(ws_url, f"it accepted the connection, then closed it: {lost}")
    return AttachedEndpoint(wire, ws_url, product)


async def _discover(parts: SplitResult, budget: Budget, headers: Mapping[str, str] | None) -> str:
    """Get the browser's WebSocket URL from ``/json/version``."""
    import httpx2  # slow to import, and not needed to launch a browser

    path = parts.path.rstrip("/").removesuffix("/json/version")
    page = urlunsplit(parts._replace(path=f"{path}/json/version", fragment=""))
    try:
        async with (
            asyncio.timeout(budget.remaining_s()),
            http_client(
                # Never use a proxy for loopback: to a proxy, loopback is the proxy's own computer.
                trust_env=parts.hostname not in _LOOPBACK,
                verify=True if parts.scheme == "https" else _NO_TLS,
                timeout=budget.remaining_s(),
            ) as client,
        ):
            answer = await asked(client, "GET", page, headers=dict(headers or {}))
    except (httpx2.HTTPError, httpx2.InvalidURL, ResponseTooLong, TimeoutError) as error:
        words = without_secrets_in(str(error), page) or "no response in time"
        raise _unreachable(page, f"{type(error).__name__}: {words}") from None
    ws_url = advertised(answer)
    if ws_url is None:
        raise _not_cdp(page, answer)
    return _as_seen_from_here(urlsplit(ws_url), parts)


def advertised(answer: HttpResponse) -> str | None:
    """Return the WebSocket URL in a response; None if the response is not from a browser."""
    if answer.status_code != 200:
        return None
    try:
        ws_url = msgspec.json.decode(answer.content, type=_VersionPage).ws_url
        return ws_url if urlsplit(ws_url).scheme in {"ws", "wss"} else None
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        return None


def _as_seen_from_here(advertised: SplitResult, requested: SplitResult) -> str:
    """Combine the path of the advertised URL with the host to which we sent the request.

    A browser doesn't know about forwarded ports or proxies in front of it, so the host that it
    advertises can be wrong. We keep an advertised ``wss`` URL unchanged: browsers never advertise
    ``wss``, so a provider chose that URL.
    """
    if advertised.scheme == "wss":
        return urlunsplit(advertised)
    return urlunsplit(
        advertised._replace(
            scheme="wss" if requested.scheme == "https" else "ws",
            netloc=requested.netloc,
            query=advertised.query or requested.query,
        )
    )


def _not_cdp(page: str, answer: HttpResponse) -> EndpointUnreachable:
    if answer.status_code in {401, 403, 407}:
        return _unreachable(
            page,
            f"it refused access (HTTP {answer.status_code})",
            "Check the token or the headers.",
        )
    if b"Host header" in answer.content[:500]:
        return _unreachable(
            page,
            "this browser accepts only an IP address or localhost as its host name",
            "Use the browser's IP address.",
        )
    return _unreachable(
        page,
        f"the server that answered is not a browser (HTTP {answer.status_code} without "
        "webSocketDebuggerUrl)",
        "Check that the port is the browser's --remote-debugging-port. If you allowed debugging at "
        "chrome://inspect/#remote-debugging, connect to `auto` instead.",
    )


def _unreachable(url: str, why: str, hint: str = "") -> EndpointUnreachable:
    where = without_secrets(url)
    return EndpointUnreachable(
        f"Could not connect to a browser at {where}: {why}.",
        hint or "Check that the browser has a debugging port and that the address is correct.",
        endpoint=where,
        cause=why,
    )
