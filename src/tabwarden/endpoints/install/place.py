"""Store each installed browser in its own folder, which appears only when it is complete."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import Candidate, Installed, Probed, probe
from tabwarden.endpoints.install.archive import Checkpoint, HostileArchive
from tabwarden.endpoints.install.report import InstallFailed, Progress
from tabwarden.files.locks import try_lock
from tabwarden.files.plain_file import read_plain_file

ABANDONED_S = 3600.0
"""A staging folder that has not changed for this long is a leftover from a crash."""
T = TypeVar("T")

_RECORD = "tabwarden.json"
_STAGING = ".staging-"
_LOCK = ".lock"


class Recipe(Protocol):
    """Fills the folder of one browser."""

    @property
    def name(self) -> str:
        """The browser's name, the first part of the folder name."""
        ...

    @property
    def version(self) -> str:
        """The browser's version, the second part of the folder name."""
        ...

    def refusal(self) -> str | None: ...

    async def prepare(self, folder: Path, progress: Progress, budget: Budget) -> Installed:
        """Put the browser into ``folder`` and describe it.

        Raises:
            InstallFailed, HostileArchive: the browser could not be installed.
        """
        ...


class FolderMethod:
    """Runs a recipe in a staging folder, starts the browser once, and moves the folder into place.

    Several processes may install the same browser at once. Each process has its own staging folder.
    The first process to move its folder wins, and the others use that folder.
    """

    def __init__(self, recipe: Recipe, name: str | None = None) -> None:
        self._recipe = recipe
        self.name = name or f"{recipe.name} {recipe.version}"

    def refusal(self) -> str | None:
        return self._recipe.refusal()

    async def bring(self, folder: Path, progress: Progress, budget: Budget) -> tuple[Probed, bool]:
        final = folder / f"{self._recipe.name}-{self._recipe.version}"
        present = await _probe_folder(final, budget)
        if present is not None and present.works:
            return present, True
        staging = _Staging(folder)
        try:
            await self._fill(staging.folder, progress, budget)
            staging.release()
            return await self._move(staging.folder, final, budget), False
        except OSError as error:
            raise InstallFailed(f"{type(error).__name__}: {error}") from error
        finally:
            staging.remove()

    async def _fill(self, staging: Path, progress: Progress, budget: Budget) -> None:
        try:
            installed = await self._recipe.prepare(staging, progress, budget)
        except HostileArchive as error:
            raise InstallFailed(str(error)) from error
        _write_record(staging, installed)
        progress(f"start {self.name}", 0, None)
        probed = await _probe_folder(staging, budget)
        if probed is None or not probed.works:
            raise InstallFailed(probed.reason if probed else "its executable is missing")

    async def _move(self, staging: Path, final: Path, budget: Budget) -> Probed:
        if not _rename(staging, final):
            # Another process was faster, or a broken installation occupies the folder.
            present = await _probe_folder(final, budget)
            if present is not None and present.works:
                return present
            _remove_folder(final)
            _rename(staging, final)
        probed = await _probe_folder(final, budget)
        if probed is None or not probed.works:
            raise InstallFailed(
                probed.reason if probed else f"{final} could not be moved into place"
            )
        return probed


async def in_thread(work: Callable[[Checkpoint], T], budget: Budget) -> T:
    """Run blocking work in a thread. If the caller is canceled, the thread stops soon afterwards.

    Raises:
        InstallFailed: the time budget ran out first.
    """
    stop = threading.Event()

    def checkpoint() -> None:
        if stop.is_set() or budget.expired or budget.cancelled:
            raise InstallFailed("no time was left")

    running = asyncio.get_running_loop().run_in_executor(None, work, checkpoint)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait({running})
        if not running.cancelled():
            running.exception()  # mark the error as retrieved: the caller is no longer waiting
        raise


async def _probe_folder(folder: Path, budget: Budget) -> Probed | None:
    try:
        installed = msgspec.json.decode(read_plain_file(folder / _RECORD), type=Installed)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    path = folder / installed.executable
    if not path.is_file():
        return None
    return await probe(
        Candidate(installed.kind, path, "installed", installed.headless_only), budget
    )


class _Staging:
    """A new folder below ``parent`` for one installation. The folder is locked while the
    installation runs.

    Creating this object also removes the folders of killed installations.
    """

    def __init__(self, parent: Path) -> None:
        self._lock_fd: int | None = None
        try:
            parent.mkdir(parents=True, exist_ok=True)
            for path in parent.glob(f"{_STAGING}*"):
                if _is_abandoned(path):
                    shutil.rmtree(path, ignore_errors=True)
            self.folder = Path(tempfile.mkdtemp(prefix=_STAGING, dir=parent))
            self._lock_fd = os.open(self.folder / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise InstallFailed(f"{parent} cannot be written: {error}") from error
        if try_lock(self._lock_fd):
            # If this file has content but no lock, its folder counts as abandoned.
            os.write(self._lock_fd, b"locked\n")

    def release(self) -> None:
        """Release the lock, because Windows can't move a folder that contains an open file."""
        if self._lock_fd is not None:
            os.close(self._lock_fd)
            self._lock_fd = None
            (self.folder / _LOCK).unlink(missing_ok=True)

    def remove(self) -> None:
        self.release()
        shutil.rmtree(self.folder, ignore_errors=True)


def _is_abandoned(staging: Path) -> bool:
    with contextlib.suppress(OSError):
        try:
            fd = os.open(staging / _LOCK, os.O_RDWR)
        except FileNotFoundError:  # the folder is about to be locked or moved, or it is very old
            return time.time() - staging.stat().st_mtime > ABANDONED_S
        try:
            return bool(os.read(fd, 1)) and try_lock(fd)
        finally:
            os.close(fd)
    return False


def _write_record(folder: Path, installed: Installed) -> None:
    folder.chmod(0o755)
    (folder / _RECORD).write_bytes(msgspec.json.encode(installed))


def _rename(folder: Path, to: Path) -> bool:
    """Move a folder to an unused name; return False if the name is taken."""
    if to.exists():  # otherwise rename would replace an empty folder
        return False
    try:
        os.rename(folder, to)
    except OSError as error:
        if error.errno in {errno.EEXIST, errno.ENOTEMPTY, errno.EACCES}:
            return False
        raise
    return True


def _remove_folder(folder: Path) -> None:
    """Remove a folder. Rename it first, so that no process sees a partly removed installation."""
    aside = Path(tempfile.mkdtemp(prefix=_STAGING, dir=folder.parent))
    with contextlib.suppress(FileNotFoundError):
        os.replace(folder, aside / "broken")
    shutil.rmtree(aside, ignore_errors=True)
