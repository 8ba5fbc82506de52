"""What a rival is to the benchmarks, and Playwright Python as one."""

from __future__ import annotations

from typing import Any, Protocol

from playwright.async_api import Page

__all__ = ["PLAYWRIGHT", "PlaywrightRival", "Rival"]

PLAYWRIGHT = "playwright"


class Rival(Protocol):
    """The same few things, as its own users would ask for them."""

    async def goto(self, url: str) -> Any: ...

    async def evaluate(self, expression: str) -> Any: ...

    async def snapshot(self) -> str:
        """The text that a model would read."""

    async def look(self) -> None:
        """Read the page, so that elements can be named by ``click`` and ``type``."""

    async def click(self, name: str) -> Any: ...

    async def type(self, name: str, text: str) -> Any: ...

    async def screenshot(self) -> Any: ...


class PlaywrightRival:
    """Locators by role and name: what its documentation says to use."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def another(self) -> Page:
        """One more page, in the same context."""
        return await self.page.context.new_page()

    async def goto(self, url: str) -> None:
        await self.page.goto(url)

    async def evaluate(self, expression: str) -> Any:
        return await self.page.evaluate(expression)

    async def snapshot(self) -> str:
        return await self.page.locator("body").aria_snapshot()

    async def look(self) -> None:
        """Locators need no look."""

    async def click(self, name: str) -> None:
        await self.page.get_by_role("button", name=name).click()

    async def type(self, name: str, text: str) -> None:
        await self.page.get_by_role("textbox", name=name).fill(text)

    async def screenshot(self) -> bytes:
        return await self.page.screenshot()
