"""Transfers: move one file over a WebSocket.

The client sends a ``TransferRequest``. To put a file, the client then sends the file, and the host
sends its reply. To fetch a file, the host sends its reply first, and then the file. A file is sent
as pieces, followed by an empty piece. Each function here raises ``ConnectionClosed`` if the peer
disconnects, and ``TimeoutError`` if it is silent for ``STALL_S`` seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import BinaryIO, Literal

import msgspec
from websockets.asyncio.connection import Connection

from tabwarden.fleet.relaying.frames import unpacked

STALL_S = 30.0
"""A file transfer fails if no piece arrives for this many seconds."""
_PIECE = 1 << 18
"""The size of a piece, in bytes."""


class TransferRequest(msgspec.Struct, frozen=True):
    """A client's request to move a file.

    Attributes:
        kind: ``put`` a file into the task's upload folder, or ``fetch`` a file from its download
            folder.
        name: the file's name, without a folder.
    """

    kind: Literal["put", "fetch"]
    name: str


class TransferAnswer(msgspec.Struct, frozen=True):
    """The host's reply.

    Attributes:
        path: the path of an uploaded file on the host.
        error: why the transfer failed; "" if it succeeded.
    """

    path: str = ""
    error: str = ""


async def send_request(connection: Connection, request: TransferRequest) -> None:
    """Send the client's request."""
    await connection.send(msgspec.msgpack.encode(request))


async def receive_request(connection: Connection) -> TransferRequest:
    """Return the client's request; raise ``msgspec.DecodeError`` if the bytes are not a request."""
    request: TransferRequest = unpacked(await _receive(connection), TransferRequest)
    return request


async def send_answer(connection: Connection, answer: TransferAnswer) -> None:
    """Send the host's reply."""
    await connection.send(msgspec.msgpack.encode(answer))


async def receive_answer(connection: Connection) -> TransferAnswer:
    """Receive the host's reply; raise ``OSError`` if the transfer failed there."""
    answer: TransferAnswer = unpacked(await _receive(connection), TransferAnswer)
    if answer.error:
        raise OSError(answer.error)
    return answer


async def send_file(connection: Connection, file: BinaryIO) -> None:
    """Send the rest of an open file."""
    while piece := await asyncio.to_thread(file.read, _PIECE):
        await connection.send(piece)
    await connection.send(b"")


async def receive_file(connection: Connection) -> AsyncIterator[bytes]:
    """Yield the pieces of the file that the peer sends."""
    while piece := await _receive(connection):
        yield piece


async def _receive(connection: Connection) -> bytes:
    async with asyncio.timeout(STALL_S):
        return await connection.recv(decode=False)
