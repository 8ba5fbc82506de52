"""Send an open file, so that no browser runs it: it is a download of no type."""

from __future__ import annotations

import asyncio
import os
from io import BufferedReader
from pathlib import Path

from starlette.responses import FileResponse
from starlette.types import Message, Receive, Scope, Send

from tabwarden.surfaces.http.timing import STALLED_S

_HEADERS = {"Content-Security-Policy": "default-src 'none'; sandbox"}


class OpenedFile(FileResponse):
    """The response, in ranges if the client asks for them. It closes the file.

    Args:
        file: what ``open_file`` returned.
        name: the name that the client saves it under.
    """

    def __init__(self, file: BufferedReader, name: str) -> None:
        descriptor = file.fileno()
        opened = Path(f"/dev/fd/{descriptor}")  # the file that was checked, whatever is there now
        super().__init__(
            opened if opened.exists() else file.name,
            media_type="application/octet-stream",
            filename=name,
            stat_result=os.fstat(descriptor),
            headers=_HEADERS,
        )
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(STALLED_S):
                await send(message)

        try:
            await super().__call__(scope, receive, send_in_time)
        except TimeoutError:
            pass  # the client reads no more: the server closes the connection
        finally:
            self._file.close()
