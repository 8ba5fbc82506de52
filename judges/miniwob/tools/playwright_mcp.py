"""Playwright MCP, with its mouse tools (``--caps vision``)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from bench.rivals import Installed
from judges.miniwob.nodes import Node, Point
from judges.miniwob.readers import aria_yaml
from judges.miniwob.tools.mcp import Caller, server
from judges.miniwob.tools.tool import Goal, Target, Unable, ref_of

__all__ = ["PlaywrightMcp", "playwright_mcp"]


def at(target: Goal, before: str = "target") -> dict[str, Any]:
    return {before: ref_of(target)}


class PlaywrightMcp:
    looks_next = False

    def __init__(self, call: Caller) -> None:
        self._call = call

    async def open(self, url: str) -> str:
        return await self._call("browser_navigate", url=url)

    async def look(self) -> str:
        return await self._call("browser_snapshot")

    async def picture(self) -> bytes:
        return await self._call.picture("browser_take_screenshot")

    def read(self, text: str) -> list[Node]:
        return aria_yaml.read(text)

    def shown(self, text: str) -> list[Node] | None:
        return None  # it names a file that has the page

    async def find(self, text: str) -> tuple[str, str]:
        raise Unable("it gives no ref for a text")

    async def click(self, target: Target, count: int, modifiers: Sequence[str]) -> str:
        if isinstance(target, Point):
            return await self._call(
                "browser_mouse_click_xy", x=target.x, y=target.y, clickCount=count
            )
        if count > 2:
            raise Unable("it clicks an element once or twice")
        return await self._call(
            "browser_click", **at(target), doubleClick=count == 2, modifiers=list(modifiers)
        )

    async def type(self, target: Target, text: str, clear: bool, slowly: bool) -> str:
        return await self._call("browser_type", **at(target), text=text, slowly=slowly)

    async def press(self, key: str, times: int) -> str:
        return "\n".join([await self._call("browser_press_key", key=key) for _ in range(times)])

    async def select(self, target: Target, labels: Sequence[str]) -> str:
        return await self._call("browser_select_option", **at(target), values=list(labels))

    async def hover(self, target: Target) -> str:
        if isinstance(target, Point):
            return await self._call("browser_mouse_move_xy", x=target.x, y=target.y)
        return await self._call("browser_hover", **at(target))

    async def drag(self, source: Target, target: Goal) -> str:
        if isinstance(source, Point) and isinstance(target, Point):
            return await self._call(
                "browser_mouse_drag_xy",
                startX=source.x, startY=source.y, endX=target.x, endY=target.y,
            )  # fmt: skip
        return await self._call(
            "browser_drag", **at(source, "startTarget"), **at(target, "endTarget")
        )

    async def draw(self, points: Sequence[Point]) -> str:
        first, *others = points
        said = [await self.hover(first), await self._call("browser_mouse_down")]
        said += [await self.hover(point) for point in others]
        return "\n".join([*said, await self._call("browser_mouse_up")])

    async def scroll(self, target: Target | None, down: float) -> str:
        moved = await self.hover(target) if target is not None else ""
        return moved + await self._call("browser_mouse_wheel", deltaX=0, deltaY=down)


@asynccontextmanager
async def playwright_mcp(browser: str, installed: Installed) -> AsyncIterator[PlaywrightMcp]:
    program = installed.npm_program("playwright-mcp")
    arguments = (
        "--headless", "--no-sandbox", "--isolated", "--caps", "vision",
        "--executable-path", browser,
    )  # fmt: skip
    async with server(program, arguments) as call:
        yield PlaywrightMcp(call)
