"""The ports of this machine that no page may reach: debugging ports of browsers that we drive, and
our own servers.

Each claim is an open, locked file in a folder of the user; its name begins with the port. So every
process of the user knows the ports of all others, and a process that was killed leaves no claim.
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
    make_private_folder(folder)
    for left in folder.iterdir():
        is_held(left)
    name, fd = locked_file(folder, f"{port}-")
    return Path(name), fd


def _removed(path: Path, fd: int) -> None:
    path.unlink(missing_ok=True)
    os.close(fd)


def is_own_port(port: int) -> bool:
    """Whether a process of this user has claimed a port of this machine."""
    if any(claim.port == port for claim in list(_here)):
        return True
    try:
        return any(is_held(path) for path in _folder().glob(f"{port}-*"))
    except OSError:
        return False


def _folder() -> Path:
    return user_state_path("tabwarden") / "ports"
