"""The ports of this machine that no page may reach: debugging ports of browsers that we drive, and
our own servers.

Each claim is an open, locked file in a folder of the user; its name begins with the port. So every
process of the user knows the ports of all others, and a process that was killed leaves no claim.
"""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from tabwarden.locks import try_lock

__all__ = ["PortClaim", "is_own_port"]

_here: weakref.WeakSet[PortClaim] = weakref.WeakSet()
"""The claims of this process."""


class PortClaim:
    """A port that is ours until ``close``, until nobody refers to the claim, or until the process
    ends."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._give_up: Callable[[], object] = lambda: None
        with suppress(OSError):  # a folder that can't be written: only this process knows
            self._give_up = weakref.finalize(self, _removed, *_written(port))
        _here.add(self)

    def close(self) -> None:
        """Give the port up. Safe to call twice."""
        _here.discard(self)
        self._give_up()

    def __enter__(self) -> PortClaim:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _written(port: int) -> tuple[Path, int]:
    """Create and lock the file of a claim; return its path and its descriptor."""
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for left in folder.iterdir():
        _is_held(left)
    while True:
        fd, name = tempfile.mkstemp(prefix=f"{port}-", dir=folder)
        if try_lock(fd) and os.path.exists(name):  # else another process took it for a leftover
            return Path(name), fd
        os.close(fd)


def _removed(path: Path, fd: int) -> None:
    path.unlink(missing_ok=True)
    os.close(fd)


def is_own_port(port: int) -> bool:
    """Whether a process of this user has claimed a port of this machine."""
    if any(claim.port == port for claim in list(_here)):
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
