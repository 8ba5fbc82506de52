"""RelayFiles: moves files between this machine and a browser's host."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tabwarden.errors import TabwardenError
from tabwarden.fleet.client.dialing import LeaseOver, dial
from tabwarden.fleet.client.timing import DIAL_S, TRANSFER_STALL_S
from tabwarden.fleet.leasing import Lease
from tabwarden.fleet.relaying import FILE_PIECE, TransferAnswer, TransferRequest


class RelayFiles:
    """The files of one lease's browser."""

    def __init__(self, lease: Lease, download_dir: str) -> None:
        self._lease = lease
        self._download_dir = download_dir

    @property
    def download_dir(self) -> str:
        return self._download_dir

    async def put(self, path: Path) -> str:
        """See ``BrowserFiles.put``."""
        connection = await self._asked(TransferRequest("put", path.name))
        async with connection:
            try:
                with path.open("rb") as file:
                    while piece := await asyncio.to_thread(file.read, FILE_PIECE):
                        await connection.send(piece)
                await connection.send(b"")
                return (await _answer(connection)).path
            except ConnectionClosed as closed:
                raise OSError(f"the connection to the host closed: {closed}") from None

    async def fetch(self, name: str, path: Path) -> None:
        """See ``BrowserFiles.fetch``."""
        connection = await self._asked(TransferRequest("fetch", name))
        async with connection:
            try:
                await _answer(connection)
                with path.open("xb") as file:
                    while piece := await _piece(connection):
                        await asyncio.to_thread(file.write, piece)
            except (ConnectionClosed, OSError) as error:
                await asyncio.to_thread(path.unlink, missing_ok=True)
                raise OSError(str(error)) from None

    async def _asked(self, request: TransferRequest) -> ClientConnection:
        try:
            connection = await dial(self._lease, "files", DIAL_S)
        except (LeaseOver, TabwardenError) as error:
            raise OSError(str(error)) from None
        await connection.send(msgspec.msgpack.encode(request))
        return connection


async def _piece(connection: ClientConnection) -> bytes:
    async with asyncio.timeout(TRANSFER_STALL_S):
        return await connection.recv(decode=False)


async def _answer(connection: ClientConnection) -> TransferAnswer:
    answer = msgspec.msgpack.decode(await _piece(connection), type=TransferAnswer)
    if answer.error:
        raise OSError(answer.error)
    return answer
