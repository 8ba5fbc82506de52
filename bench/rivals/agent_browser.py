"""agent-browser: each command is a process of its native program, which calls its daemon."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.rivals.installed import Installed

__all__ = ["AgentBrowser", "agent_browser", "surroundings"]


def surroundings(browser: str, folder: str) -> dict[str, str]:
    """Return an isolated environment for agent-browser."""
    return {
        **os.environ,
        "AGENT_BROWSER_EXECUTABLE_PATH": browser,
        "AGENT_BROWSER_ARGS": "--no-sandbox",
        "AGENT_BROWSER_SOCKET_DIR": f"{folder}/sockets",
        "HOME": folder,
    }


class AgentBrowser:
    """Uses CSS selectors, which its help recommends: refs need an additional snapshot."""

    def __init__(self, program: Path, folder: str, env: dict[str, str]) -> None:
        self._program = program
        self._folder = folder
        self._env = env

    async def goto(self, url: str) -> None:
        await self.run("open", url)

    async def evaluate(self, expression: str) -> str:
        return await self.run("eval", expression)

    async def snapshot(self) -> str:
        return await self.run("snapshot")

    async def look(self) -> None:
        """Do nothing: selectors need no snapshot."""

    async def click(self, name: str) -> None:
        await self.run("click", "button")

    async def type(self, name: str, text: str) -> None:
        await self.run("fill", "input", text)

    async def screenshot(self) -> None:
        await self.run("screenshot", f"{self._folder}/shot.png")

    async def run(self, *words: str) -> str:
        """Run a command, until its process has ended."""
        process = await asyncio.create_subprocess_exec(
            self._program, *words, env=self._env, cwd=self._folder,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        try:
            said, _ = await process.communicate()
        except asyncio.CancelledError:
            process.kill()
            await process.wait()
            raise
        if process.returncode:
            raise RuntimeError(said.decode(errors="replace")[:300])
        return said.decode(errors="replace")


@asynccontextmanager
async def agent_browser(
    browser: str, installed: Installed, env: dict[str, str] | None = None
) -> AsyncIterator[AgentBrowser]:
    """Start agent-browser with its daemon, until the block ends. ``env`` is added to its
    environment."""
    with TemporaryDirectory(prefix="ab-", ignore_cleanup_errors=True) as folder:
        env = {**(env or {}), **surroundings(browser, folder)}
        rival = AgentBrowser(installed.agent_browser(), folder, env)
        try:
            yield rival
        finally:
            async with asyncio.timeout(10):
                await rival.run("close")
