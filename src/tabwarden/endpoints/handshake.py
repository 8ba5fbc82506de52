"""The first question to a browser, on a wire that is handed on afterwards."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from tabwarden.wire import Connection, Wire

__all__ = ["HandoverWire", "ask_product"]


class _Version(msgspec.Struct):
    product: str = ""


async def ask_product(wire: Wire) -> tuple[str | None, str]:
    """Ask ``Browser.getVersion``; the wire may be started again afterwards.

    Waits as long as it takes: the caller holds the deadline.

    Returns:
        The product ("Chrome/156.0.8078.79"; "" from one that speaks CDP but does not tell) and
        "", or None and why the wire ended.
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
    """A wire that can be started again with new callbacks, as ``PipeWire`` can.

    A WebSocket wire cannot, and opening a second socket is not the same: remote providers end
    the browser when the first one closes.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
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
        """See ``Wire.send``."""
        self._wire.send(message)

    async def aclose(self) -> None:
        """See ``Wire.aclose``."""
        await self._wire.aclose()

    def _received(self, message: bytes) -> None:
        self._on_message(message)

    def _ended(self, reason: str) -> None:
        self._end_reason = reason
        self._on_close(reason)
