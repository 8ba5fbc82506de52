"""Read a whole file that somebody else may have written: never wait, never read without end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

__all__ = ["check_plain_file", "read_plain_file", "read_plain_text", "real_path"]

_MOST_BYTES = 10_000_000
"""More than any file of settings, keys or scripts has."""


def read_plain_file(path: Path, most_bytes: int = _MOST_BYTES) -> bytes:
    """Return the content of a file.

    Raises:
        OSError: the file can't be read, is no regular file (a pipe or a device may have no end), or
            is longer than ``most_bytes``. ``strerror`` says it in words.
    """
    try:
        with open(path, "rb", opener=_open) as file:
            content = file.read(most_bytes + 1)
    except ValueError as error:  # the path has a null character, or half of a surrogate pair
        raise OSError(errno.EINVAL, str(error)) from None
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {most_bytes:,} bytes")
    return content


def read_plain_text(path: Path, most_bytes: int = _MOST_BYTES) -> str:
    """Return the UTF-8 text of a file, with plain line ends.

    Raises:
        OSError: as ``read_plain_file``; or the file is no UTF-8 text.
    """
    try:
        text = read_plain_file(path, most_bytes).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is not UTF-8 text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def real_path(path: str | Path) -> Path:
    """Return an absolute path without links. ``Path.resolve`` raises ``RuntimeError`` if links form
    a loop; this returns a path that can't be opened."""
    return Path(os.path.realpath(path))


def check_plain_file(path: str | Path) -> None:
    """Raise ``OSError`` if a path can't be looked at, or is no regular file."""
    _check(os.stat(path))


def _check(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")


def _open(path: str, flags: int) -> int:
    # Without O_NONBLOCK, a pipe waits for somebody who writes.
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    try:
        _check(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
