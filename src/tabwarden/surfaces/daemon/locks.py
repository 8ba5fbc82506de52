"""Who holds a session: a lock on a file, and the process that wrote its id there."""

from __future__ import annotations

import os
import time

from tabwarden.locks import try_lock

__all__ = ["FileLock", "holder"]


_LOOK_S = 0.02


class FileLock:
    """A lock that at most one process holds; the file stays, as another may wait for it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd: int | None = None

    def take(self, deadline: float) -> bool:
        """Wait for it until ``deadline`` (``time.monotonic()``); whether it was got."""
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        while not try_lock(fd):
            if time.monotonic() >= deadline:
                os.close(fd)
                return False
            time.sleep(_LOOK_S)
        self._fd = fd
        return True

    def note(self, pid: int) -> None:
        """Write down who holds it."""
        assert self._fd is not None
        os.ftruncate(self._fd, 0)
        os.lseek(self._fd, 0, os.SEEK_SET)
        os.write(self._fd, str(pid).encode())

    def release(self) -> None:
        """Let it go."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def holder(path: str) -> int | None:
    """The process that holds a lock, by what it wrote there; None: nobody does."""
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
    return int(written) if written.isdigit() else None
