"""Where installed browsers live: each in a folder of its own, which appears whole or not at all."""

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
from tabwarden.endpoints.discover import Candidate, Installed
from tabwarden.endpoints.install.archive import Checkpoint, HostileArchive
from tabwarden.endpoints.install.report import Progress, WayFailed
from tabwarden.endpoints.probe import Found, probe
from tabwarden.locks import try_lock

__all__ = ["FolderWay", "Recipe", "in_thread"]

T = TypeVar("T")

_RECORD = "tabwarden.json"
_STAGING = ".staging-"
_LOCK = ".lock"
_ABANDONED_S = 3600.0


class Recipe(Protocol):
    """How to fill one browser's folder."""

    @property
    def name(self) -> str:
        """The first half of the folder's name."""
        ...

    @property
    def version(self) -> str:
        """The second half."""
        ...

    def refusal(self) -> str | None:
        """See ``Way.refusal``."""
        ...

    async def prepare(self, folder: Path, progress: Progress, budget: Budget) -> Installed:
        """Fill ``folder`` with the browser; say what is in it.

        Raises:
            WayFailed, HostileArchive: it cannot be had.
        """
        ...


class FolderWay:
    """The way of a recipe: prepare it aside, start it once, move it into place.

    Several may install the same at once: each works in a folder of its own, one move wins, and
    the others take the winner's.
    """

    def __init__(self, recipe: Recipe, name: str | None = None) -> None:
        self._recipe = recipe
        self.name = name or f"{recipe.name} {recipe.version}"

    def refusal(self) -> str | None:
        """See ``Way.refusal``."""
        return self._recipe.refusal()

    async def bring(self, folder: Path, progress: Progress, budget: Budget) -> tuple[Found, bool]:
        """See ``Way.bring``."""
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
            raise WayFailed(f"{type(error).__name__}: {error}") from error
        finally:
            staging.remove()

    async def _fill(self, staging: Path, progress: Progress, budget: Budget) -> None:
        try:
            installed = await self._recipe.prepare(staging, progress, budget)
        except HostileArchive as error:
            raise WayFailed(str(error)) from error
        _write_record(staging, installed)
        progress(f"start {self.name}", 0, None)
        found = await _probe_folder(staging, budget)
        if found is None or not found.works:
            raise WayFailed(found.reason if found else "its executable is missing")

    async def _move(self, staging: Path, final: Path, budget: Budget) -> Found:
        if not _rename(staging, final):
            # Another installation was faster, or a broken one is in the way.
            present = await _probe_folder(final, budget)
            if present is not None and present.works:
                return present
            _remove_folder(final)
            _rename(staging, final)
        found = await _probe_folder(final, budget)
        if found is None or not found.works:
            raise WayFailed(found.reason if found else f"{final} could not be put into place")
        return found


async def in_thread(work: Callable[[Checkpoint], T], budget: Budget) -> T:
    """Run blocking work in a thread, which stops soon after the caller does.

    Raises:
        WayFailed: the budget ended meanwhile.
    """
    stop = threading.Event()

    def checkpoint() -> None:
        if stop.is_set() or budget.expired or budget.cancelled:
            raise WayFailed("there was no time left")

    running = asyncio.get_running_loop().run_in_executor(None, work, checkpoint)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait({running})
        if not running.cancelled():
            running.exception()  # seen: the caller has gone
        raise


async def _probe_folder(folder: Path, budget: Budget) -> Found | None:
    try:
        installed = msgspec.json.decode((folder / _RECORD).read_bytes(), type=Installed)
    except (OSError, msgspec.DecodeError):
        return None
    path = folder / installed.executable
    if not path.is_file():
        return None
    return await probe(
        Candidate(installed.kind, path, "installed", installed.headless_only), budget
    )


class _Staging:
    """A fresh folder for one installation, below ``parent``; what killed ones left there goes.

    A lock tells whether its installation still runs.
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
            raise WayFailed(f"{parent} cannot be written: {error}") from error
        if try_lock(self._lock_fd):
            os.write(self._lock_fd, b"locked\n")  # only now does a free lock mean abandoned

    def release(self) -> None:
        """Let go of the lock: Windows moves no folder with an open file."""
        if self._lock_fd is not None:
            os.close(self._lock_fd)
            self._lock_fd = None
            (self.folder / _LOCK).unlink(missing_ok=True)

    def remove(self) -> None:
        """Remove what is left of it."""
        self.release()
        shutil.rmtree(self.folder, ignore_errors=True)


def _is_abandoned(staging: Path) -> bool:
    with contextlib.suppress(OSError):
        try:
            fd = os.open(staging / _LOCK, os.O_RDWR)
        except FileNotFoundError:  # about to be locked, or about to be moved; or it is very old
            return time.time() - staging.stat().st_mtime > _ABANDONED_S
        try:
            return bool(os.read(fd, 1)) and try_lock(fd)
        finally:
            os.close(fd)
    return False


def _write_record(folder: Path, installed: Installed) -> None:
    folder.chmod(0o755)
    (folder / _RECORD).write_bytes(msgspec.json.encode(installed))


def _rename(folder: Path, to: Path) -> bool:
    """Move a folder to a name that nothing has; False: something has it."""
    if to.exists():  # where rename would replace an empty folder, or fail
        return False
    try:
        os.rename(folder, to)
    except OSError as error:
        if error.errno in {errno.EEXIST, errno.ENOTEMPTY, errno.EACCES}:
            return False
        raise
    return True


def _remove_folder(folder: Path) -> None:
    """Out of the way first, so that nobody sees it half removed."""
    aside = Path(tempfile.mkdtemp(prefix=_STAGING, dir=folder.parent))
    with contextlib.suppress(FileNotFoundError):
        os.replace(folder, aside / "broken")
    shutil.rmtree(aside, ignore_errors=True)
