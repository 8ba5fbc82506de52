"""RelayWire: the CDP wire through a host's relay, with the network policy beside it."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tabwarden.egress.gate import Gate
from tabwarden.egress.origins import Place
from tabwarden.egress.proxy import Failure, Judge
from tabwarden.fleet.relaying import ConnectionFailed, SetGate, decode_frame, encode_frame

log = logging.getLogger("tabwarden.fleet")


class RelayEgress:
    """The browser's egress proxy, which runs on its host. It obeys the gate that we send.

    ``RelayWire`` sends a changed gate before the next command, so that a page never loads under an
    older policy.
    """

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self.judge: Judge | None = None
        self.on_failed: Callable[[Failure], None] | None = None
        self._send = send
        self._sent: Gate | None = None

    def send_changes(self) -> None:
        """Send the gate if it has changed."""
        if self.judge is not None and (gate := self.judge.gate) is not self._sent:
            self._sent = gate
            self._send(encode_frame(SetGate(gate)))

    def cut_refused(self) -> None:
        self.send_changes()  # the host closes what the new gate refuses

    async def aclose(self) -> None:
        """Do nothing: the proxy ends with the browser."""


class RelayWire:
    """A wire over an open WebSocket to a relay."""

    def __init__(self, connection: ClientConnection) -> None:
        self.egress = RelayEgress(self._queue)
        self._connection = connection
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._reading: asyncio.Task[None] | None = None
        self._writing: asyncio.Task[None] | None = None
        self._on_close: Callable[[str], None] | None = None
        self._ended = False

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        """See ``Wire.start``."""
        self._on_close = on_close
        self._reading = asyncio.create_task(self._read(on_message))
        self._writing = asyncio.create_task(self._write())

    def send(self, message: bytes) -> None:
        """See ``Wire.send``."""
        self.egress.send_changes()
        self._queue(message)

    def break_off(self, reason: str) -> None:
        """End the connection at once: the browser at its other end is lost."""
        self._end(reason)
        self._connection.transport.abort()

    async def aclose(self) -> None:
        """See ``Wire.aclose``."""
        self._end("the connection was closed by Tabwarden")
        await self._connection.close()
        if self._reading is not None:
            await asyncio.wait([self._reading])

    def _queue(self, message: bytes) -> None:
        if self._ended:
            return
        if threading.get_ident() == self._thread:
            self._outbox.put_nowait(message)
        else:
            self._loop.call_soon_threadsafe(self._outbox.put_nowait, message)

    async def _read(self, on_message: Callable[[bytes], None]) -> None:
        try:
            while True:
                message = await self._connection.recv(decode=False)
                if message[:1] == b"{":
                    on_message(message)
                else:  # MessagePack of a frame never begins with a brace
                    self._hear(message)
        except ConnectionClosed as closed:
            self._end(f"the connection to the host closed: {closed}")
        except Exception as error:
            log.exception("the relay's reader failed")
            self._end(f"the relay's reader failed: {error!r}")

    def _hear(self, data: bytes) -> None:
        try:
            frame = decode_frame(data)
        except msgspec.DecodeError:
            log.warning("the host sent a frame that can't be read")
            return
        if isinstance(frame, ConnectionFailed) and self.egress.on_failed is not None:
            place = Place(frame.host, frame.port)
            self.egress.on_failed(Failure(place, frame.why, frame.error))

    async def _write(self) -> None:
        try:
            while True:
                message = await self._outbox.get()
                await self._connection.send(message, text=message[:1] == b"{")
        except ConnectionClosed as closed:
            self._end(f"the connection to the host closed: {closed}")

    def _end(self, reason: str) -> None:
        if self._ended:
            return
        self._ended = True
        if self._writing is not None:
            self._writing.cancel()
        if self._on_close is not None:
            self._on_close(reason)
