"""The scratch folder of one launch: its temporary profile, its TMPDIR, and who keeps it tidy."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tabwarden.endpoints import janitor as janitor_program
from tabwarden.endpoints.janitor import MAGIC, MARKER, PREFIX, is_scratch, remove_scratch
from tabwarden.endpoints.profile_lock import Holder, living_holder
from tabwarden.locks import try_lock

__all__ = [
    "Janitor",
    "Leftover",
    "Scratch",
    "find_leftovers",
    "scratch_base",
    "sweep_leftovers",
    "sweep_leftovers_once",
]

log = logging.getLogger("tabwarden.endpoints")

_NEVER_BEGUN_S = 60.0

_LONGEST_TMPDIR = 60
"""Chrome puts a socket below TMPDIR; a socket's path has at most 104 (macOS) or 108 bytes."""


def _fits(scratch: Path) -> bool:
    return len(os.fsencode(scratch / "tmp")) <= _LONGEST_TMPDIR


def scratch_base() -> Path:
    """Where scratch folders go: the temporary folder, or /tmp where that is too deep."""
    usual, short = Path(tempfile.gettempdir()).resolve(), Path("/tmp")
    if _fits(usual / f"{PREFIX}12345678") or not os.access(short, os.W_OK):
        return usual
    return short


class Scratch:
    """A folder of mode 0700 that only lives as long as its browser; ``create`` makes one.

    Its marker file is locked for as long as this process holds it, so whoever finds the folder
    can tell a leftover from one in use, across containers that share a temporary folder too.
    """

    def __init__(self, folder: Path, lock_fd: int) -> None:
        self.folder = folder
        self._lock_fd: int | None = lock_fd

    @classmethod
    def create(cls) -> Scratch:
        """Make a fresh one in the temporary folder."""
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=scratch_base())).resolve()
        lock_fd = os.open(folder / MARKER, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        scratch = cls(folder, lock_fd)
        try:
            try_lock(lock_fd)
            os.write(lock_fd, MAGIC + b"%d\n" % os.getpid())
            (folder / "profile").mkdir(mode=0o700)
            (folder / "tmp").mkdir(mode=0o700)
        except BaseException:
            scratch.remove()
            raise
        return scratch

    @property
    def profile(self) -> Path:
        """Where a temporary profile goes."""
        return self.folder / "profile"

    def environment(self, given: Mapping[str, str]) -> dict[str, str]:
        """The browser's environment: what it leaves in TMPDIR, and its crash reports, are here."""
        environment = {"BREAKPAD_DUMP_LOCATION": str(self.folder / "crashes"), **given}
        if _fits(self.folder):
            environment["TMPDIR"] = str(self.folder / "tmp")
        return environment

    def remove(self, timeout_s: float = 5.0) -> bool:
        """Let go of the folder and remove it; safe to call again. Blocks up to ``timeout_s``."""
        if self._lock_fd is not None:
            os.close(self._lock_fd)  # Windows removes no open file
            self._lock_fd = None
        return remove_scratch(str(self.folder), timeout_s)


class Janitor:
    """Our end of the janitor process; see ``janitor.py``."""

    def __init__(self, process: subprocess.Popen[bytes] | None) -> None:
        self._process = process

    @classmethod
    def start(cls, scratch: Scratch) -> Janitor:
        """Start one for ``scratch``. Without a Python to run it, only the sweep remains."""
        program = Path(janitor_program.__file__)
        if not sys.executable or getattr(sys, "frozen", False) or not program.is_file():
            log.debug("no janitor: this Python cannot start another")
            return cls(None)
        return cls(
            subprocess.Popen(
                [
                    *(sys.executable, "-I", "-S", "-E", str(program)),
                    *(str(scratch.folder), str(os.getpid())),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=scratch.folder.anchor,
                start_new_session=True,
                bufsize=0,
            )
        )

    def watch(self, pid: int) -> None:
        """Tell it which process (and group) to end with us."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(b"%d\n" % pid)

    def dismiss(self, timeout_s: float) -> None:
        """Let it finish (it removes what is left) and reap it. Blocks up to ``timeout_s``."""
        if self._process is None or self._process.stdin is None:
            return
        self._process.stdin.close()
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            log.warning("the janitor (pid %d) still cleans up", self._process.pid)


class Leftover(NamedTuple):
    """A scratch folder whose owner is gone."""

    folder: Path
    browser: Holder | None
    """The browser that still runs there, should the janitor have been killed too."""


def find_leftovers(folder: Path | None = None) -> list[Leftover]:
    """Scratch folders whose owner is dead; nothing is changed.

    Args:
        folder: where to look; where ours are made when None.
    """
    return [
        Leftover(path, living_holder(path / "profile"))
        for path in sorted((folder or scratch_base()).glob(f"{PREFIX}*"))
        if is_scratch(str(path)) and _has_no_owner(path)
    ]


def sweep_leftovers(folder: Path | None = None) -> list[Path]:
    """Remove scratch folders whose owner is dead, should a janitor have been killed too.

    Args:
        folder: where to look; where ours are made when None.

    Returns:
        What was removed.
    """
    removed = []
    for path in (folder or scratch_base()).glob(f"{PREFIX}*"):
        orphan = is_scratch(str(path)) and _has_no_owner(path) and not _has_browser(path)
        ours = orphan and remove_scratch(str(path), 1.0)
        if ours or _was_never_begun(path):
            log.info("removed %s, left behind by a process that is gone", path)
            removed.append(path)
    return removed


_swept = threading.Event()


def sweep_leftovers_once() -> None:
    """Sweep in the background, at this process's first launch only."""
    if not _swept.is_set():
        _swept.set()
        threading.Thread(target=sweep_leftovers, name="tabwarden-sweep", daemon=True).start()


def _was_never_begun(path: Path) -> bool:
    """Whether it was the empty folder of somebody killed while making it; it is gone then."""
    try:
        found = path.lstat()
        if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
            return False
        if time.time() - found.st_mtime < _NEVER_BEGUN_S:
            return False
        path.rmdir()  # only ever succeeds on an empty one
    except OSError:
        return False
    return True


def _has_browser(path: Path) -> bool:
    return living_holder(path / "profile") is not None


def _has_no_owner(path: Path) -> bool:
    try:
        fd = os.open(path / MARKER, os.O_RDWR)
    except OSError:
        return False
    try:
        return try_lock(fd)
    finally:
        os.close(fd)
