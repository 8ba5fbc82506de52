"""Send the first command to a browser, on a wire that other code uses afterwards."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from tabwarden.own_ports import PortClaim
from tabwarden.wire import Connection, Wire


class _Version(msgspec.Struct):
    product: str = ""


async def ask_product(wire: Wire) -> tuple[str | None, str]:
    """Send ``Browser.getVersion``. The wire can be started again afterwards.

    The caller must set a time limit.

    Returns:
        The product ("Chrome/156.0.8078.79", or "" if unknown) and ""; or None and the reason why
        the wire ended.
    """
    connection = Connection(wire, lambda event: None, lambda reason: None)
    connection.start()
    reply = await connection.call("Browser.getVersion")
    if reply.lost is not None:
        return None, reply.lost
    if reply.result is None:
        return "", ""
    return msgspec.json.decode(reply.result, type=_Version).product, ""


class HandoverWire:
    """Wraps a WebSocket wire so that, like a ``PipeWire``, it can be started again.

    We can't open a second socket instead, because remote providers close the browser when the first
    socket closes.

    Args:
        wire: the open WebSocket.
        claim: the browser's debugging port, if that is on this machine. The wire gives it up.
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
