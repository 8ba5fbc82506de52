"""Scratch folders: temporary folders that are removed even if their process is killed. A launch has
one for its temporary profile and its TMPDIR."""

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

from tabwarden.endpoints.profiles import janitor as janitor_program
from tabwarden.endpoints.profiles.janitor import MAGIC, MARKER, PREFIX, is_scratch, remove_scratch
from tabwarden.endpoints.profiles.lock import Holder, living_holder
from tabwarden.files.locks import try_lock

NEVER_BEGUN_S = 60.0
"""An empty scratch folder older than this is a leftover. A launch writes to its folder sooner than
that.
"""

log = logging.getLogger("tabwarden.endpoints")


_LONGEST_TMPDIR = 60
"""Maximum length of TMPDIR in bytes. Chrome creates a socket in a folder below TMPDIR, and a
socket's path can have at most 104 bytes on macOS and 108 bytes on Linux.
"""


def _fits(scratch: Path) -> bool:
    return len(os.fsencode(scratch / "tmp")) <= _LONGEST_TMPDIR


def scratch_base() -> Path:
    """Return the parent of scratch folders: the temporary folder, or /tmp if the temporary folder's
    path is too long.
    """
    usual, short = Path(tempfile.gettempdir()).resolve(), Path("/tmp")
    if _fits(usual / f"{PREFIX}12345678") or not os.access(short, os.W_OK):
        return usual
    return short


class Scratch:
    """A folder with mode 0700 that exists as long as its browser, or else its process, runs.

    This process holds a lock on the folder's marker file. The lock shows other processes whether a
    folder is in use or a leftover, even in other containers that share the temporary folder.
    """

    def __init__(self, folder: Path, lock_fd: int) -> None:
        self.folder = folder
        self._lock_fd: int | None = lock_fd

    @classmethod
    def create(cls, purpose: str = "", beside: Path | None = None) -> Scratch:
        """Create a scratch folder.

        Args:
            purpose: a part of its name; by default, the folder is for a launch.
            beside: the folder in which to create it, as a hidden folder; by default, the temporary
                folder.
        """
        prefix = f"{PREFIX}{purpose}" if beside is None else f".{PREFIX}{purpose}"
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=beside or scratch_base())).resolve()
        lock_fd = os.open(folder / MARKER, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        scratch = cls(folder, lock_fd)
        try:
            try_lock(lock_fd)
            os.write(lock_fd, MAGIC + b"%d\n" % os.getpid())
            for name in () if purpose else ("profile", "tmp"):
                (folder / name).mkdir(mode=0o700)
        except BaseException:
            scratch.remove()
            raise
        return scratch

    @property
    def profile(self) -> Path:
        return self.folder / "profile"

    def environment(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the variables in ``given``, changed so that temporary files and crash reports are
        stored in this folder.
        """
        environment = {"BREAKPAD_DUMP_LOCATION": str(self.folder / "crashes"), **given}
        if _fits(self.folder):
            environment["TMPDIR"] = str(self.folder / "tmp")
        return environment

    def remove(self, timeout_s: float = 5.0) -> bool:
        """Unlock and remove the folder; safe to call twice. Blocks up to ``timeout_s``."""
        if self._lock_fd is not None:
            os.close(self._lock_fd)  # Windows can't remove an open file
            self._lock_fd = None
        return remove_scratch(str(self.folder), timeout_s)


class Janitor:
    """Our side of the janitor process; see ``janitor.py``."""

    def __init__(self, process: subprocess.Popen[bytes] | None) -> None:
        self._process = process

    @classmethod
    def start(cls, scratch: Scratch) -> Janitor:
        """Start a janitor, if this Python interpreter can start one. Otherwise only
        ``sweep_leftovers`` cleans up.
        """
        program = Path(janitor_program.__file__)
        if not sys.executable or getattr(sys, "frozen", False) or not program.is_file():
            log.debug("no cleanup process: this Python can't start another process")
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
        """Tell the janitor which process (and process group) to kill when our process exits."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(b"%d\n" % pid)

    def dismiss(self, timeout_s: float) -> None:
        """Let the janitor clean up and exit, then reap it. Blocks up to ``timeout_s``."""
        if self._process is None or self._process.stdin is None:
            return
        self._process.stdin.close()
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            log.warning("the cleanup process (pid %d) is still running", self._process.pid)


class Leftover(NamedTuple):
    """A scratch folder whose owner has exited."""

    folder: Path
    browser: Holder | None
    """The browser that still uses the folder, if the janitor was killed too."""


def find_leftovers(folder: Path | None = None) -> list[Leftover]:
    """Return scratch folders whose owner has exited, below ``folder`` or ``scratch_base()``."""
    return [
        Leftover(path, living_holder(path / "profile"))
        for path in sorted((folder or scratch_base()).glob(f"{PREFIX}*"))
        if is_scratch(str(path)) and _has_no_owner(path)
    ]


def sweep_leftovers(folder: Path | None = None, prefix: str = PREFIX) -> list[Path]:
    """Remove scratch folders whose owner has exited, because a janitor can be killed too; return
    their paths.
    """
    removed = []
    for path in (folder or scratch_base()).glob(f"{prefix}*"):
        orphan = is_scratch(str(path)) and _has_no_owner(path) and not _has_browser(path)
        ours = orphan and remove_scratch(str(path), 1.0)
        if ours or _was_never_begun(path):
            log.info("removed %s, which a dead process left behind", path)
            removed.append(path)
    return removed


_swept = threading.Event()


def sweep_hidden_leftovers(beside: Path) -> list[Path]:
    """Remove folders created with ``Scratch.create(beside=...)`` whose owner has exited; return
    their paths.
    """
    return sweep_leftovers(beside, f".{PREFIX}")


def sweep_leftovers_once() -> None:
    """Remove leftovers in the background, at this process's first launch only."""
    if not _swept.is_set():
        _swept.set()
        threading.Thread(target=sweep_leftovers, name="tabwarden-sweep", daemon=True).start()


def _was_never_begun(path: Path) -> bool:
    """Remove a folder that is empty because its owner was killed. Return whether it was removed."""
    try:
        status = path.lstat()
        if hasattr(os, "geteuid") and status.st_uid != os.geteuid():
            return False
        if time.time() - status.st_mtime < NEVER_BEGUN_S:
            return False
        path.rmdir()  # succeeds only if the folder is empty
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
