"""Confined: read the plain files of one folder, and nothing outside of it.

A name is a file's name and never a path. A link, a device or a folder is no file here.
"""

from __future__ import annotations

import hashlib
import mimetypes
import os
import stat
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import Any

from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.files.download_folder import checked_filename, is_incomplete
from tabwarden.surfaces.http.files.folders import ServedFolder

_MOST = 1000
"""How many files a list names."""
_READING = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO would wait for somebody who writes
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class NoSuchFile(InvalidArgument):
    """The folder has no plain file of this name."""

    def __init__(self, name: str, served: ServedFolder) -> None:
        super().__init__(
            f"There is no file {name[:200]!r} in {served.name}.",
            f"GET /files/{served.name} lists the files.",
            field="name",
        )


def checked_name(name: str, served: ServedFolder) -> str:
    """Return ``name``, or raise ``Denied`` or ``InvalidArgument`` if it is no file's name."""
    try:
        checked_filename(name, served.word)
    except TabwardenError as error:
        error.data["field"] = "name"
        raise
    if is_incomplete(name):
        raise NoSuchFile(name, served)
    return name


def open_file(folder: Path, name: str, served: ServedFolder) -> BufferedReader:
    """Open a file of a folder to read it.

    Raises:
        Denied: the name leads out of the folder.
        InvalidArgument: it is no file's name.
        NoSuchFile: there is no such file, or it is no plain file.
    """
    path = folder / checked_name(name, served)
    try:
        if not stat.S_ISREG(path.lstat().st_mode):  # to open a device can do something
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
    """Delete a file of a folder. Raise as ``open_file`` does."""
    path = folder / checked_name(name, served)
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise NoSuchFile(name, served)
        path.unlink()  # removes a link itself, if somebody has just put one there
    except OSError:
        raise NoSuchFile(name, served) from None


def list_files(folder: Path, served: ServedFolder, *, sha256: bool) -> dict[str, Any]:
    """Return the newest files of a folder, and how many there are.

    Args:
        folder: the folder; it need not exist.
        served: what the folder is to clients.
        sha256: also read each file, for its hash.
    """
    found = sorted(_files(folder, served), key=lambda one: one[1].st_mtime_ns, reverse=True)
    told = []
    for name, about in found[:_MOST]:
        row = about_file(name, about)
        if sha256:
            try:
                with open_file(folder, name, served) as file:
                    row["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
            except NoSuchFile:  # deleted meanwhile
                continue
        told.append(row)
    return {"files": told, "total": len(found)}


def about_file(name: str, about: os.stat_result) -> dict[str, Any]:
    """Return what clients are told of a file."""
    return {
        "filename": name,
        "size": about.st_size,
        "mimeType": mimetypes.guess_type(name)[0] or "application/octet-stream",
        "modifiedAt": about.st_mtime,
    }


def _files(folder: Path, served: ServedFolder) -> list[tuple[str, os.stat_result]]:
    """Return the files that ``open_file`` would open."""
    found = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError, TabwardenError):
                about = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(about.st_mode):
                    found.append((checked_name(entry.name, served), about))
    return found
