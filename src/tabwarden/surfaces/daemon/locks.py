"""A lock file, which contains the process id of the lock's owner."""

from __future__ import annotations

import os
import time

from tabwarden.digits import whole_number
from tabwarden.files.locks import try_lock

LOCK_POLL_S = 0.02
"""The pause between two attempts to get the lock."""


class FileLock:
    """A lock that only one process can hold.

    The file is never deleted, because other processes may be waiting for its lock.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd: int | None = None

    def take(self, deadline: float) -> bool:
        """Wait for the lock until ``deadline`` (``time.monotonic()``). Return whether it was
        acquired.
        """
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        while not try_lock(fd):
            if time.monotonic() >= deadline:
                os.close(fd)
                return False
            time.sleep(LOCK_POLL_S)
        self._fd = fd
        return True

    def note(self, pid: int) -> None:
        """Write the owner's process id into the file."""
        assert self._fd is not None
        os.ftruncate(self._fd, 0)
        os.lseek(self._fd, 0, os.SEEK_SET)
        os.write(self._fd, str(pid).encode())

    def release(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def holder(path: str) -> int | None:
    """Return the process id in the lock file at ``path``; None if the lock is free."""
    try:
        fd = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return None
    try:
        if try_lock(fd):
            return None
        written = os.read(fd, 32)
    finally:
        os.close(fd)
    return whole_number(written.decode("ascii", "replace"))
