"""Chrome for Testing, Google's build for automation, from its download host."""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tabwarden.budget import Budget
from tabwarden.endpoints.discover import Installed
from tabwarden.endpoints.install.archive import unpack
from tabwarden.endpoints.install.download import Source, download
from tabwarden.endpoints.install.place import in_thread
from tabwarden.endpoints.install.report import Progress

__all__ = ["PINNED", "Build", "ChromeForTesting", "this_platform"]


class Build(NamedTuple):
    """One platform's archive and where its executable is inside."""

    source: Source
    executable: str


_VERSION = "141.0.7390.54"
_HOST = f"https://storage.googleapis.com/chrome-for-testing-public/{_VERSION}"

PINNED: Mapping[str, Build] = {
    # The checksums are those of SeleniumHQ/selenium, common/repositories.bzl: Google publishes
    # none. Other platforms are not pinned there.
    "linux64": Build(
        Source(
            f"{_HOST}/linux64/chrome-linux64.zip",
            "sha256-5023ec2b8995b74caa5de0e22d5e30f871c3ecce67a6e52d3c9f9dfed423ed01",
        ),
        "chrome-linux64/chrome",
    ),
    "mac-x64": Build(
        Source(
            f"{_HOST}/mac-x64/chrome-mac-x64.zip",
            "sha256-9d6b740d792d1d9e51198f98176813a5d1962c763a09cd708053b5aa3dfaa5df",
        ),
        "chrome-mac-x64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    ),
}


def this_platform() -> str:
    """This system in Chrome for Testing's words: "linux64", "mac-arm64", "win64", …."""
    system = {"linux": "linux", "darwin": "mac", "win32": "win"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    if machine in {"x86_64", "amd64"}:
        return "mac-x64" if system == "mac" else f"{system}64"
    return f"{system}-{'arm64' if machine in {'arm64', 'aarch64'} else machine}"


class ChromeForTesting:
    """The recipe: download, check, unpack.

    Args:
        builds: by platform, instead of the pinned ones.
        version: theirs.
    """

    name = "chrome-for-testing"

    def __init__(self, builds: Mapping[str, Build] = PINNED, version: str = _VERSION) -> None:
        self._builds = builds
        self.version = version

    def refusal(self) -> str | None:
        """See ``Way.refusal``."""
        if this_platform() in self._builds:
            return None
        return f"no checksum is pinned for {this_platform()}, and nothing is run without one"

    async def prepare(self, folder: Path, progress: Progress, budget: Budget) -> Installed:
        """See ``Recipe.prepare``."""
        build = self._builds[this_platform()]
        archive = folder / "download.zip"
        await download(build.source, archive, progress, budget)
        progress(f"unpack {self.name}", 0, None)
        await in_thread(lambda checkpoint: unpack(archive, folder, checkpoint), budget)
        archive.unlink()
        return Installed(self.name, self.version, "chrome", build.executable)
