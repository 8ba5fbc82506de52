"""The WebSocket wire, over the ``websockets`` library."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tabwarden.budget import Budget
from tabwarden.errors import EndpointUnreachable
from tabwarden.http_client import check_authorities
from tabwarden.wire.base import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

log = logging.getLogger("tabwarden.wire")


async def open_websocket(
    url: str, budget: Budget, headers: Mapping[str, str] | None = None
) -> WebSocketWire:
    """Connect to a ``ws://`` or ``wss://`` CDP endpoint; tokens in the URL's query are sent too.

    Compression is off. The size limit is high: with the library's default of 1 MiB, one large
    result would close the connection and all its sessions (docs/facts.md, "The cost of a message").

    Raises:
        EndpointUnreachable: nothing responded within the budget, or the endpoint rejected the
            connection or is not a WebSocket.
    """
    # These modules are slow to import, and a pipe doesn't need them.
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidHandshake, InvalidURI

    try:
        check_authorities()
        connection = await connect(
            url,
            compression=None,
            max_size=MAX_MESSAGE_BYTES,
            additional_headers=headers,
            open_timeout=budget.remaining_s(),
            close_timeout=1,
            proxy=None if _is_loopback(url) else True,
            user_agent_header=None,
        )
    except (OSError, InvalidHandshake, InvalidURI, TimeoutError, EOFError, ValueError) as error:
        # ValueError: a port out of range, or a host name that IDNA rejects.
        raise EndpointUnreachable(
            f"No browser answered at {without_secrets(url)}: {type(error).__name__}: "
            f"{without_secrets_in(str(error), url)}.",
            "Check that the browser runs with a debugging port and that the address is correct.",
            endpoint=without_secrets(url),
            **_status_of(error),
        ) from None
    return WebSocketWire(connection)


def _status_of(error: Exception) -> dict[str, int]:
    """Return the HTTP status of a refused connection, for the error's data."""
    from websockets.exceptions import InvalidStatus

    return {"http_status": error.response.status_code} if isinstance(error, InvalidStatus) else {}


class WebSocketWire:
    """A wire over an open WebSocket; ``open_websocket`` creates it.

    Attributes:
        far_end, reader: noun phrases for error messages: the peer that closes the socket, and the
            reader of its messages.
    """

    far_end = "the socket"
    reader = "the socket's reader"

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._reading: asyncio.Task[None] | None = None
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._writing: asyncio.Task[None] | None = None
        self._on_close: Callable[[str], None] | None = None
        self._ended = False

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        self._on_close = on_close
        self._reading = asyncio.create_task(self._read(on_message))
        self._writing = asyncio.create_task(self._write())

    def send(self, message: bytes) -> None:
        self._put(message)

    def _put(self, message: bytes) -> None:
        if self._ended:
            return
        if threading.get_ident() == self._thread:
            self._outbox.put_nowait(message)
        else:
            self._loop.call_soon_threadsafe(self._outbox.put_nowait, message)

    async def aclose(self) -> None:
        self._end("Tabwarden closed the connection")
        await self._connection.close()
        if self._reading is not None:
            await asyncio.wait([self._reading])

    async def _read(self, on_message: Callable[[bytes], None]) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                self._receive(await self._connection.recv(decode=False), on_message)
        except ConnectionClosed as closed:
            self._end(f"{self.far_end} closed: {closed}")
        # The callback failed. Close the wire, because callers would wait forever if nobody read it.
        except Exception as error:
            log.exception("%s failed", self.reader)
            self._end(f"{self.reader} failed: {error!r}")

    def _receive(self, message: bytes, on_message: Callable[[bytes], None]) -> None:
        on_message(message)

    def _is_cdp(self, message: bytes) -> bool:
        """Whether to send a message as text, which CDP endpoints expect."""
        return True

    async def _write(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                message = await self._outbox.get()
                await self._connection.send(message, text=self._is_cdp(message))
        except ConnectionClosed as closed:
            self._end(f"{self.far_end} closed: {closed}")

    def _end(self, reason: str) -> None:
        if self._ended:
            return
        self._ended = True
        if self._writing is not None:
            self._writing.cancel()
        if self._on_close is not None:
            self._on_close(reason)


def without_secrets(url: str) -> str:
    """Return the URL without user info and query. The result is safe for logs and errors."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "a malformed address"
    host = parts.hostname or ""
    if ":" in host:
        host = f"[{host}]"
    return f"{parts.scheme}://{host}{port}{parts.path}"


def without_secrets_in(text: str, url: str) -> str:
    """Remove the secret parts of ``url`` from ``text``, because a library may have quoted them."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "malformed"
    for secret in (url, parts.query, parts.password):
        if secret:
            text = text.replace(secret, "…")
    return text


def _is_loopback(url: str) -> bool:
    return urlsplit(url).hostname in {"localhost", "127.0.0.1", "::1"}
