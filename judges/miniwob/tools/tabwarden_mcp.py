"""Tabwarden over MCP."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bench.rivals import Installed
from judges.miniwob.nodes import Node, Point
from judges.miniwob.readers import tabwarden as reader
from judges.miniwob.tools.mcp import Caller, server
from judges.miniwob.tools.tabwarden import at, stroke
from judges.miniwob.tools.tool import Goal, Refused, Target

__all__ = ["TabwardenMcp", "tabwarden_mcp"]


class TabwardenMcp:
    looks_next = False

    def __init__(self, call: Caller) -> None:
        self._call = call

    async def open(self, url: str) -> str:
        return await self._call("browser_navigate", url=url)

    async def look(self) -> str:
        return await self._call("browser_snapshot")

    async def picture(self) -> bytes:
        return await self._call.picture("browser_screenshot")

    def read(self, text: str) -> list[Node]:
        return reader.read(text)

    def shown(self, text: str) -> list[Node] | None:
        return reader.read(text) if "\n<page " in text else None

    async def find(self, text: str) -> tuple[str, str]:
        told = await self._call("browser_find", text=text, max=1)
        if (found := re.search(r"\bref[\"=:\s]+(e\d+)", told)) is None:
            raise Refused(told)
        return told, found[1]

    async def click(self, target: Target, count: int, modifiers: Sequence[str]) -> str:
        more = {"count": count} if count > 1 else {}
        return await self._act("click", **at(target), **more, modifiers=list(modifiers))

    async def type(self, target: Target, text: str, clear: bool, slowly: bool) -> str:
        return await self._act("type", **at(target), text=text, clear=clear, slowly=slowly)

    async def press(self, key: str, times: int) -> str:
        return await self._act("press", key=key, times=times)

    async def select(self, target: Target, labels: Sequence[str]) -> str:
        return await self._act("select", **at(target), labels=list(labels))

    async def hover(self, target: Target) -> str:
        return await self._act("hover", **at(target))

    async def drag(self, source: Target, target: Goal) -> str:
        return await self._act("drag", **at(source, "from_"), **at(target, "to_"))

    async def draw(self, points: Sequence[Point]) -> str:
        return await self._call("browser_batch", steps=stroke(points))

    async def scroll(self, target: Target | None, down: float) -> str:
        where = at(target) if target is not None else {}
        way = "down" if down > 0 else "up"
        return await self._act("scroll", direction=way, amount=abs(down), **where)

    async def _act(self, action: str, **arguments: Any) -> str:
        shows = {"snapshot": "full"} if self.looks_next else {}
        return await self._call(f"browser_{action}", **arguments, **shows)


@asynccontextmanager
async def tabwarden_mcp(browser: str, installed: Installed) -> AsyncIterator[TabwardenMcp]:
    program = Path(sys.executable).with_name("tabwarden")
    arguments = ("mcp", "--tools", "full", "--executable", browser)
    async with server(program, arguments) as call:
        yield TabwardenMcp(call)
