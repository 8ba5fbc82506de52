"""``RelayWire``: the CDP wire through a host's relay, which also transmits the network policy."""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec
from websockets.asyncio.client import ClientConnection

from tabwarden.egress.gate import Gate
from tabwarden.egress.origins import Place
from tabwarden.egress.proxy import Failure, Judge
from tabwarden.fleet.relaying.frames import ConnectionFailed, SetGate, decode_frame, encode_frame
from tabwarden.wire import WebSocketWire

log = logging.getLogger("tabwarden.fleet")


class RelayEgress:
    """The browser's egress proxy, which runs on the browser's host and applies the gate that we
    send.

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
        self.send_changes()  # the host closes connections that the new gate does not allow

    async def aclose(self) -> None:
        """Do nothing: the proxy stops with the browser."""


class RelayWire(WebSocketWire):
    """A wire over an open WebSocket to a relay."""

    far_end = "the connection to the host"
    reader = "the relay's reader"

    def __init__(self, connection: ClientConnection) -> None:
        super().__init__(connection)
        self.egress = RelayEgress(self._put)

    def send(self, message: bytes) -> None:
        """See ``Wire.send``."""
        self.egress.send_changes()
        self._put(message)

    def break_off(self, reason: str) -> None:
        """Close the connection at once, because its browser is lost."""
        self._end(reason)
        self._connection.transport.abort()

    def _receive(self, message: bytes, on_message: Callable[[bytes], None]) -> None:
        if self._is_cdp(message):
            on_message(message)
            return
        try:
            frame = decode_frame(message)
        except msgspec.DecodeError:
            log.warning("the host sent an unreadable frame")
            return
        if isinstance(frame, ConnectionFailed) and self.egress.on_failed is not None:
            place = Place(frame.host, frame.port)
            self.egress.on_failed(Failure(place, frame.why, frame.error))

    def _is_cdp(self, message: bytes) -> bool:
        return message[:1] == b"{"  # a MessagePack frame never begins with a brace
