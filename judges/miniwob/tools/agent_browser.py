"""agent-browser: each verb runs one or more processes of its command line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.rivals import Installed
from bench.rivals.agent_browser import AgentBrowser, surroundings
from judges.miniwob.nodes import Node, Point
from judges.miniwob.readers import agent_browser as reader
from judges.miniwob.tools.tool import Goal, Refused, Target, Unable, ref_of

__all__ = ["AgentBrowserTool", "agent_browser_tool"]


class AgentBrowserTool:
    looks_next = False

    def __init__(self, program: AgentBrowser, folder: Path) -> None:
        self._program = program
        self._folder = folder

    async def open(self, url: str) -> str:
        return await self._run("open", url)

    async def look(self) -> str:
        return await self._run("snapshot", "-c")

    async def picture(self) -> bytes:
        path = self._folder / "shot.png"
        await self._run("screenshot", str(path))
        return await asyncio.to_thread(path.read_bytes)

    def read(self, text: str) -> list[Node]:
        return reader.read(text)

    def shown(self, text: str) -> list[Node] | None:
        return None

    async def find(self, text: str) -> tuple[str, str]:
        raise Unable("it gives no ref for a text")

    async def click(self, target: Target, count: int, modifiers: Sequence[str]) -> str:
        if modifiers or count > 2:
            raise Unable("it clicks once or twice, without other keys")
        if isinstance(target, Point):
            return await self._mouse(target, "down", "up")
        return await self._run("dblclick" if count == 2 else "click", self._at(target))

    async def type(self, target: Target, text: str, clear: bool, slowly: bool) -> str:
        if isinstance(target, Point):
            return await self.click(target, 1, ()) + await self._run("keyboard", "type", text)
        if slowly:
            told = "" if not clear else await self._run("fill", self._at(target), "")
            told += await self._run("focus", self._at(target))
            return told + await self._run("keyboard", "type", text)
        if not clear:
            return await self._run("type", self._at(target), text)
        return await self._run("fill", self._at(target), text)

    async def press(self, key: str, times: int) -> str:
        return "".join([await self._run("press", key) for _ in range(times)])

    async def select(self, target: Target, labels: Sequence[str]) -> str:
        return await self._run("select", self._at(target), *labels)

    async def hover(self, target: Target) -> str:
        if isinstance(target, Point):
            return await self._mouse(target)
        return await self._run("hover", self._at(target))

    async def drag(self, source: Target, target: Goal) -> str:
        if isinstance(source, Point) and isinstance(target, Point):
            return await self._mouse(source, "down") + await self._mouse(target, "up")
        return await self._run("drag", self._at(source), self._at(target))

    async def draw(self, points: Sequence[Point]) -> str:
        first, *others, last = points
        said = await self._mouse(first, "down")
        for point in others:
            said += await self._mouse(point)
        return said + await self._mouse(last, "up")

    async def scroll(self, target: Target | None, down: float) -> str:
        said = await self.hover(target) if target is not None else ""
        return said + await self._run("mouse", "wheel", str(int(down)))

    async def _mouse(self, point: Point, *buttons: str) -> str:
        said = [await self._run("mouse", "move", str(int(point.x)), str(int(point.y)))]
        said += [await self._run("mouse", button) for button in buttons]
        return "".join(said)

    def _at(self, target: Goal) -> str:
        return f"@{ref_of(target)}"

    async def _run(self, *words: str) -> str:
        try:
            return await self._program.run(*words)
        except RuntimeError as error:
            raise Refused(str(error)) from error


@asynccontextmanager
async def agent_browser_tool(browser: str, installed: Installed) -> AsyncIterator[AgentBrowserTool]:
    with TemporaryDirectory(prefix="ab-", ignore_cleanup_errors=True) as folder:
        program = AgentBrowser(installed.agent_browser(), folder, surroundings(browser, folder))
        try:
            yield AgentBrowserTool(program, Path(folder))
        finally:
            await program.run("close")
