"""Install a browser from the user's file: a zip, a tar, or an executable."""

from __future__ import annotations

import hashlib
import os
import tarfile
import zipfile
from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import Installed
from tabwarden.endpoints.install.archive import Checkpoint, unpack
from tabwarden.endpoints.install.place import in_thread
from tabwarden.endpoints.install.report import InstallFailed, Progress
from tabwarden.endpoints.launching import BrowserKind

_EXECUTABLES: dict[str, BrowserKind] = {
    "chrome": "chrome",
    "chrome.exe": "chrome",
    "Google Chrome for Testing": "chrome",
    "Google Chrome": "chrome",
    "chrome-headless-shell": "chromium",
    "chrome-headless-shell.exe": "chromium",
    "headless_shell": "chromium",
    "chromium": "chromium",
    "Chromium": "chromium",
    "msedge": "edge",
    "msedge.exe": "edge",
    "brave": "brave",
    "brave.exe": "brave",
}


class FromFile:
    """The recipe that unpacks an archive, or uses an executable in its current location."""

    name = "file"

    def __init__(self, file: Path) -> None:
        self._file = file.expanduser().absolute()
        self.version = hashlib.sha256(os.fsencode(self._file)).hexdigest()[:12]

    def refusal(self) -> str | None:
        return None if self._file.is_file() else f"{self._file} does not exist or is not a file"

    async def prepare(self, folder: Path, progress: Progress, budget: Budget) -> Installed:
        progress(f"unpack {self._file.name}", 0, None)
        return await in_thread(lambda checkpoint: self._prepare(folder, checkpoint), budget)

    def _prepare(self, folder: Path, checkpoint: Checkpoint) -> Installed:
        if not (zipfile.is_zipfile(self._file) or tarfile.is_tarfile(self._file)):
            if not os.access(self._file, os.X_OK):
                raise InstallFailed(f"{self._file} is neither a zip, a tar, nor an executable")
            return self._installed(self._file, str(self._file))
        unpack(self._file, folder, checkpoint)
        path = _find_executable(folder)
        if path is None:
            raise InstallFailed(f"{self._file.name} contains no browser executable")
        return self._installed(path, str(path.relative_to(folder)))

    def _installed(self, path: Path, executable: str) -> Installed:
        kind = _EXECUTABLES.get(path.name, "chromium")
        headless_only = "headless-shell" in path.name or path.name == "headless_shell"
        return Installed(self.name, self.version, kind, executable, headless_only)


def _find_executable(folder: Path) -> Path | None:
    """Return the executable file with a browser's name that is closest to the top folder."""
    known = [
        path
        for path in folder.rglob("*")
        if path.name in _EXECUTABLES and path.is_file() and os.access(path, os.X_OK)
    ]
    return min(known, key=lambda path: (len(path.parts), str(path)), default=None)
