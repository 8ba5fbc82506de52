"""Folders that only the current user can read, whatever the umask."""

from __future__ import annotations

import os

__all__ = ["make_private_folder"]


def make_private_folder(folder: str | os.PathLike[str]) -> None:
    """Create a folder, and those above it that are missing, for this user alone. Folders that
    exist stay as they are.

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
