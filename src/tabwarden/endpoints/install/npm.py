"""A Chromium from the npm registry: ``@sparticuz/chromium``, a headless shell for bare servers.

The package (70 MB) contains brotli files: the browser, libraries that a bare system lacks (NSS,
NSPR, expat, from Amazon Linux 2023), one font family, and SwiftShader. The browser doesn't need
Node.js. A script, ``chromium-headless-shell``, starts the installed browser.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import Installed
from tabwarden.endpoints.install.archive import Checkpoint, decompress_brotli, unpack
from tabwarden.endpoints.install.download import Source, download
from tabwarden.endpoints.install.place import in_thread
from tabwarden.endpoints.install.report import InstallFailed, Progress
from tabwarden.endpoints.remedy import this_platform

_VERSION = "153.0.0"

_SHA512 = (
    "sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+d"
    "nsgQwA=="
)

_EXECUTABLE = "chromium-headless-shell"
_ARCHIVES = ("al2023.tar.br", "fonts.tar.br", "swiftshader.tar.br")

_STARTER = r"""#!/bin/sh
# Made by `tabwarden browsers install`. Starts the browser in this folder.
self=$(readlink -f -- "$0" 2>/dev/null) || self=$0
here=${self%/*}

# Use the libraries in this folder only if the dynamic linker says that the system lacks one.
case $(LD_TRACE_LOADED_OBJECTS=1 "$here/chromium" 2>&1) in
*"not found"*)
    LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    ;;
esac

# Use the fonts in this folder only if the system has no fonts.
if [ -z "$FONTCONFIG_FILE$FONTCONFIG_PATH" ]; then
    font=
    if [ -e /etc/fonts/fonts.conf ]; then
        font=$(find /usr/share/fonts /usr/local/share/fonts "${HOME:-/nonexistent}/.fonts" \
            "${HOME:-/nonexistent}/.local/share/fonts" -name '*.[ot]t[cf]' 2>/dev/null |
            head -n 1)
    fi
    if [ -z "$font" ]; then
        FONTCONFIG_FILE=$here/fonts.conf
        export FONTCONFIG_FILE
    fi
fi

# exec keeps the process id and the debugging pipe.
exec "$here/chromium" "$@"
"""

_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""


def registry(environment: Mapping[str, str] = os.environ) -> str:
    """Return npm's registry, or the mirror that npm is configured to use, without a slash."""
    mirror = environment.get("npm_config_registry") or environment.get("NPM_CONFIG_REGISTRY")
    return (mirror or "https://registry.npmjs.org").rstrip("/")


def pinned(environment: Mapping[str, str] = os.environ) -> Source:
    """Return the package in npm's registry."""
    return Source(f"{registry(environment)}/@sparticuz/chromium/-/chromium-{_VERSION}.tgz", _SHA512)


class NpmChromium:
    """The recipe that downloads, checks and unpacks the package and writes the start script."""

    name = "sparticuz-chromium"

    def __init__(self, source: Source | None = None, version: str = _VERSION) -> None:
        self._source = source or pinned()
        self.version = version

    def refusal(self) -> str | None:
        if this_platform() == "linux64":
            return None
        return f"the package supports only Linux on x64, not {this_platform()}"

    async def prepare(self, folder: Path, progress: Progress, budget: Budget) -> Installed:
        tarball = folder / "download.tgz"
        await download(self._source, tarball, progress, budget)
        progress(f"unpack {self.name}", 0, None)
        await in_thread(lambda checkpoint: _unpack_package(tarball, folder, checkpoint), budget)
        return Installed(self.name, self.version, "chromium", _EXECUTABLE, headless_only=True)


def _unpack_package(tarball: Path, folder: Path, checkpoint: Checkpoint) -> None:
    unpacked = folder / "unpacked"
    unpacked.mkdir()
    unpack(tarball, unpacked, checkpoint)
    tarball.unlink()
    parts = unpacked / "package" / "bin"
    if not (parts / "chromium.br").is_file():
        raise InstallFailed("the package does not contain bin/chromium.br")
    for part in _ARCHIVES:
        if (parts / part).is_file():
            plain = unpacked / part.removesuffix(".br")
            decompress_brotli(parts / part, plain, checkpoint)
            unpack(plain, folder, checkpoint)
    decompress_brotli(parts / "chromium.br", folder / "chromium", checkpoint)
    (folder / "chromium").chmod(0o755)
    licence = unpacked / "package" / "LICENSE"
    if licence.is_file():
        licence.replace(folder / "LICENSE")
    shutil.rmtree(unpacked)
    (folder / "fonts.conf").write_text(_FONTS)
    (folder / _EXECUTABLE).write_text(_STARTER)
    (folder / _EXECUTABLE).chmod(0o755)
