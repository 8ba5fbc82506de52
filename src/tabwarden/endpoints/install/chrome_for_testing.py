"""Chrome for Testing, Google's build for automation, from Google's download server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import Installed
from tabwarden.endpoints.install.archive import unpack
from tabwarden.endpoints.install.download import Source, download
from tabwarden.endpoints.install.place import in_thread
from tabwarden.endpoints.install.report import Progress
from tabwarden.endpoints.remedy import this_platform


class Build(NamedTuple):
    """The archive for one platform, and the path of the executable in it."""

    source: Source
    executable: str


_VERSION = "153.0.8010.12"
_HOST = f"https://storage.googleapis.com/chrome-for-testing-public/{_VERSION}"
_APP = "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"


def _build(platform: str, executable: str, sha256: str) -> Build:
    archive = f"chrome-{platform}"
    source = Source(f"{_HOST}/{platform}/{archive}.zip", f"sha256-{sha256}")
    return Build(source, f"{archive}/{executable}")


PINNED: Mapping[str, Build] = {
    # Google publishes no checksums. Independent projects computed and pinned these checksums for
    # this version, which Playwright 1.63 uses too. Each checksum comes from at least three projects
    # that agree, except the one for mac-x64, which comes from one. If a checksum is wrong, we
    # reject the download and try the next method.
    "linux64": _build(
        "linux64", "chrome", "8aac35011c18f6e2d10696154af89a5728ac2ddd6dc6fad24ffdf243c3fcfd5a"
    ),
    "mac-arm64": _build(
        "mac-arm64", _APP, "930e2a2c15addbaca1fe9b07bfa520667bced556d7988707186819cb4279ef3b"
    ),
    "mac-x64": _build(
        "mac-x64", _APP, "4e12e2b8a297a2eb79c16258e46961c73f8aa2fa6be6b1d3cdbb553fb5d4ef1c"
    ),
    "win64": _build(
        "win64", "chrome.exe", "415968b02065d4a9e2c10b85f0ae9f489b8fba500e94d9d0a7b7c4852a7234c1"
    ),
}


class ChromeForTesting:
    """The recipe that downloads, checks and unpacks a build."""

    name = "chrome-for-testing"

    def __init__(self, builds: Mapping[str, Build] = PINNED, version: str = _VERSION) -> None:
        self._builds = builds
        self.version = version

    def refusal(self) -> str | None:
        if this_platform() in self._builds:
            return None
        return f"Tabwarden has no checksum to verify the download for {this_platform()}"

    async def prepare(self, folder: Path, progress: Progress, budget: Budget) -> Installed:
        build = self._builds[this_platform()]
        archive = folder / "download.zip"
        await download(build.source, archive, progress, budget)
        progress(f"unpack {self.name}", 0, None)
        await in_thread(lambda checkpoint: unpack(archive, folder, checkpoint), budget)
        archive.unlink()
        return Installed(self.name, self.version, "chrome", build.executable)
