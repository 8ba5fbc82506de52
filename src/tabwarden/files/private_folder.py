"""Create folders that only the current user can read, regardless of the umask."""

from __future__ import annotations

import os

__all__ = ["make_private_folder"]


def make_private_folder(folder: str | os.PathLike[str]) -> None:
    """Create a folder and its missing parents, readable only by this user. Existing folders stay
    unchanged.

    Raises:
        OSError: a folder can't be created.
    """
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise
    except FileNotFoundError:
        above = os.path.dirname(folder)
        if above in ("", folder):
            raise
        make_private_folder(above)
        os.mkdir(folder, 0o700)
