"""The folder for the files that a browser produces, such as downloads and traces."""

from __future__ import annotations

import atexit
import logging
import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from platformdirs import user_data_path

__all__ = ["data_folder"]

logger = logging.getLogger("tabwarden")


def data_folder() -> Path:
    """Return the user's data folder, which may not exist yet. If that folder is not writable, as in
    a read-only home folder, return a temporary folder of this process.
    """
    usual = user_data_path("tabwarden")
    return usual if _is_writable(usual) else _temporary(usual)


def _is_writable(folder: Path) -> bool:
    there = next(one for one in (folder, *folder.parents) if os.path.exists(one))
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


@cache
def _temporary(usual: Path) -> Path:
    try:
        made = Path(tempfile.mkdtemp(prefix="tabwarden-data-"))  # mode 0700
    except OSError:
        return usual  # the code that writes to the folder reports the error
    logger.warning("%s can't be written: using %s instead", usual, made)
    atexit.register(_remove_if_empty, made)
    return made


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        for one in [*folder.iterdir(), folder]:
            one.rmdir()
