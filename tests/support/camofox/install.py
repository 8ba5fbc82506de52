"""Where Camofox's server is installed, and how."""

from __future__ import annotations

import platform
import shutil
import sys
from typing import Literal

from platformdirs import user_cache_path

from support.needs import lack, require

Engine = Literal["chromium", "firefox"]

FOLDER = user_cache_path("tabwarden-tests") / "camofox"
MODULES = FOLDER / "node_modules"
PACKAGE = MODULES / "@askjo/camofox-browser"

_ARCHITECTURE = "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x64"
_NODE = f"node-{'darwin' if sys.platform == 'darwin' else 'linux'}-{_ARCHITECTURE}"
NODE = MODULES / _NODE / "bin/node"

INSTALL = (
    f"npm install --prefix {FOLDER} --ignore-scripts --no-audit --no-fund {_NODE}@22.23.3 "
    "@askjo/camofox-browser@1.17.0 playwright-core@1.58.2"
)
"""The install command. The server requires Node 22; a newer playwright-core fails on Firefox."""


def firefox() -> str | None:
    """The path of a stock Firefox."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def require_camofox(engine: Engine = "chromium") -> None:
    """Skip the test if Camofox's server cannot run here on this engine."""
    if not (NODE.exists() and (PACKAGE / "server.js").exists()):
        lack("camofox")
    if engine == "firefox":
        require("firefox")
