"""The interface of rivals for the benchmarks, and Playwright Python as a rival."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from playwright.async_api import Page

__all__ = ["PLAYWRIGHT", "PlaywrightRival", "Rival"]

PLAYWRIGHT = "playwright"


class Rival(Protocol):
    """The same few operations, as the rival's own users would request them."""

    async def goto(self, url: str) -> Any: ...

    async def evaluate(self, expression: str) -> Any: ...

    async def snapshot(self) -> str:
        """Return the text that a model would read."""

    async def look(self) -> None:
        """Read the page, so that ``click`` and ``type`` can refer to its elements."""

    async def click(self, name: str) -> Any: ...

    async def type(self, name: str, text: str) -> Any: ...

    async def screenshot(self) -> Any: ...


class PlaywrightRival:
    """Uses locators by role and name, as its documentation recommends."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.mode: Literal["default", "ai"] = "default"
        """The snapshot's mode. Only ``ai`` reads frames."""

    async def another(self) -> Page:
        """Open another page in the same context."""
        return await self.page.context.new_page()

    async def goto(self, url: str) -> None:
        await self.page.goto(url)

    async def evaluate(self, expression: str) -> Any:
        return await self.page.evaluate(expression)

    async def snapshot(self) -> str:
        return await self.page.locator("body").aria_snapshot(mode=self.mode)

    async def look(self) -> None:
        """Do nothing: locators need no snapshot."""

    async def click(self, name: str) -> None:
        await self.page.get_by_role("button", name=name).click()

    async def type(self, name: str, text: str) -> None:
        await self.page.get_by_role("textbox", name=name).fill(text)

    async def screenshot(self) -> bytes:
        return await self.page.screenshot()
