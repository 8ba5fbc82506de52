"""The ports of this machine that no page may reach: debugging ports of browsers that we drive, and
our own servers.

Each claim is an open, locked file in a folder of the user; its name begins with the port. So every
process of the user knows the ports of all others, and a process that was killed leaves no claim.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from tabwarden.locks import try_lock

__all__ = ["PortClaim", "is_own_port"]

_here: dict[int, int] = {}
"""The ports that this process has claimed, and how often."""


class PortClaim:
    """A port that is ours until ``close``, or until the process ends."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._path: Path | None = None
        self._fd = -1
        self._closed = False
        _here[port] = _here.get(port, 0) + 1
        with suppress(OSError):  # a folder that can't be written: only this process knows
            self._write()

    def close(self) -> None:
        """Give the port up. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        _here[self._port] -= 1
        if not _here[self._port]:
            del _here[self._port]
        if self._path is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._fd)

    def __enter__(self) -> PortClaim:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self) -> None:
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for left in folder.iterdir():
            _is_held(left)
        while self._path is None:
            fd, name = tempfile.mkstemp(prefix=f"{self._port}-", dir=folder)
            if try_lock(fd) and os.path.exists(name):  # else another process took it for a leftover
                self._fd, self._path = fd, Path(name)
            else:
                os.close(fd)


def is_own_port(port: int) -> bool:
    """Whether a process of this user has claimed a port of this machine."""
    if port in _here:
        return True
    try:
        return any(_is_held(path) for path in _folder().glob(f"{port}-*"))
    except OSError:
        return False


def _is_held(path: Path) -> bool:
    """Whether a claim's process still runs. Remove the file of one that has ended."""
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        if not try_lock(fd):
            return True
        path.unlink(missing_ok=True)
        return False
    finally:
        os.close(fd)


def _folder() -> Path:
    return user_state_path("tabwarden") / "ports"
