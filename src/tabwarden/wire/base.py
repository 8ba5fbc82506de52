"""The interface of a wire: send messages, receive messages, close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

MAX_MESSAGE_BYTES = 512 * 1024 * 1024
"""Maximum length of a message. A longer message closes the wire. Our scripts in the page limit
results to far less.
"""


class Wire(Protocol):
    """A duplex stream of CDP messages. Call ``send`` from any thread, the rest on the loop's
    thread."""

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        """Start reading. Call ``on_message`` for each message, and ``on_close(reason)`` once when
        the wire has closed.

        Neither callback may await: they run inside the read loop.
        """
        ...

    def send(self, message: bytes) -> None:
        """Queue one message, from any thread; never waits. Does nothing if the wire has closed,
        because ``on_close`` has already reported that.
        """
        ...

    async def aclose(self) -> None:
        """Close the wire. Calls ``on_close`` unless it was already called."""
        ...
