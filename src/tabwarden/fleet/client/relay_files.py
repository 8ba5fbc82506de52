"""RelayFiles: moves files between this machine and a browser's host."""

from __future__ import annotations

import asyncio
from pathlib import Path

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from tabwarden.errors import TabwardenError
from tabwarden.fleet.client.dialing import LeaseRefused, dial
from tabwarden.fleet.client.timing import DIAL_S
from tabwarden.fleet.leasing import Lease
from tabwarden.fleet.relaying import (
    TransferRequest,
    receive_answer,
    receive_file,
    send_file,
    send_request,
)
from tabwarden.secret_file import open_private


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
        async with await self._request(TransferRequest("put", path.name)) as connection:
            try:
                with path.open("rb") as file:
                    await send_file(connection, file)
                return (await receive_answer(connection)).path
            except ConnectionClosed as closed:
                raise OSError(f"the connection to the host closed: {closed}") from None

    async def fetch(self, name: str, path: Path) -> None:
        """See ``BrowserFiles.fetch``."""
        async with await self._request(TransferRequest("fetch", name)) as connection:
            try:
                await receive_answer(connection)
                with open_private(path, "xb") as file:
                    async for piece in receive_file(connection):
                        await asyncio.to_thread(file.write, piece)
            except (ConnectionClosed, OSError) as error:
                await asyncio.to_thread(path.unlink, missing_ok=True)
                raise OSError(str(error)) from None

    async def _request(self, request: TransferRequest) -> ClientConnection:
        try:
            connection = await dial(self._lease, "files", DIAL_S)
        except (LeaseRefused, TabwardenError) as error:
            raise OSError(str(error)) from None
        await send_request(connection, request)
        return connection
