"""What a wire is: messages out, messages in, one end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

__all__ = ["MAX_MESSAGE_BYTES", "Wire"]

MAX_MESSAGE_BYTES = 512 * 1024 * 1024
"""A message above this ends the wire. Results are capped in the page long before."""


class Wire(Protocol):
    """One duplex stream of CDP messages. All methods but ``send`` belong to the event loop's
    thread."""

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        """Deliver each message to ``on_message`` and the end, once, to ``on_close(reason)``.

        Neither callback may await: they run inside the read loop.
        """
        ...

    def send(self, message: bytes) -> None:
        """Queue one message, from any thread; never waits. On a dead wire it does nothing:
        ``on_close`` has told already."""
        ...

    async def aclose(self) -> None:
        """Close our side. ``on_close`` is called if it was not before."""
        ...
