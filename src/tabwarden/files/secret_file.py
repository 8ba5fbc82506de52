"""Write files that only the current user can read, regardless of the umask."""

from __future__ import annotations

import logging
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from tabwarden.files.plain_file import read_plain_file
from tabwarden.files.private_folder import make_private_folder

__all__ = [
    "is_private",
    "kept_secret",
    "open_private",
    "replace_private_file",
    "write_private_file",
]

logger = logging.getLogger(__name__)


def open_private(path: Path, mode: str) -> IO[bytes]:
    """Open a file to write bytes to it. A new file can be read only by this user.

    Raises:
        OSError: it can't be written.
    """
    return open(path, mode, opener=lambda name, flags: os.open(name, flags, 0o600))


def write_private_file(path: Path, data: bytes) -> None:
    """Write a file. A new file can be read only by this user.

    Raises:
        OSError: it can't be written.
    """
    with open_private(path, "wb") as file:
        file.write(data)


def replace_private_file(path: Path, data: bytes) -> None:
    """Replace a file, or create it and its folder. Programs that read the file meanwhile get the
    old content or the new one. Only this user can read the file.

    Raises:
        OSError: it can't be written.
    """
    make_private_folder(path.parent)
    os.replace(_written(path, data), path)


def kept_secret(path: Path, make: Callable[[], bytes]) -> bytes:
    """Return the secret in a file. Create the file if it is missing; replace it if it is empty or
    readable by others. Programs that create the file at the same time get the same secret.

    Args:
        path: the file; its folder is created if missing.
        make: a function that generates a new secret.

    Raises:
        OSError: the file can't be written.
    """
    make_private_folder(path.parent)
    if path.exists():
        kept = read_plain_file(path)
        if kept.strip() and is_private(path):
            return kept
        logger.warning(
            "%s was readable by other users or empty, so Tabwarden is replacing it", path
        )
        os.replace(_written(path, make()), path)
    else:
        fresh = _written(path, make())
        try:
            os.link(fresh, path)
        except FileExistsError:  # another program created the file first: use its secret
            pass
        finally:
            fresh.unlink()
    return read_plain_file(path)


def is_private(path: Path) -> bool:
    """Whether only the owner of a file can read it."""
    # Windows has no permission bits: there, the user's own folder protects the file.
    others = stat.S_IRWXG | stat.S_IRWXO
    return os.name == "nt" or not path.stat().st_mode & others


def _written(path: Path, data: bytes) -> Path:
    """Write data to a new file next to ``path`` that only this user can read (mkstemp)."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with open(handle, "wb") as file:
            file.write(data)
    except OSError:
        os.unlink(name)
        raise
    return Path(name)
