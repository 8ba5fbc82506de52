"""Install with the system's package manager, if that is apt and we have permission to use it."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import ONLY_INSTALLED, Candidate, Probed, only_installed, probe
from tabwarden.endpoints.install.report import InstallFailed, Progress

_PACKAGES = ("chromium-headless-shell", "chromium")
_LAST_LINES = 5


class AptChromium:
    """Installs the headless shell with ``apt-get``. If that fails, installs Chromium, which is
    larger.
    """

    name = "apt"

    def __init__(
        self,
        apt_get: str | None = None,
        packages: Sequence[str] = _PACKAGES,
        programs: Path = Path("/usr/bin"),
    ) -> None:
        self._apt_get = apt_get or shutil.which("apt-get")
        self._packages = packages
        self._programs = programs

    def refusal(self) -> str | None:
        if sys.platform == "win32" or self._apt_get is None:
            return "this system has no apt-get"
        if only_installed():
            return f"{ONLY_INSTALLED} is set, so a browser from apt would be ignored"
        if os.geteuid() != 0 and not _sudo_works():
            return "apt-get needs root, and sudo requires a password"
        return None

    async def bring(self, folder: Path, progress: Progress, budget: Budget) -> tuple[Probed, bool]:
        """See ``InstallMethod.bring``. ``apt-get`` ignores ``folder``."""
        reasons = []
        try:
            await self._run(["update"], progress, budget)
        except InstallFailed as error:
            reasons.append(str(error))  # continue: the old package lists may be good enough
        for package in self._packages:
            try:
                await self._run(
                    ["install", "-y", "--no-install-recommends", package], progress, budget
                )
            except InstallFailed as error:
                reasons.append(str(error))
                continue
            path = self._programs / package
            if not path.is_file():
                reasons.append(f"{package} did not install {path}")
                continue
            headless_only = "headless-shell" in package
            probed = await probe(Candidate("chromium", path, "system", headless_only), budget)
            if probed.works:
                return probed, False
            reasons.append(probed.reason)
        raise InstallFailed("; ".join(reasons))

    async def _run(self, words: Sequence[str], progress: Progress, budget: Budget) -> None:
        command = [str(self._apt_get), *words]
        if os.name == "posix" and os.geteuid() != 0:
            command = ["sudo", "-n", "DEBIAN_FRONTEND=noninteractive", *command]
        step = f"apt-get {words[0]}"
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"},
        )
        try:
            async with asyncio.timeout(budget.remaining_s()):
                last = await _follow(process, step, progress)
        except TimeoutError as error:
            raise InstallFailed(f"{step} did not finish in time") from error
        finally:
            if process.returncode is None:
                # Never SIGKILL: a half-configured package damages the system.
                process.terminate()
                await process.wait()
        if process.returncode != 0:
            raise InstallFailed(
                f"{' '.join(['apt-get', *words])} exited with status {process.returncode}: "
                + " / ".join(last)
            )


async def _follow(process: asyncio.subprocess.Process, step: str, progress: Progress) -> list[str]:
    """Report each line of output as progress; return the last lines."""
    last: list[str] = []
    count = 0
    if process.stdout is not None:
        async for raw in process.stdout:
            line = raw.decode(errors="replace").strip()
            if line:
                count += 1
                last = [*last, line][-_LAST_LINES:]
                progress(f"{step}: {line}", count, None)
    await process.wait()
    return last


def _sudo_works() -> bool:
    if shutil.which("sudo") is None:
        return False
    answer = subprocess.run(
        ["sudo", "-n", "true"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=10,
        check=False,
    )
    return answer.returncode == 0
