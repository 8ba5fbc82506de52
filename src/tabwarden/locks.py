"""A lock on an open file. The system releases it when the process ends, even after a crash.

It doesn't block readers, so others can read the file while a process holds the lock. We don't use
the package ``filelock``, because it locks a path, not an open file. Also, importing it takes 90 ms
of CPU, more than all other work of the command-line client.
"""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["try_lock"]

_BYTE = 1 << 20
"""The position of the byte that Windows locks. It is far behind the content, because a locked byte
can't be read.
"""


def try_lock(fd: int) -> bool:
    """Take the lock, which lasts until ``fd`` is closed; return whether it succeeded.

    Args:
        fd: an open file. On Windows its position moves to the beginning.
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
