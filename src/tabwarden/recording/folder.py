"""Name, list and delete trace files. Only the user can read these files."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from tabwarden.errors import TabwardenError
from tabwarden.files.locks import locked_file
from tabwarden.files.private_folder import make_private_folder

_KEPT = 50
"""Maximum number of incident traces. Older incident traces are deleted."""
_KEPT_BYTES = 300_000_000
_UNFIT = re.compile(r"[^\w.-]+")
_CODES = "|".join(error.code for error in TabwardenError.__subclasses__())
_INCIDENT = re.compile(rf"\d{{8}}-\d{{6}}-.+-(?:{_CODES})(?:-\d+)?\.zip")
"""Matches the names of incident traces from ``new_path``. They contain an error code as the
reason."""


def new_path(folder: Path, task: str, reason: str) -> Path:
    """Return the path of a new trace: ``20261126-101500-task-1-budget_exceeded.zip``."""
    moment = time.strftime("%Y%m%d-%H%M%S")
    name = _UNFIT.sub("-", f"{moment}-{task[:60]}-{reason}")
    path, number = folder / f"{name}.zip", 1
    while path.exists():
        number += 1
        path = folder / f"{name}-{number}.zip"
    return path


def write_private(path: Path, write: Callable[[IO[bytes]], None]) -> None:
    """Write a file that only the user can read. Readers see either the old file or the complete new
    file.

    Raises:
        OSError: the file can't be written.
    """
    make_private_folder(path.parent)
    name, descriptor = locked_file(path.parent, ".tabwarden-", ".part")
    part = Path(name)
    try:
        with open(descriptor, "w+b") as file:
            write(file)
            file.flush()
            if os.name != "nt":
                part.replace(path)  # before the lock is released
        if os.name == "nt":
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def traces_in(folder: Path) -> list[Path]:
    """Return the traces in a folder, newest first."""
    traces = [(one.stat().st_mtime, one) for one in folder.glob("*.zip") if one.is_file()]
    return [path for _, path in sorted(traces, reverse=True)]


def prune(folder: Path) -> None:
    """Delete the oldest incident traces if there are too many. Keep other files: saved traces,
    recordings, and any files that the user put in this folder."""
    total = 0
    incidents = [path for path in traces_in(folder) if _INCIDENT.fullmatch(path.name)]
    for number, path in enumerate(incidents):
        with suppress(OSError):  # another process has already deleted the file
            total += path.stat().st_size
            if number >= _KEPT or (number and total > _KEPT_BYTES):
                path.unlink()
