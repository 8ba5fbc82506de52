"""Tabwarden's Python API. An oracle reads the same as a program: a snapshot's text; an action's
status, effect and note; an error's message and hint."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from judges.miniwob.nodes import Beside, Node, Point
from judges.miniwob.readers import tabwarden as reader
from judges.miniwob.tools.tool import Goal, Refused, Target
from tabwarden import ActionResult, Browser, TabwardenError

__all__ = ["TabwardenTool", "at", "stroke", "tabwarden"]


def at(target: Goal, before: str = "") -> dict[str, Any]:
    """The arguments that name a target."""
    if isinstance(target, Beside):
        x, y = f"{before}x", f"{before}y"
        return {f"{before}ref": target.node.ref, x: target.right, y: target.down}
    if isinstance(target, Node):
        return {f"{before}ref": target.ref}
    return {f"{before}x": target.x, f"{before}y": target.y}


def stroke(points: Sequence[Point]) -> list[dict[str, Any]]:
    """Return the steps of a batch that draws, because a drag moves in a straight line."""
    kinds = ["mousePressed", *["mouseMoved"] * (len(points) - 1), "mouseReleased"]
    return [
        {
            "tool": "cdp", "method": "Input.dispatchMouseEvent",
            "params": {
                "type": kind, "x": at.x, "y": at.y, "button": "left", "buttons": 1, "clickCount": 1
            },
        }
        for kind, at in zip(kinds, (*points, points[-1]), strict=True)
    ]  # fmt: skip


class TabwardenTool:
    looks_next = False

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    async def open(self, url: str) -> str:
        return await self._told(self._browser.goto(url))

    async def look(self) -> str:
        return (await self._browser.snapshot()).text

    async def picture(self) -> bytes:
        return (await self._browser.screenshot()).data

    def read(self, text: str) -> list[Node]:
        return reader.read(text)

    def shown(self, text: str) -> list[Node] | None:
        return reader.read(text) if "\n<page " in text else None

    async def find(self, text: str) -> tuple[str, str]:
        found = (await self._browser.find(text, max=1)).value["found"]
        if not found:
            raise Refused(f"nothing shows {text!r}")
        return json.dumps(found), found[0]["ref"]

    async def click(self, target: Target, count: int, modifiers: Sequence[str]) -> str:
        asked = self._browser.click(**at(target), count=count, modifiers=modifiers, **self._shows())
        return await self._told(asked)

    async def type(self, target: Target, text: str, clear: bool, slowly: bool) -> str:
        asked = self._browser.type(text, **at(target), clear=clear, slowly=slowly, **self._shows())
        return await self._told(asked)

    async def press(self, key: str, times: int) -> str:
        return await self._told(self._browser.press(key, times=times, **self._shows()))

    async def select(self, target: Target, labels: Sequence[str]) -> str:
        return await self._told(
            self._browser.select(**at(target), labels=list(labels), **self._shows())
        )

    async def hover(self, target: Target) -> str:
        return await self._told(self._browser.hover(**at(target), **self._shows()))

    async def drag(self, source: Target, target: Goal) -> str:
        return await self._told(
            self._browser.drag(**at(source, "from_"), **at(target, "to_"), **self._shows())
        )

    async def draw(self, points: Sequence[Point]) -> str:
        return await self._told(self._browser.batch(stroke(points)))

    async def scroll(self, target: Target | None, down: float) -> str:
        return await self._told(
            self._browser.scroll(
                "down" if down > 0 else "up", abs(down), **(at(target) if target else {}),
                **self._shows(),
            )
        )  # fmt: skip

    def _shows(self) -> dict[str, Any]:
        return {"snapshot": "full"} if self.looks_next else {}

    async def _told(self, asked: Awaitable[ActionResult[Any]]) -> str:
        try:
            result = await asked
        except TabwardenError as error:
            raise Refused(f"{error.code}: {error.message} {error.hint}") from error
        told = " ".join(filter(None, (result.status, result.effect, result.note)))
        return told if result.snapshot is None else f"{told}\n{result.snapshot.text}"


@asynccontextmanager
async def tabwarden(browser: str) -> AsyncIterator[TabwardenTool]:
    async with Browser.launch(executable=browser) as opened:
        yield TabwardenTool(opened)
