"""The browser under test, launched by a real Playwright with a debugging port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, async_playwright
from playwright.sync_api import Browser as SyncBrowser
from playwright.sync_api import sync_playwright

from support.running import browser_here

WITH_PORT = ["--remote-debugging-port=0"]


@asynccontextmanager
async def playwright_browser(
    args: list[str] = WITH_PORT, path: Path | None = None
) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        path = path or browser_here().path
        browser = await playwright.chromium.launch(executable_path=path, args=args)
        try:
            yield browser
        finally:
            await browser.close()


@contextmanager
def sync_playwright_browser(args: list[str] = WITH_PORT) -> Iterator[SyncBrowser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_here().path, args=args)
        try:
            yield browser
        finally:
            browser.close()


class Heard:
    """A user's ``dialog`` listener, which records each dialog and accepts it."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    async def __call__(self, dialog: Any) -> None:
        self.messages.append(dialog.message)
        await dialog.accept()
