"""A tunnel: two connections, the bytes of each going to the other as they come.

Each side is read no faster than the other takes it. An end of one direction is passed on, and so is
a reset, so that what a server does is what the browser sees.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable

from tabwarden.egress.addresses import Address
from tabwarden.egress.origins import Place

__all__ = ["Tunnel"]

_HALF_CLOSED_S = 30.0
"""A browser that has said its last word waits for no answer much longer."""


class Tunnel:
    """One tunnel.

    Args:
        place: what the browser asked for.
        address: where it led; None when another proxy decided that.
        ended: called once when it is over.
    """

    def __init__(
        self, place: Place, address: Address | None, ended: Callable[[Tunnel], None]
    ) -> None:
        self.place = place
        self.address = address
        self.near = _End()
        """The browser's side."""
        self.far = _End()
        self.near.tunnel = self.far.tunnel = self
        self.near.other, self.far.other = self.far, self.near
        self._ended = ended
        self._over = False
        self._patience: asyncio.TimerHandle | None = None

    def begin(self, near: asyncio.Transport) -> None:
        """Let the bytes go: the browser's side stands too."""
        self.near.transport = near
        if self.far.transport is None:
            reset(near)
        else:
            self.far.transport.resume_reading()

    def cut(self) -> None:
        """End both sides now."""
        for end in (self.near, self.far):
            if end.transport is not None:
                reset(end.transport)

    def half_closed(self, end: _End) -> None:
        """One side has said its last word."""
        if self.near.said_all and self.far.said_all:
            self._close()
        elif end is self.near and self._patience is None:
            loop = asyncio.get_running_loop()
            self._patience = loop.call_later(_HALF_CLOSED_S, self._close)

    def lost(self, end: _End, error: Exception | None) -> None:
        """One side is gone, so the other goes too: after what it was given, or at once if the
        connection broke."""
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
    """One side of a tunnel. ``connection_made`` is for the far one alone."""

    tunnel: Tunnel
    other: _End

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.said_all = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.pause_reading()  # until there is somebody to give it to

    def data_received(self, data: bytes) -> None:
        if self.other.transport is not None:
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
    """Close without waiting for what was not sent: the other side sees a reset."""
    connection = transport.get_extra_info("socket")
    if connection is not None and connection.fileno() >= 0:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
