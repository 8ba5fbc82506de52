"""The default profile folders of common browsers on each operating system."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tabwarden.files.plain_file import read_plain_file

_LINUX: Mapping[str, str] = {
    "chrome": "google-chrome",
    "chrome-beta": "google-chrome-beta",
    "chrome-dev": "google-chrome-unstable",
    "chrome-canary": "google-chrome-canary",
    "edge": "microsoft-edge",
    "edge-beta": "microsoft-edge-beta",
    "edge-dev": "microsoft-edge-dev",
    "brave": "BraveSoftware/Brave-Browser",
    "brave-beta": "BraveSoftware/Brave-Browser-Beta",
    "brave-nightly": "BraveSoftware/Brave-Browser-Nightly",
    "chromium": "chromium",
}
"""Folders below the configuration folder."""
_SANDBOXED: Mapping[str, str] = {
    "chromium-snap": "snap/chromium/common/chromium",
    "brave-snap": "snap/brave/current/.config/BraveSoftware/Brave-Browser",
    "chrome-flatpak": ".var/app/com.google.Chrome/config/google-chrome",
    "chrome-dev-flatpak": ".var/app/com.google.ChromeDev/config/google-chrome-unstable",
    "edge-flatpak": ".var/app/com.microsoft.Edge/config/microsoft-edge",
    "brave-flatpak": ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
    "chromium-flatpak": ".var/app/org.chromium.Chromium/config/chromium",
}
"""Folders that Snap and Flatpak create per program, below the home folder."""
_MACOS: Mapping[str, str] = {
    "chrome": "Google/Chrome",
    "chrome-beta": "Google/Chrome Beta",
    "chrome-dev": "Google/Chrome Dev",
    "chrome-canary": "Google/Chrome Canary",
    "edge": "Microsoft Edge",
    "edge-beta": "Microsoft Edge Beta",
    "edge-dev": "Microsoft Edge Dev",
    "edge-canary": "Microsoft Edge Canary",
    "brave": "BraveSoftware/Brave-Browser",
    "brave-beta": "BraveSoftware/Brave-Browser-Beta",
    "brave-nightly": "BraveSoftware/Brave-Browser-Nightly",
    "chromium": "Chromium",
}
_WINDOWS: Mapping[str, str] = {
    "chrome": "Google/Chrome/User Data",
    "chrome-beta": "Google/Chrome Beta/User Data",
    "chrome-dev": "Google/Chrome Dev/User Data",
    "chrome-canary": "Google/Chrome SxS/User Data",
    "edge": "Microsoft/Edge/User Data",
    "edge-beta": "Microsoft/Edge Beta/User Data",
    "edge-dev": "Microsoft/Edge Dev/User Data",
    "edge-canary": "Microsoft/Edge SxS/User Data",
    "brave": "BraveSoftware/Brave-Browser/User Data",
    "brave-beta": "BraveSoftware/Brave-Browser-Beta/User Data",
    "brave-nightly": "BraveSoftware/Brave-Browser-Nightly/User Data",
    "chromium": "Chromium/User Data",
}


class DefaultFolder(NamedTuple):
    """The folder in which the user's browser keeps its profiles."""

    name: str
    """The browser, its channel and its packaging: "chrome", "edge-beta", "chromium-snap"."""
    path: Path

    @property
    def version(self) -> str:
        """The browser version that last used the folder, such as "156.0.8078.79"; "" if unknown."""
        try:
            text = read_plain_file(self.path / "Last Version")
        except OSError:
            return ""
        return text.decode(errors="replace").strip()[:50]


def default_folders(
    environment: Mapping[str, str] | None = None,
    system: str = sys.platform,
    home: Path | None = None,
) -> Iterator[DefaultFolder]:
    """Yield the default folder of each browser, even if the folder does not exist; Chrome comes
    first.

    Args:
        environment, home: replace ``os.environ`` and ``Path.home()``.
        system: replaces ``sys.platform``.
    """
    environment = os.environ if environment is None else environment
    home = home or Path.home()
    if system == "darwin":
        base, names = home / "Library/Application Support", _MACOS
    elif system == "win32":
        base, names = Path(environment.get("LOCALAPPDATA") or home / "AppData/Local"), _WINDOWS
    else:
        base, names = Path(environment.get("XDG_CONFIG_HOME") or home / ".config"), _LINUX
    for name, relative in names.items():
        yield DefaultFolder(name, base / relative)
    if names is _LINUX:
        for name, relative in _SANDBOXED.items():
            yield DefaultFolder(name, home / relative)
