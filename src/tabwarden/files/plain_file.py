"""Read a complete, possibly untrusted file, without blocking and without reading endlessly."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

__all__ = ["check_plain_file", "read_plain_file", "read_plain_text", "real_path"]

_MOST_BYTES = 10_000_000
"""The default size limit in bytes: larger than any file with settings, keys or scripts."""


def read_plain_file(path: Path, most_bytes: int = _MOST_BYTES) -> bytes:
    """Return a file's content.

    Raises:
        OSError: the file can't be read, is not a regular file (a pipe or a device might never end),
            or is longer than ``most_bytes``. ``strerror`` describes the reason.
    """
    try:
        with open(path, "rb", opener=_open) as file:
            content = file.read(most_bytes + 1)
    except ValueError as error:  # the path contains a null character or a lone surrogate
        raise OSError(errno.EINVAL, str(error)) from None
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {most_bytes:,} bytes")
    return content


def read_plain_text(path: Path, most_bytes: int = _MOST_BYTES) -> str:
    """Return a file's UTF-8 text, with LF line ends.

    Raises:
        OSError: see ``read_plain_file``; or the file is not UTF-8 text.
    """
    try:
        text = read_plain_file(path, most_bytes).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is not UTF-8 text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def real_path(path: str | Path) -> Path:
    """Return an absolute path without symbolic links. If the links form a loop, ``Path.resolve``
    raises ``RuntimeError``, but this function returns a path that can't be opened.
    """
    return Path(os.path.realpath(path))


def check_plain_file(path: str | Path) -> None:
    """Raise ``OSError`` if the file's status can't be read, or the file is not a regular file."""
    _check(os.stat(path))


def _check(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")


def _open(path: str, flags: int) -> int:
    # Without O_NONBLOCK, opening a pipe blocks until another process opens it to write.
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    try:
        _check(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor
