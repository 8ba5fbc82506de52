"""Transfer: put a client's file where the browser can read it, or hand out a downloaded file."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable
from pathlib import Path

import msgspec
from websockets.asyncio.server import ServerConnection

from tabwarden.fleet.hosting.hosted_browser import HostedBrowser
from tabwarden.fleet.relaying import (
    TransferAnswer,
    receive_file,
    receive_request,
    send_answer,
    send_file,
)
from tabwarden.secret_file import open_private

_GUID = re.compile(r"[A-Za-z0-9-]{1,64}")
"""The browser names its downloads so."""
_BAD_NAMES = {"", ".", ".."}


async def transfer(
    connection: ServerConnection, browser: HostedBrowser, allows: Callable[[], bool]
) -> None:
    """Serve one transfer (``relaying``). Raise ``ConnectionClosed`` if the client left."""
    try:
        asked = await receive_request(connection)
        if asked.kind == "put":
            path = await _put(connection, browser.upload_dir, asked.name, allows)
            await send_answer(connection, TransferAnswer(str(path)))
        else:
            await _hand_out(connection, browser.download_dir, asked.name)
    except (OSError, msgspec.DecodeError, TimeoutError) as error:
        await send_answer(connection, TransferAnswer(error=f"{error}" or type(error).__name__))


async def _put(
    connection: ServerConnection, folder: Path, name: str, allows: Callable[[], bool]
) -> Path:
    if name in _BAD_NAMES or "/" in name or "\0" in name:
        raise OSError(f"{name[:100]!r} is not a file name")
    place = folder / secrets.token_hex(8)  # two files may have the same name
    place.mkdir(mode=0o700)
    path = place / name
    with open_private(path, "xb") as file:
        async for piece in receive_file(connection):
            if not allows():
                raise OSError("the lease is over")
            await asyncio.to_thread(file.write, piece)
    return path


async def _hand_out(connection: ServerConnection, folder: Path, name: str) -> None:
    if not _GUID.fullmatch(name):
        raise OSError(f"{name[:100]!r} is not a download")
    path = folder / name
    if path.is_symlink():
        raise OSError(f"{name!r} is not a file")
    with path.open("rb") as file:
        await send_answer(connection, TransferAnswer())
        await send_file(connection, file)
    path.unlink()
