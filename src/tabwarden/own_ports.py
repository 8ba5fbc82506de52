"""The ports on this machine to which no page may connect: the debugging ports of the browsers that
we control, and the ports of our own servers.

Each claim is an open, locked file in one of the user's folders; the file's name begins with the
port. All of the user's processes therefore know each other's ports, and a killed process leaves no
claim behind.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from tabwarden.files.locks import is_held, locked_file
from tabwarden.files.private_folder import make_private_folder

__all__ = ["PortClaim", "is_own_port"]

_here: weakref.WeakSet[PortClaim] = weakref.WeakSet()
"""This process's claims."""


class PortClaim:
    """A claim on a port, until ``close`` is called, the claim is garbage-collected, or the process
    ends.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self._give_up: Callable[[], object] = lambda: None
        with suppress(OSError):  # if the folder is not writable, only this process knows the claim
            self._give_up = weakref.finalize(self, _removed, *_written(port))
        _here.add(self)

    def close(self) -> None:
        """Release the port. Safe to call twice."""
        _here.discard(self)
        self._give_up()

    def __enter__(self) -> PortClaim:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _written(port: int) -> tuple[Path, int]:
    """Create and lock a claim's file; return its path and its descriptor."""
    folder = _folder()
    make_private_folder(folder)
    for left in folder.iterdir():
        is_held(left)
    name, fd = locked_file(folder, f"{port}-")
    return Path(name), fd


def _removed(path: Path, fd: int) -> None:
    path.unlink(missing_ok=True)
    os.close(fd)


def is_own_port(port: int) -> bool:
    """Whether one of this user's processes has claimed a port on this machine."""
    if any(claim.port == port for claim in list(_here)):
        return True
    try:
        return any(is_held(path) for path in _folder().glob(f"{port}-*"))
    except OSError:
        return False


def _folder() -> Path:
    return user_state_path("tabwarden") / "ports"
