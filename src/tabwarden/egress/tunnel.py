"""A tunnel: two connections that pass their bytes to each other.

The tunnel reads each side only as fast as the other side accepts data. If one side stops sending or
resets its connection, the tunnel does the same on the other side.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable

from tabwarden.egress.addresses import Address
from tabwarden.egress.origins import Place

HALF_CLOSED_S = 30.0
"""How long, in seconds, the proxy waits for the server's remaining data after the browser has
finished sending. Browsers wait about as long.
"""


class Tunnel:
    """One tunnel.

    ``address`` is the server's address; None if the user's own proxy chose it. ``may_send`` is
    called before each chunk of the browser's data; if it returns False, the tunnel closes.
    ``ended`` is called once, when the tunnel closes.
    """

    def __init__(
        self,
        place: Place,
        address: Address | None,
        may_send: Callable[[], bool],
        ended: Callable[[Tunnel], None],
    ) -> None:
        self.place = place
        self.address = address
        self.near = _End()
        """The browser's side."""
        self.far = _End()
        self.near.tunnel = self.far.tunnel = self
        self.near.other, self.far.other = self.far, self.near
        self.may_send = may_send
        self._ended = ended
        self._over = False
        self._patience: asyncio.TimerHandle | None = None

    def begin(self, near: asyncio.Transport) -> None:
        """Start passing bytes, now that the browser's side is connected too."""
        self.near.transport = near
        if self.far.transport is None:
            reset(near)
        else:
            self.far.transport.resume_reading()

    def cut(self) -> None:
        """Close both sides immediately."""
        for end in (self.near, self.far):
            if end.transport is not None:
                reset(end.transport)

    def half_closed(self, end: _End) -> None:
        """Handle the end of one side's data."""
        if self.near.said_all and self.far.said_all:
            self._close()
        elif end is self.near and self._patience is None:
            loop = asyncio.get_running_loop()
            self._patience = loop.call_later(HALF_CLOSED_S, self._close)

    def lost(self, end: _End, error: Exception | None) -> None:
        """Close the other side too: immediately if there was an error, otherwise after the
        remaining data is sent.
        """
        other = end.other.transport
        if other is not None and error is not None:
            reset(other)
        elif other is not None:
            other.close()
        if not self._over:
            self._over = True
            if self._patience is not None:
                self._patience.cancel()
            self._ended(self)

    def _close(self) -> None:
        for end in (self.near, self.far):
            if end.transport is not None:
                end.transport.close()


class _End(asyncio.Protocol):
    """One side of a tunnel. Only the server's side uses ``connection_made``."""

    tunnel: Tunnel
    other: _End

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.said_all = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.pause_reading()  # until the browser's side is connected and can accept data

    def data_received(self, data: bytes) -> None:
        if self is self.tunnel.near and not self.tunnel.may_send():
            self.tunnel.cut()
        elif self.other.transport is not None:
            self.other.transport.write(data)

    def eof_received(self) -> bool:
        self.said_all = True
        other = self.other.transport
        if other is not None and not other.is_closing():
            other.write_eof()
        self.tunnel.half_closed(self)
        return True

    def pause_writing(self) -> None:
        if self.other.transport is not None:
            self.other.transport.pause_reading()

    def resume_writing(self) -> None:
        if self.other.transport is not None:
            self.other.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.tunnel.lost(self, exc)
        self.transport = None


def reset(transport: asyncio.Transport) -> None:
    """Close the connection without sending the remaining data. The peer sees a reset."""
    connection = transport.get_extra_info("socket")
    if connection is not None and connection.fileno() >= 0:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
