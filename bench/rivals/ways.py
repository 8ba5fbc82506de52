"""All rivals, each with its own browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any

from playwright.async_api import async_playwright

from bench.bench import Asked
from bench.rivals.agent_browser import agent_browser
from bench.rivals.installed import Installed
from bench.rivals.mcp import SERVERS, mcp_rival
from bench.rivals.rival import PLAYWRIGHT, PlaywrightRival, Rival
from bench.turns import because

__all__ = ["BUTTON", "FIELD", "PEERS", "all_ways", "playwright_rival"]

BUTTON = "Buy now"
FIELD = "Name"
"""The names of the button and the field on the benchmarks' pages."""
PEERS = ("playwright", "playwright-mcp", "chrome-devtools-mcp", "agent-browser")
"""The ways of other tools."""
START_S = 60.0

Opening = Callable[[], AbstractAsyncContextManager[Any]]


@asynccontextmanager
async def playwright_rival(browser: str) -> AsyncIterator[PlaywrightRival]:
    async with (
        async_playwright() as playwright,
        await playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox"]
        ) as chromium,
    ):
        yield PlaywrightRival(await (await chromium.new_context()).new_page())


@asynccontextmanager
async def all_ways(asked: Asked, left_out: dict[str, str]) -> AsyncIterator[dict[str, Rival]]:
    """Start all rivals. Yield the started ones by name; ``left_out`` has the reasons for the
    others."""
    installed = Installed.here()
    openings: dict[str, Opening] = {PLAYWRIGHT: lambda: playwright_rival(asked.browser)}
    for name in SERVERS:
        openings[name] = lambda name=name: mcp_rival(name, asked.browser, installed)
    openings["agent-browser"] = lambda: agent_browser(asked.browser, installed)
    async with AsyncExitStack() as stack:
        ways: dict[str, Rival] = {}
        for name, opening in openings.items() if asked.rivals else ():
            try:
                async with asyncio.timeout(START_S):
                    ways[name] = await stack.enter_async_context(opening())
            except Exception as error:
                left_out[name] = because(error)
        yield ways
