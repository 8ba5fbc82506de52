"""The interface of a wire: send messages, receive messages, close."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

MAX_MESSAGE_BYTES = 512 * 1024 * 1024
"""The maximum length of a message; a longer message closes the wire. The results of our page
scripts are far shorter.
"""


class Wire(Protocol):
    """A two-way stream of CDP messages. Only ``send`` may be called from any thread; the other
    methods must be called on the event loop's thread.
    """

    def start(self, on_message: Callable[[bytes], None], on_close: Callable[[str], None]) -> None:
        """Start reading. Call ``on_message`` for each message, and ``on_close(reason)`` once when
        the wire has closed. Both callbacks run inside the read loop, so neither may await."""
        ...

    def send(self, message: bytes) -> None:
        """Queue one message without waiting. Does nothing if the wire has closed, because
        ``on_close`` has already reported the closure.
        """
        ...

    async def aclose(self) -> None:
        """Close the wire. Calls ``on_close``, unless it has already been called."""
        ...
