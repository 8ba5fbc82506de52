"""A real Playwright's own Chromium, with a debugging port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from playwright.async_api import Browser, async_playwright
from playwright.sync_api import Browser as SyncBrowser
from playwright.sync_api import sync_playwright

CHROMIUM = "/usr/bin/chromium"
WITH_PORT = ["--remote-debugging-port=0"]


@asynccontextmanager
async def playwright_browser(args: list[str] = WITH_PORT) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=args)
        try:
            yield browser
        finally:
            await browser.close()


@contextmanager
def sync_playwright_browser(args: list[str] = WITH_PORT) -> Iterator[SyncBrowser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=args)
        try:
            yield browser
        finally:
            browser.close()


class Heard:
    """A user's ``dialog`` listener: it remembers each dialog, and accepts it."""

    def __init__(self) -> None:
        self.messages: list[str] = []

    async def __call__(self, dialog: Any) -> None:
        self.messages.append(dialog.message)
        await dialog.accept()
