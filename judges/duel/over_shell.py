"""agent-browser as a duelist: its commands with refs, as `agent-browser skills get core`
explains."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bench.rivals.agent_browser import AgentBrowser, agent_browser
from bench.rivals.installed import Installed
from judges.duel.tool import CALL_S, Said

__all__ = ["ShellTool", "shell_tool"]


class ShellTool:
    def __init__(self, rival: AgentBrowser) -> None:
        self._rival = rival

    async def open(self, url: str) -> Said:
        return await self._run("open", url)

    async def start_over(self, url: str) -> Said:
        await self._run("close")
        return await self.open(url)

    async def look(self) -> Said:
        return await self._run("snapshot", "-i")

    async def click(self, ref: str) -> Said:
        return await self._run("click", f"@{ref}")

    async def click_named(self, name: str) -> Said:
        return await self._run("find", "role", "button", "click", "--name", name)

    async def accept(self) -> Said:
        return await self._run("dialog", "accept")

    async def tabs(self) -> Said:
        return await self._run("tab")

    async def switch(self, tab: str) -> Said:
        return await self._run("tab", tab)

    def ref(self, text: str, name: str) -> str | None:
        for line in text.splitlines():
            if f'"{name}"' in line and (found := re.search(r"\bref=(e\d+)|@(e\d+)", line)):
                return found[1] or found[2]
        return None

    def tab(self, text: str, path: str) -> str | None:
        for line in text.splitlines():
            if path in line and (found := re.search(r"\bt\d+\b", line)):
                return found[0]
        return None

    async def _run(self, *words: str) -> Said:
        try:
            async with asyncio.timeout(CALL_S):
                return Said(await self._rival.run(*words))
        except TimeoutError:
            return Said("", failed=True)
        except RuntimeError as error:
            return Said(str(error), failed=True)


@asynccontextmanager
async def shell_tool(
    browser: str, installed: Installed, env: dict[str, str]
) -> AsyncIterator[ShellTool]:
    async with agent_browser(browser, installed, env) as rival:
        yield ShellTool(rival)
