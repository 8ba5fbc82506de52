"""The command that installs a browser on this system, for hints in launch errors."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

_INSTALL = "browsers install"

DOWNLOADABLE = frozenset({"linux64", "mac-x64", "mac-arm64", "win64"})
"""Platforms for which ``tabwarden browsers install`` can download a browser."""

_PACKAGES = (
    ("apt-get", "apt-get install -y chromium"),
    ("dnf", "dnf install -y chromium"),
    ("zypper", "zypper install -y chromium"),
    ("pacman", "pacman -S --noconfirm chromium"),
    ("apk", "apk add chromium"),
)
_OF_USERS = (
    ("brew", "brew install --cask google-chrome"),
    ("winget", "winget install --exact --id Google.Chrome"),
)


@cache
def this_platform() -> str:
    """Return Chrome for Testing's name for this system: "linux64", "mac-arm64", "win64", …."""
    system = {"linux": "linux", "darwin": "mac", "win32": "win"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    if system == "linux" and platform.libc_ver()[0] != "glibc":
        musl = any(Path("/lib").glob("ld-musl-*"))
        system = "linux-musl" if musl else system  # the downloads don't run with musl
    if machine in {"x86_64", "amd64"}:
        return "mac-x64" if system == "mac" else f"{system}64"
    return f"{system}-{'arm64' if machine in {'arm64', 'aarch64'} else machine}"


def browser_command(
    here: str | None = None,
    which: Callable[[str], str | None] = shutil.which,
    root: bool | None = None,
    *,
    own: bool = False,
) -> str:
    """Return the command that installs a browser on this system.

    It is Tabwarden's command if that command can download a browser or run apt as root, or if there
    is no package manager. Otherwise it is the package manager's command. ``here`` replaces
    ``this_platform()``. With ``own``, return only Tabwarden's command.
    """
    here = here or this_platform()
    packages = package_command(which, root)
    if own or here in DOWNLOADABLE or not packages or packages.startswith("apt-get"):
        return f"{own_program(which)} {_INSTALL}"
    return packages


def own_program(
    which: Callable[[str], str | None] = shutil.which,
    environment: Mapping[str, str] = os.environ,
) -> str:
    """Return how the user's shell starts this Tabwarden: ``tabwarden``, or ``PYTHON -m tabwarden``.

    ``uvx`` and MCP hosts run Tabwarden from an environment that the user's shell does not have on
    its PATH. uvx puts that environment on the PATH of Tabwarden itself, so the program is found
    there even if the user's shell can't find it, unless the user has activated the environment.
    ``uv run`` activates an environment for the program alone.
    """
    program = which("tabwarden")
    active = environment.get("VIRTUAL_ENV") or environment.get("CONDA_PREFIX") or sys.base_prefix
    if "UV_RUN_RECURSION_DEPTH" in environment:
        active = ""
    if program is not None and (
        Path(program).parent != Path(sys.executable).parent or sys.prefix == active
    ):
        return "tabwarden"
    quoted = f'"{sys.executable}"' if sys.platform == "win32" else shlex.quote(sys.executable)
    return f"{quoted} -m tabwarden"


def package_command(
    which: Callable[[str], str | None] = shutil.which, root: bool | None = None
) -> str:
    """Return the package manager's command that installs a browser; "" if unknown."""
    if root is None:
        root = not hasattr(os, "geteuid") or os.geteuid() == 0
    for program, command in _PACKAGES:
        if which(program):
            return command if root else f"sudo {command}"
    return next((command for program, command in _OF_USERS if which(program)), "")
