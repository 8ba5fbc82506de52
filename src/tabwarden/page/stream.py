"""Streams of the browser (``IO``): a body or a document, piece by piece."""

from __future__ import annotations

import base64
from collections.abc import AsyncGenerator

from tabwarden.protocol import io
from tabwarden.supervisor import Race

__all__ = ["pieces"]

_PIECE = 1 << 18
"""The browser waits until it has so much, or the end: this is how finely progress is told."""


async def pieces(race: Race, session_id: str, handle: str) -> AsyncGenerator[bytes, None]:
    """What a stream holds; the next piece is on its way while one is dealt with.

    Leave it with ``contextlib.aclosing``: the browser keeps the stream until it is closed.

    Raises:
        CommandRefused: it can't be read (further).
    """
    read = io.Read(handle=handle, size=_PIECE)
    pending = race.start(read, session_id)
    try:
        while True:
            piece = await race.result(pending)
            if not piece.eof:
                pending = race.start(read, session_id)
            data = piece.data.encode()
            if data:
                yield base64.b64decode(data) if piece.base64_encoded else data
            if piece.eof:
                return
    finally:
        race.supervisor.send(io.Close(handle=handle), session_id)
