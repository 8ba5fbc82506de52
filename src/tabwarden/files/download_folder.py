"""The download folder. Only this module decides in which folder, and under which name, a downloaded
file is stored.

An incomplete file has a unique name: the browser's GUID for the download, or a name from
``PartialFile``. When the file is complete, it gets a safe final name.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import mimetypes
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Self

import msgspec

from tabwarden.errors import Denied, InvalidArgument
from tabwarden.files.locks import is_held, locked_file
from tabwarden.files.private_folder import make_private_folder

__all__ = [
    "PartialFile",
    "StoredFile",
    "checked_filename",
    "is_incomplete",
    "remove_abandoned",
    "rename_file",
    "store_download",
    "with_extension",
]

_NAME_MAX = 150
"""The maximum length of a name in bytes. File systems allow 255 bytes; we reserve the difference
for an added number.
"""
_ENDING_MAX = 20
_TRICKS = re.compile("[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters that are invisible or change the text direction, and so can disguise an extension."""
_GUID = re.compile(r"[A-Za-z0-9-]{1,64}")
"""Check a GUID before it is used as a file name, because the browser may not be trustworthy."""
_ARRIVING = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.crdownload)?")
"""The name of a file that a browser is still writing: the download's GUID."""
_PART, _PART_ENDING = ".tabwarden-", ".part"
_SAYS_NOTHING = ("", "application/octet-stream", "binary/octet-stream")


class StoredFile(msgspec.Struct, frozen=True, kw_only=True):
    """A complete file under its final name."""

    path: str
    filename: str
    size: int
    mime_type: str
    """The type that the server declared, or else a guess from the file name."""
    sha256: str


