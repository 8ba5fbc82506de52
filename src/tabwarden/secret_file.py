"""A secret that is made once, and kept in a file that only its user can read."""

from __future__ import annotations

import logging
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

__all__ = ["kept_secret"]

logger = logging.getLogger(__name__)


def kept_secret(path: Path, make: Callable[[], bytes]) -> bytes:
    """The content of a file, made if there is none; whoever else makes it at the same time gets the
    same. One that others may have read, or that is empty, is replaced.

    Args:
        path: its file; the folder is made, too.
        make: gives a fresh one.

    Raises:
        OSError: it can't be kept there.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if path.exists():
        kept = path.read_bytes()
        if kept.strip() and _is_private(path):
            return kept
        logger.warning("%s could be read by others, or is empty: a new one is made", path)
        os.replace(_written(path, make()), path)
    else:
        fresh = _written(path, make())
        try:
            os.link(fresh, path)
        except FileExistsError:  # another program was quicker: its secret is the one
            pass
        finally:
            fresh.unlink()
    return path.read_bytes()


def _written(path: Path, secret: bytes) -> Path:
    """A secret in a file beside ``path``; mkstemp makes it for its user only."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with open(handle, "wb") as file:
        file.write(secret)
    return Path(name)


def _is_private(path: Path) -> bool:
    # Windows has no such bits: there the user's own folder is what protects it.
    others = stat.S_IRWXG | stat.S_IRWXO
    return os.name == "nt" or not path.stat().st_mode & others
