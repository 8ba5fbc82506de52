"""Files over HTTP. Clients upload files to the upload folder, and download files that actions
saved. A name is a file name, never a path. Only regular files inside their folder are served: no
links, devices or folders.
"""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
import os
import stat
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
from starlette.requests import ClientDisconnect
from starlette.responses import FileResponse
from starlette.types import Message, Receive, Scope, Send

from tabwarden.config import BrowserConfig, download_folder, output_folder, upload_folder
from tabwarden.digits import whole_number
from tabwarden.errors import Cancelled, InvalidArgument, TabwardenError
from tabwarden.files.download_folder import PartialFile, StoredFile, checked_filename, is_incomplete
from tabwarden.recording import trace_folder


class ServedFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder whose files are served to clients."""

    name: str
    """The folder's name in the route."""
    word: str
    """The folder's name in errors: ``download`` for the folder that ``download_dir`` sets."""
    of: Callable[[BrowserConfig], Path]
    """Returns the folder's path."""


def _screenshots(config: BrowserConfig) -> Path:
    return download_folder(config) / "screenshots"


FOLDERS: Mapping[str, ServedFolder] = {
    one.name: one
    for one in (
        ServedFolder(name="uploads", word="upload", of=upload_folder),
        ServedFolder(name="downloads", word="download", of=download_folder),
        ServedFolder(name="screenshots", word="download", of=_screenshots),
        ServedFolder(name="outputs", word="output", of=output_folder),
        ServedFolder(name="traces", word="trace", of=trace_folder),
    )
}
"""The served folders, by name. The folder of saved states is not served, because its files contain
login cookies.
"""


def route_to(config: BrowserConfig, path: str | None) -> str | None:
    """Return the route that serves a file; None if the file is not in a served folder.

    Args:
        config: the configuration of the file's task.
        path: the file's path; None if it is unknown.
    """
    if path is None:
        return None
    file = Path(path)
    for folder in FOLDERS.values():
        if folder.name != "uploads" and folder.of(config).resolve() == file.parent:
            return f"/files/{folder.name}/{quote(file.name)}"
    return None


BODY_S = 20.0
"""How long a client may take to send a request body."""
STALLED_S = 60.0
"""How long a client may take to read the data that the server sent."""

_MOST = 1000
"""The maximum number of files in a list."""
_READING = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # opening a FIFO would wait for a writer
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class NoSuchFile(InvalidArgument):
    """The folder has no regular file with this name."""

    def __init__(self, name: str, served: ServedFolder) -> None:
        super().__init__(
            f"There is no file {name[:200]!r} in {served.name}.",
            f"To list the files, send GET /files/{served.name}.",
            field="name",
        )


def checked_name(name: str, served: ServedFolder) -> str:
    """Return ``name``. Raise ``Denied`` or ``InvalidArgument`` if it is not a file name."""
    try:
        checked_filename(name, served.word)
    except TabwardenError as error:
        error.data["field"] = "name"
        raise
    if is_incomplete(name):
        raise NoSuchFile(name, served)
    return name


def open_file(folder: Path, name: str, served: ServedFolder) -> BufferedReader:
    """Open a file in a folder for reading.

    Raises:
        Denied: the name leads out of the folder. InvalidArgument: the name is not a file name.
            NoSuchFile: the file does not exist, or is not a regular file.
    """
    path = folder / checked_name(name, served)
    try:
        if not stat.S_ISREG(path.lstat().st_mode):  # opening a device can have side effects
            raise NoSuchFile(name, served)
        descriptor = os.open(path, _READING)
    except (OSError, ValueError):
        raise NoSuchFile(name, served) from None
    file = os.fdopen(descriptor, "rb")
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # exchanged meanwhile
        file.close()
        raise NoSuchFile(name, served)
    return file


def delete_file(folder: Path, name: str, served: ServedFolder) -> None:
    """Delete a file in a folder. Raises the same errors as ``open_file``."""
    path = folder / checked_name(name, served)
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise NoSuchFile(name, served)
        path.unlink()  # if the file was just replaced by a link, this removes only the link
    except OSError:
        raise NoSuchFile(name, served) from None


