"""Install packages once, in a folder named after them."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from platformdirs import user_cache_path

from support.eventually import eventually
from support.needs import lack, require, uv
from tabwarden.files.locks import try_lock

__all__ = ["npm_packages", "python_packages"]

_FOLDER = user_cache_path("tabwarden-tests")
_WITHIN_S = 300


def npm_packages(*packages: str) -> Path:
    """Install packages from npm; return the folder with ``node_modules``."""
    require("npm")
    with _installing(packages) as (folder, is_new):
        if is_new:
            options = ["--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"]
            _run(["npm", "install", "--prefix", str(folder), *options, *packages])
    return folder


def python_packages(*packages: str) -> Path:
    """Install packages from PyPI in a separate environment; return its folder of programs."""
    program = uv() or lack("uv")
    with _installing(packages) as (folder, is_new):
        if is_new:
            _run([program, "venv", "--quiet", "--python", sys.executable, str(folder / "env")])
            python = str(folder / "env/bin/python")
            _run([program, "pip", "install", "--quiet", "--python", python, *packages])
    return folder / "env/bin"


@contextmanager
def _installing(packages: Sequence[str]) -> Iterator[tuple[Path, bool]]:
    """The folder, and whether it must still be filled. Only one process fills it."""
    of = hashlib.sha256(" ".join([sys.version, *packages]).encode()).hexdigest()[:8]
    name = packages[0].lstrip("@").replace("/", "-").partition("=")[0].partition("@")[0]
    folder = _FOLDER / f"{name}-{of}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        eventually(lambda: try_lock(lock.fileno()), within_s=_WITHIN_S)
        is_done = folder / "installed"
        if is_done.exists():
            yield folder, False
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        yield folder, True
        is_done.touch()


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_WITHIN_S
        )
    except subprocess.TimeoutExpired:
        lack("internet", f"not installed within {_WITHIN_S} s: {' '.join(command)}")
    if done.returncode:
        lack("internet", f"not installed: {' '.join(command)}: {done.stderr.strip()[-300:]}")
