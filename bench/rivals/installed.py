"""Finds installed rivals, and installs missing ones: npm packages, and Python environments.

They go into ``.bench/`` of this checkout, in the versions of ``package.json``, ``HERMES``,
``BROWSER_USE`` and ``STAGEHAND``.
``TABWARDEN_RIVALS`` names another folder to use unchanged instead.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bench import ROOT

__all__ = ["BROWSER_USE", "HERMES", "Installed", "install", "install_npm"]

HERMES = "hermes-agent==0.19.0"
BROWSER_USE = "browser-use==0.13.14"
STAGEHAND = "stagehand-claude-sdk==0.1.0 stagehand-openai-sdk==0.1.0"
"""Its drivers for the browser toolsets of Anthropic's and OpenAI's SDKs."""
OWN_FOLDER = ROOT / ".bench"
INSTALL_S = 300
WANTED = Path(__file__).with_name("package.json")
WHY = "why-not.json"


@dataclass(frozen=True)
class Installed:
    """The rivals in a folder."""

    folder: Path

    @classmethod
    def here(cls) -> Installed:
        return cls(Path(os.environ.get("TABWARDEN_RIVALS") or OWN_FOLDER))

    def npm_program(self, name: str) -> Path:
        """The program that npm linked.

        Raises:
            FileNotFoundError: the program is missing; the message says why.
        """
        return self._there(name, self.folder / "node_modules" / ".bin" / name)

    def agent_browser(self) -> Path:
        """Return agent-browser's native program, which its script would start."""
        machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(
            platform.machine().lower(), platform.machine()
        )
        program = f"agent-browser-{platform.system().lower()}-{machine}"
        found = self.folder / "node_modules" / "agent-browser" / "bin" / program
        return self._there("agent-browser", found)

    def python(self, name: str) -> Path:
        """The interpreter of one of ``PYTHONS``.

        Raises:
            FileNotFoundError: it is missing; the message says why.
        """
        return self._there(name, self.folder / name / "bin" / "python")

    def browser_use(self) -> Path:
        return self._there("browser-use", self.folder / "browser-use" / "bin" / "browser-use")

    def versions(self) -> dict[str, str]:
        """Return the versions of the installed rivals."""
        found = {}
        for name in json.loads(WANTED.read_text())["dependencies"]:
            about = self.folder / "node_modules" / name / "package.json"
            if about.exists():
                found[name.replace("@playwright/", "playwright-")] = json.loads(about.read_text())[
                    "version"
                ]
        for name, package in PACKAGES.items():
            pattern = f"{name}/lib/python*/site-packages/{package}-*.dist-info"
            for path in self.folder.glob(pattern):
                found[name] = path.name.split("-")[1].removesuffix(".dist")
        return found

    def _there(self, name: str, path: Path) -> Path:
        if path.exists():
            return path
        raise FileNotFoundError(self._why_not.get(name, f"not installed in {self.folder}"))

    @cached_property
    def _why_not(self) -> dict[str, str]:
        told = self.folder / WHY
        return json.loads(told.read_text()) if told.exists() else {}


PYTHONS = {"hermes": HERMES, "browser-use": BROWSER_USE, "stagehand": STAGEHAND}
PACKAGES = {
    "hermes": "hermes_agent", "browser-use": "browser_use", "stagehand": "stagehand_claude_sdk",
}  # fmt: skip
"""The package whose version is an environment's version."""


def install(*pythons: str) -> Installed:
    """Install missing rivals, unless a folder was named. Failures are recorded, and not retried in
    this run.

    Args:
        pythons: which of ``PYTHONS``; by default, those of the benchmarks.
    """
    return _install(pythons or ("hermes", "browser-use"))


def install_npm() -> Installed:
    """Install only missing npm packages, as ``install`` does."""
    return _install(())


def _install(pythons: Collection[str]) -> Installed:
    there = Installed.here()
    if os.environ.get("TABWARDEN_RIVALS"):
        return there
    there.folder.mkdir(exist_ok=True)
    why_not = {}
    if failed := _npm(there.folder):
        why_not = dict.fromkeys(("playwright-mcp", "chrome-devtools-mcp", "agent-browser"), failed)
    for name in pythons:
        if failed := _python(there.folder, name, PYTHONS[name]):
            why_not[name] = failed
    (there.folder / WHY).write_text(json.dumps(why_not))
    return there


def _npm(folder: Path) -> str:
    """Install the npm packages. Return why this failed; "" if it did not."""
    asked = folder / "package.json"
    if asked.exists() and asked.read_text() == WANTED.read_text():
        return ""
    npm = shutil.which("npm")
    if npm is None:
        return "not installed: npm is missing"
    shutil.copyfile(WANTED, asked)
    # No install scripts: none is needed, and one would download a browser.
    command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
    if failed := _run(command, folder):
        asked.unlink()
        return failed
    for program in (folder / "node_modules" / "agent-browser" / "bin").glob("agent-browser-*"):
        program.chmod(0o755)
    return ""


def _python(folder: Path, name: str, package: str) -> str:
    """Create a separate Python with ``package``. Return why this failed; "" if it did not."""
    place, noted = folder / name, folder / name / "installed"
    if noted.exists() and noted.read_text() == package:
        return ""
    uv = os.environ.get("UV") or shutil.which("uv")
    if uv is None:
        return "not installed: uv is missing"
    python = str(place / "bin" / "python")
    for command in (
        [uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(place)],
        [uv, "pip", "install", "--quiet", "--python", python, *package.split()],
    ):
        if failed := _run(command, folder):
            shutil.rmtree(place, ignore_errors=True)
            return failed
    noted.write_text(package)
    return ""


def _run(command: list[str], folder: Path) -> str:
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=INSTALL_S, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"not installed: {error}"[:300]
    if done.returncode == 0:
        return ""
    last = (done.stderr.strip().splitlines() or ["no word"])[-1]
    return f"not installed: {Path(command[0]).name} says: {last}"[:300]
