"""Names of the files that are written for an agent: plain, safe everywhere, in one folder."""

from __future__ import annotations

import mimetypes
from email.message import Message
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import unquote, urlsplit

from pathvalidate import ValidationError, validate_filename

from tabwarden.errors import Denied, InvalidArgument

__all__ = ["checked_filename", "extension_of", "from_disposition", "from_url"]

_MAX_BYTES = 150
"""File systems take 255; a number must still fit."""


def checked_filename(name: str) -> str:
    """A name that a caller gave.

    Raises:
        Denied: it leads out of the folder.
        InvalidArgument: it is no plain name of a file on every system.
    """
    if not isinstance(name, str) or not name.strip() or "\0" in name:
        raise _not_plain(name, "that is no name")
    windows, posix = PureWindowsPath(name), PurePosixPath(name)
    if windows.drive or windows.root or posix.is_absolute() or ".." in (*windows.parts,):
        raise Denied(
            f"{name[:200]!r} lies outside the download folder.",
            "Give a plain name such as 'report.pdf'; the folder is download_dir of the "
            "configuration.",
            field="filename",
        )
    if "/" in name or "\\" in name:
        raise _not_plain(name, "there are no folders in the download folder")
    if name.startswith(".") or name != name.strip():
        raise _not_plain(name, "it begins with a dot, or with or ends in a space")
    if len(name.encode("utf-8", "replace")) > _MAX_BYTES:
        raise _not_plain(name, f"it is longer than {_MAX_BYTES} bytes")
    try:
        validate_filename(name, platform="universal", max_len=_MAX_BYTES)
        name.encode("utf-8")
    except (ValidationError, UnicodeEncodeError) as error:
        reason = getattr(error, "reason", None)
        raise _not_plain(name, str(getattr(reason, "description", "it can't be encoded"))) from None
    return name


def from_disposition(value: str) -> str:
    """The name in a ``Content-Disposition`` header; "" when it has none."""
    header = Message()
    header["content-disposition"] = value
    try:
        return header.get_filename("") or ""
    except (LookupError, ValueError):  # an encoding that nobody knows
        return ""


def from_url(url: str) -> str:
    """The last part of a URL's path; "" when it ends in a slash."""
    return unquote(urlsplit(url).path.rpartition("/")[2], errors="replace")


def extension_of(mime_type: str) -> str:
    """What names of such files end in; "" for what says nothing."""
    if mime_type in ("", "application/octet-stream", "binary/octet-stream"):
        return ""
    return mimetypes.guess_extension(mime_type) or ""


def _not_plain(name: object, why: str) -> InvalidArgument:
    return InvalidArgument(
        f"{str(name)[:200]!r} can't be a file's name here: {why}.",
        "Give a plain name such as 'report.pdf', or none.",
        field="filename",
    )
