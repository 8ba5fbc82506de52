"""Write a file that a client sends: piece by piece, within limits of size and time."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import NamedTuple

from starlette.requests import ClientDisconnect

from tabwarden.digits import whole_number
from tabwarden.errors import Cancelled, InvalidArgument
from tabwarden.files.download_folder import PartialFile, StoredFile
from tabwarden.surfaces.http.files.confined import checked_name
from tabwarden.surfaces.http.files.folders import ServedFolder
from tabwarden.surfaces.http.timing import BODY_S, UPLOAD_BYTES_PER_S

_UNWANTED = ("Content-Range", "Content-Encoding")
_MB = 1024 * 1024


class FileTooLarge(InvalidArgument):
    """The file exceeds ``server.max_upload_mb``."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"The file is larger than {most / _MB:g} MB, which is the limit "
            "(server.max_upload_mb).",
            "Send a smaller file, or ask the operator for a higher limit.",
            field="body",
        )


class Pace(NamedTuple):
    """How slowly a client may send."""

    stall_s: float = BODY_S
    """How long it may send nothing."""
    bytes_per_s: float = UPLOAD_BYTES_PER_S
    """How much it must send on average, apart from ``stall_s`` once."""


def check_headers(headers: Mapping[str, str], most: int) -> None:
    """Refuse a file by its request's headers, before its body is read.

    Args:
        headers: the request's, by names in any case.
        most: the longest file, in bytes.

    Raises:
        FileTooLarge: the body is longer.
        InvalidArgument: the body is only a part of a file, or is not the file itself.
    """
    length = whole_number(headers.get("content-length", ""))
    if length is not None and length > most:
        raise FileTooLarge(most)
    for name in _UNWANTED:
        if name.lower() in headers:
            raise InvalidArgument(
                f"This route takes no {name}.", "Send the whole file as it is.", field=name
            )
    if headers.get("content-type", "").lower().startswith("multipart/"):
        raise InvalidArgument(
            "The body is a form, not a file.",
            "Send the file itself as the body (curl -T FILE).",
            field="Content-Type",
        )


async def receive_file(
    pieces: AsyncIterator[bytes],
    folder: Path,
    name: str,
    served: ServedFolder,
    *,
    most: int,
    pace: Pace = Pace(),  # noqa: B008  # it is frozen
) -> StoredFile:
    """Write a file into a folder. It gets its name when it is complete, in place of an older one.
    If that fails, nothing of it stays.

    Args:
        pieces: the file's content.
        folder: where the file goes. It is created if missing.
        name: the file's name.
        served: what the folder is to clients.
        most: the longest file, in bytes.
        pace: how slowly the pieces may come.

    Raises:
        Denied: the name leads out of the folder.
        FileTooLarge: the file is longer than ``most``.
        InvalidArgument: it is no file's name, the pieces come too slowly, or the folder can't be
            written to.
        Cancelled: the client disconnected.
    """
    checked_name(name, served)
    with await asyncio.to_thread(PartialFile, folder, f"{served.word}_dir") as file:
        try:
            await _write(pieces, file, most, pace)
        except TimeoutError:
            raise InvalidArgument(
                f"The file came too slowly: {file.size} bytes, then too little for "
                f"{pace.stall_s:g} s.",
                "Send it again over a faster connection.",
                field="body",
            ) from None
        except ClientDisconnect:
            raise Cancelled("The HTTP client disconnected before it sent the whole file.") from None
        mime_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return await asyncio.to_thread(file.keep, name, mime_type, overwrite=True)


async def _write(pieces: AsyncIterator[bytes], file: PartialFile, most: int, pace: Pace) -> None:
    now = asyncio.get_running_loop().time
    began = now()
    async with asyncio.timeout(pace.stall_s) as limit:
        async for piece in pieces:
            if file.size + len(piece) > most:
                raise FileTooLarge(most)
            if piece:
                limit.reschedule(None)  # a slow disk is not the client's fault
                await asyncio.to_thread(file.write, piece)
                due = began + pace.stall_s + file.size / pace.bytes_per_s
                limit.reschedule(min(due, now() + pace.stall_s))