class PartialFile:
    """A temporary file in a folder, which is created if missing. Leaving the ``with`` block deletes
    the file, unless ``keep`` was called.

    Args:
        folder: the folder.
        setting: the configuration key that sets the folder, for errors.

    ``write`` and ``keep`` access the disk, so call them in a worker thread.

    Raises:
        InvalidArgument: Tabwarden can't write to the folder. Any method may raise this.
    """

    def __init__(self, folder: Path, setting: str = "download_dir") -> None:
        self._folder = folder
        self._setting = setting
        self._hash = hashlib.sha256()
        self.size = 0
        """Bytes written so far."""
        try:
            make_private_folder(folder)
            name, descriptor = locked_file(folder, _PART, _PART_ENDING)
            self._path = Path(name)
            self._file = os.fdopen(descriptor, "wb")
        except OSError as error:
            raise self._unwritable(error) from None

    def write(self, data: bytes) -> None:
        try:
            self._file.write(data)
        except OSError as error:
            raise self._unwritable(error) from None
        self._hash.update(data)
        self.size += len(data)

    def restart(self) -> None:
        """Discard the data written so far."""
        self._file.seek(0)
        self._file.truncate()
        self._hash = hashlib.sha256()
        self.size = 0

    def keep(self, name: str, mime_type: str, *, overwrite: bool = False) -> StoredFile:
        """Rename the file to its final name. Unless ``overwrite`` is set, add a number if the name
        is taken.
        """
        try:
            self._file.flush()
            if os.name == "nt":
                self._file.close()  # otherwise Windows does not rename the file
            path = rename_file(self._path, name, overwrite=overwrite).resolve()
            self._file.close()  # only now, because closing the file releases its lock
        except OSError as error:
            raise self._unwritable(error) from None
        return StoredFile(
            path=str(path),
            filename=path.name,
            size=self.size,
            mime_type=mime_type,
            sha256=self._hash.hexdigest(),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _unwritable(self, error: OSError) -> InvalidArgument:
        return InvalidArgument(
            f"Tabwarden can't write to the {self._setting.removesuffix('_dir')} folder "
            f"{self._folder}: {error.strerror}.",
            f"Free up space there or choose another folder (configuration: {self._setting}).",
            field=self._setting,
        )


def remove_abandoned(folder: Path) -> None:
    """Remove incomplete files that killed processes left behind."""
    for path in folder.glob(f"{_PART}*{_PART_ENDING}"):
        is_held(path)


def store_download(folder: Path, guid: str, suggested: str) -> StoredFile:
    """Rename the file that the browser downloaded to ``folder`` to its final name.

    Raises:
        OSError: the file is missing or outside the folder, or the folder can't be written to.
    """
    if not _GUID.fullmatch(guid):
        raise OSError(errno.EINVAL, "the browser reported a file outside the folder")
    arrived = folder / guid
    with arrived.open("rb") as file:
        if not arrived.is_symlink():
            with suppress(PermissionError):  # the browser might run as another user
                arrived.chmod(0o600)
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        size = file.tell()
    path = rename_file(arrived, suggested)
    return StoredFile(
        path=str(path),
        filename=path.name,
        size=size,
        mime_type=mimetypes.guess_type(path.name)[0] or _SAYS_NOTHING[1],
        sha256=sha256,
    )


def rename_file(arrived: Path, suggested: str, *, overwrite: bool = False) -> Path:
    """Rename a file within its folder to a safe form of ``suggested``; return its new path.

    If the name is taken, add a number: ``report.pdf``, ``report (1).pdf``.

    Raises:
        OSError: the file is missing, or the folder can't be written to.
    """
    names = _names(suggested)
    if overwrite:
        return arrived.replace(arrived.parent / next(names))
    for candidate in names:
        wanted = arrived.parent / candidate
        try:
            os.link(arrived, wanted)  # fails if the name is taken, unlike rename
        except FileExistsError:
            continue
        except OSError:  # this file system has no hard links
            if wanted.exists():
                continue
            arrived.rename(wanted)
            return wanted
        arrived.unlink()
        return wanted
    raise AssertionError("unreachable")


def with_extension(name: str, mime_type: str) -> str:
    """Return the name. If it has no extension, add the default extension for the type."""
    if PureWindowsPath(name).suffix or mime_type in _SAYS_NOTHING:
        return name
    return name + (mimetypes.guess_extension(mime_type) or "")


def is_incomplete(name: str) -> bool:
    """Whether a file with this name in a download folder may still be incomplete."""
    return name.startswith(".") or _ARRIVING.fullmatch(name) is not None


def checked_filename(name: str, folder: str = "download") -> str:
    """Check a caller's file name, and return it unchanged.

    Args:
        name: the name.
        folder: the name of the file's folder, for errors: its configuration key without ``_dir``.

    Raises:
        Denied: the name leads outside the folder.
        InvalidArgument: the name is not a plain file name that all operating systems accept.
    """
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        raise _not_plain(name, "it is empty or contains a null character")
    windows, posix = PureWindowsPath(name), PurePosixPath(name)
    if windows.drive or windows.root or posix.is_absolute() or ".." in windows.parts:
        raise Denied(
            f"Invalid path: {name[:200]!r} is outside the {folder} folder.",
            f"Use a plain name such as 'report.pdf'. The folder is set by {folder}_dir in the "
            "configuration.",
            field="filename",
        )
    if "/" in name or "\\" in name:
        raise InvalidArgument(
            f"Invalid path: {name[:200]!r} is not a file name. The {folder} folder has no "
            "subfolders.",
            "Give a plain name such as 'report.pdf', or omit the name.",
            field="filename",
        )
    if name.startswith(".") or name != name.strip():
        raise _not_plain(name, "it begins with a dot, or it begins or ends with a space")
    if len(name.encode("utf-8", "replace")) > _NAME_MAX:
        raise _not_plain(name, f"it is longer than {_NAME_MAX} bytes")
    from pathvalidate import ValidationError, validate_filename  # slow to import

    try:
        validate_filename(name, platform="universal", max_len=_NAME_MAX)
        name.encode("utf-8")
    except (ValidationError, UnicodeEncodeError) as error:
        reason = getattr(error, "reason", None)
        raise _not_plain(name, str(getattr(reason, "description", "it can't be encoded"))) from None
    return name


def _not_plain(name: object, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"{str(name)[:200]!r} is not a valid file name: {why}.",
        "Give a plain name such as 'report.pdf', or omit the name.",
        field="filename",
    )


def _names(suggested: str) -> Iterator[str]:
    from pathvalidate import sanitize_filename  # slow to import

    whole = suggested.encode("utf-8", "replace").decode()  # a lone surrogate can't be encoded
    last = whole.replace("\\", "/").rpartition("/")[2]
    cut = _cut(_TRICKS.sub("", last))
    name = sanitize_filename(cut, platform="universal", max_len=_NAME_MAX).lstrip(". ")
    stem, dot, ending = name.rpartition(".")
    if not dot or not stem:
        stem, ending = name, ""
    stem = stem or "download"
    ending = f".{ending}" if ending else ""
    return itertools.chain(
        [f"{stem}{ending}"], (f"{stem} ({n}){ending}" for n in itertools.count(1))
    )


def _cut(name: str) -> str:
    """Shorten a name to ``_NAME_MAX`` bytes, but keep the extension: it shows the file type."""
    if len(name.encode()) <= _NAME_MAX:
        return name
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending.encode()) > _ENDING_MAX:
        stem, dot, ending = name, "", ""
    room = _NAME_MAX - len(f"{dot}{ending}".encode())
    return f"{stem.encode()[:room].decode('utf-8', 'ignore').rstrip('. ')}{dot}{ending}"
