"""axe-core from the npm registry: the rules of ``browser_audit``. Its license is MPL-2.0, so
Tabwarden's package does not include it.
"""

from __future__ import annotations

import os
import tarfile
import tempfile
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from tabwarden.budget import Budget
from tabwarden.endpoints.install.download import Source, download
from tabwarden.endpoints.install.npm import registry
from tabwarden.endpoints.install.place import in_thread
from tabwarden.endpoints.install.report import InstallFailed, Progress, silent
from tabwarden.errors import NotSupported

INSTALL_MS = 15 * 60_000.0
"""The default budget of an install: enough to download 200 MB on a slow connection."""


AXE_VERSION = "4.14.1"
_SHA512 = (
    "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVG"
    "tQ=="
)
_MEMBERS = {"package/axe.min.js": "axe.min.js", "package/LICENSE": "LICENSE"}
_LARGEST = 10_000_000


def axe_folder() -> Path:
    """Return the folder in which ``tabwarden install axe`` puts its script."""
    data = Path(platformdirs.user_data_dir("tabwarden", appauthor=False))
    return data / f"axe-core-{AXE_VERSION}"


def installed_axe(folder: Path | None = None) -> Path | None:
    """Return the installed script; None if there is none."""
    script = (folder or axe_folder()) / "axe.min.js"
    return script if script.is_file() else None


def axe_source(environment: Mapping[str, str] = os.environ) -> Source:
    """Return the package in npm's registry, or in the mirror that npm is configured to use."""
    return Source(f"{registry(environment)}/axe-core/-/axe-core-{AXE_VERSION}.tgz", _SHA512)


async def install_axe(
    budget: Budget | None = None,
    *,
    progress: Progress = silent,
    source: Source | None = None,
    folder: Path | None = None,
) -> Path:
    """Download axe-core, check its hash, and return the path of its script.

    Args:
        budget: the limit; 15 minutes by default.
        progress: called with each progress report.
        source: what to download instead of the pinned package.
        folder: where to put it; replaces the user's data folder.

    Raises:
        NotSupported: the package could not be downloaded, or differs from the pinned package.
    """
    budget, folder = budget or Budget(INSTALL_MS), folder or axe_folder()
    present = installed_axe(folder)
    if present is not None:
        return present
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".part-") as part:
            tarball = Path(part) / "axe.tgz"
            await download(source or axe_source(), tarball, progress, budget)
            await in_thread(lambda _: _unpack(tarball, Path(part), folder), budget)
    except (InstallFailed, OSError, tarfile.TarError) as error:
        raise NotSupported(
            f"axe-core could not be installed: {error}.",
            "Allow access to the npm registry, or set npm_config_registry to a mirror. Or download "
            f"axe-core {AXE_VERSION} yourself, and set browser.axe to its axe.min.js.",
            field="axe",
        ) from None
    return folder / "axe.min.js"


def _unpack(tarball: Path, part: Path, folder: Path) -> None:
    """Extract only the script and the license from the package; the script last."""
    with tarfile.open(tarball) as packed:
        members = {one.name: one for one in packed if one.isreg() and one.size <= _LARGEST}
        for member, name in reversed(_MEMBERS.items()):
            content = packed.extractfile(members[member]) if member in members else None
            if content is None:
                raise InstallFailed(f"the package does not contain {member}")
            (part / name).write_bytes(content.read())
            (part / name).replace(folder / name)
