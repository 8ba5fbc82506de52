"""chrome-devtools-mcp. It has tools for points only with its experimental vision."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from bench.rivals import Installed
from judges.miniwob.nodes import Node, Point
from judges.miniwob.readers import devtools
from judges.miniwob.tools.mcp import Caller, server
from judges.miniwob.tools.tool import Goal, Target, Unable, ref_of

__all__ = ["DevtoolsMcp", "devtools_mcp"]

_MARK = "## Latest page snapshot"


def at(target: Goal, before: str = "uid") -> dict[str, Any]:
    return {before: ref_of(target)}


class DevtoolsMcp:
    looks_next = False

    def __init__(self, call: Caller) -> None:
        self._call = call

    async def open(self, url: str) -> str:
        return await self._page("navigate_page", url=url)

    async def look(self) -> str:
        return await self._page("take_snapshot")

    async def picture(self) -> bytes:
        return await self._call.picture("take_screenshot", pageId=1)

    def read(self, text: str) -> list[Node]:
        return devtools.read(text.partition(_MARK)[2])

    def shown(self, text: str) -> list[Node] | None:
        return self.read(text) if _MARK in text else None

    async def find(self, text: str) -> tuple[str, str]:
        raise Unable("it gives no ref for a text")

    async def click(self, target: Target, count: int, modifiers: Sequence[str]) -> str:
        if count > 2 or modifiers:
            raise Unable("it clicks once or twice, without other keys")
        return await self._act("click", **at(target), dblClick=count == 2)

    async def type(self, target: Target, text: str, clear: bool, slowly: bool) -> str:
        if slowly:
            said = await self._act("click", **at(target))
            return said + await self._page("type_text", text=text)
        return await self._act("fill", **at(target), value=text)

    async def press(self, key: str, times: int) -> str:
        said = [await self._page("press_key", key=key) for _ in range(times - 1)]
        return "\n".join([*said, await self._act("press_key", key=key)])

    async def select(self, target: Target, labels: Sequence[str]) -> str:
        if len(labels) != 1:
            raise Unable("it fills one option")
        return await self._act("fill", **at(target), value=labels[0])

    async def hover(self, target: Target) -> str:
        return await self._act("hover", **at(target))

    async def drag(self, source: Target, target: Goal) -> str:
        return await self._act("drag", **at(source, "from_uid"), **at(target, "to_uid"))

    async def draw(self, points: Sequence[Point]) -> str:
        raise Unable("it has no tool that draws")

    async def scroll(self, target: Target | None, down: float) -> str:
        raise Unable("it has no tool that scrolls")

    async def _act(self, tool: str, **arguments: Any) -> str:
        return await self._page(tool, includeSnapshot=self.looks_next, **arguments)

    async def _page(self, tool: str, **arguments: Any) -> str:
        return await self._call(tool, pageId=1, **arguments)


@asynccontextmanager
async def devtools_mcp(browser: str, installed: Installed) -> AsyncIterator[DevtoolsMcp]:
    program = installed.npm_program("chrome-devtools-mcp")
    arguments = (
        "--headless", "--isolated", "--executablePath", browser, "--chromeArg=--no-sandbox",
        "--no-usage-statistics", "--no-performance-crux",
    )  # fmt: skip
    async with server(program, arguments) as call:
        yield DevtoolsMcp(call)
