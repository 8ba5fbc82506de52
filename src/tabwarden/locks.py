"""The lock on an open file, which the system lets go when its process ends, however it ends.

It locks no reader out, so what is written there can be read while somebody holds it. Our own:
``filelock`` locks a path, not an open file, and importing it costs the command
line's client more (90 ms of CPU) than all that it does.
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
"""Which byte Windows locks: one far behind the content, as a locked one can be read by nobody."""


def try_lock(fd: int) -> bool:
    """Take the lock, which lasts until ``fd`` is closed; or say that somebody has it.

    Args:
        fd: an open file. Windows leaves its position at the beginning.
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
