"""Locks on open files. The operating system releases the lock when the process exits, even after a
crash.

Other processes can still read the file. We don't use the ``filelock`` package: it locks a path
instead of an open file, and importing it takes 90 ms of CPU time, more than everything else that
the command-line client does.
"""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["is_held", "locked_file", "try_lock"]

_BYTE = 1 << 20
"""Offset of the byte that we lock on Windows. It is beyond the content, because locked bytes can't
be read.
"""


def try_lock(fd: int) -> bool:
    """Try to lock the file until ``fd`` is closed. Return whether this succeeded.

    On Windows, this moves the file position to the beginning.
    """
    try:
        if sys.platform == "win32":
            os.lseek(fd, _BYTE, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
            os.lseek(fd, 0, os.SEEK_SET)
        else:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def locked_file(folder: str | os.PathLike[str], prefix: str, suffix: str = "") -> tuple[str, int]:
    """Create a file that only this user can read, and lock it; return its path and descriptor."""
    import tempfile  # slow to import

    while True:
        fd, name = tempfile.mkstemp(suffix, prefix, os.fspath(folder))
        if try_lock(fd) and os.path.exists(name):  # otherwise another process has removed the file
            return name, fd
        os.close(fd)


def is_held(path: str | os.PathLike[str]) -> bool:
    """Whether the process that called ``locked_file`` still has the file open. If that process has
    exited, remove the file.
    """
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        if not try_lock(fd):
            return True
        os.unlink(path)  # while holding the lock, so that no other process can lock the file
    except OSError:  # Windows can't remove an open file
        return False
    finally:
        os.close(fd)
    return False