def list_files(folder: Path, served: ServedFolder, *, sha256: bool) -> dict[str, Any]:
    """Return the newest files of a folder, and the total number of files.

    Args:
        folder: the folder; it need not exist.
        served: the folder's entry in ``FOLDERS``.
        sha256: also read each file, for its hash.
    """
    found = sorted(_files(folder, served), key=lambda one: one[1].st_mtime_ns, reverse=True)
    rows = []
    for name, about in found[:_MOST]:
        row = about_file(name, about)
        if sha256:
            try:
                with open_file(folder, name, served) as file:
                    row["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
            except NoSuchFile:  # deleted meanwhile
                continue
        rows.append(row)
    return {"files": rows, "total": len(found)}


def about_file(name: str, about: os.stat_result) -> dict[str, Any]:
    """Return the description of a file for clients."""
    return {
        "filename": name,
        "size": about.st_size,
        "mimeType": mimetypes.guess_type(name)[0] or "application/octet-stream",
        "modifiedAt": about.st_mtime,
    }


def _files(folder: Path, served: ServedFolder) -> list[tuple[str, os.stat_result]]:
    """Yield the files that ``open_file`` would open."""
    found = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError, TabwardenError):
                about = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(about.st_mode):
                    found.append((checked_name(entry.name, served), about))
    return found


UPLOAD_BYTES_PER_S = 64 * 1024
"""How fast a client must send a file, on average. Without this limit, slow clients could occupy all
places.
"""

_UNWANTED = ("Content-Range", "Content-Encoding")
MB = 1024 * 1024


class FileTooLarge(InvalidArgument):
    """The file exceeds ``server.max_upload_mb``."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"The file is larger than {most / MB:g} MB, which is the limit (server.max_upload_mb).",
            "Send a smaller file, or ask the operator to raise the limit.",
            field="body",
        )


class Pace(NamedTuple):
    """The minimum speed at which a client must send."""

    stall_s: float = BODY_S
    """How long the client may send nothing."""
    bytes_per_s: float = UPLOAD_BYTES_PER_S
    """The minimum average speed, not counting one pause of ``stall_s``."""


def check_headers(headers: Mapping[str, str], most: int) -> None:
    """Check a file's request headers before its body is read. Args: headers: the request's headers,
    by names in any case. most: the maximum file size, in bytes.

    Raises:
        FileTooLarge: the body is longer.
        InvalidArgument: the body is a part of a file, or a form.
    """
    length = whole_number(headers.get("content-length", ""))
    if length is not None and length > most:
        raise FileTooLarge(most)
    for name in _UNWANTED:
        if name.lower() in headers:
            raise InvalidArgument(
                f"This route does not support {name}.",
                "Send the whole file, without encoding.",
                field=name,
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
    """Write a file into a folder. The complete file replaces an older file with the same name. If
    writing fails, no part of the file remains.

    Args:
        pieces: the file's content.
        folder: the folder for the file. It is created if missing.
        name: the file's name.
        served: the folder's entry in ``FOLDERS``.
        most: the maximum file size, in bytes. pace: the minimum speed of the pieces.

    Raises:
        Denied: the name leads out of the folder.
        FileTooLarge: the file is longer than ``most``.
        InvalidArgument: the name is not a file name, the pieces arrive too slowly, or the folder
            can't be written to.
        Cancelled: the client disconnected.
    """
    checked_name(name, served)
    with await asyncio.to_thread(PartialFile, folder, f"{served.word}_dir") as file:
        try:
            await _write(pieces, file, most, pace)
        except TimeoutError:
            raise InvalidArgument(
                f"The upload was too slow: after {file.size} bytes, too little data arrived for "
                f"{pace.stall_s:g} s.",
                "Send the file again over a faster connection.",
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
                limit.reschedule(None)  # the time for writing to disk is not counted
                await asyncio.to_thread(file.write, piece)
                due = began + pace.stall_s + file.size / pace.bytes_per_s
                limit.reschedule(min(due, now() + pace.stall_s))


_HEADERS = {"Content-Security-Policy": "default-src 'none'; sandbox"}


class OpenedFile(FileResponse):
    """A response with a file, or with ranges of it if the client requests them. The response closes
    the file.

    Args:
        file: the result of ``open_file``.
        name: the name under which the client saves the file.
    """

    def __init__(self, file: BufferedReader, name: str) -> None:
        descriptor = file.fileno()
        opened = Path(
            f"/dev/fd/{descriptor}"
        )  # this is the file that was checked, even if the path has changed
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
            pass  # the client has stopped reading, so the server closes the connection
        finally:
            self._file.close()
