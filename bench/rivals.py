"""The rivals of the benchmarks: Playwright Python, and MCP servers from npm, on the same Chromium.

MCP servers are found in ``TABWARDEN_RIVALS`` (a folder where ``npm install @playwright/mcp
chrome-devtools-mcp`` was run); without it only Playwright Python is compared with.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mcp import Client, StdioServerParameters

__all__ = ["RIVALS", "McpRival", "rival", "rival_servers"]

RIVALS = {
    "playwright-mcp": (
        "playwright-mcp",
        ["--headless", "--no-sandbox", "--isolated", "--executable-path", "{browser}"],
        ("browser_navigate", "browser_snapshot", {}),
    ),
    "chrome-devtools-mcp": (
        "chrome-devtools-mcp",
        [
            "--headless", "--isolated", "--executablePath", "{browser}", "--chromeArg=--no-sandbox",
            "--no-usage-statistics", "--no-performance-crux",
        ],
        ("navigate_page", "take_snapshot", {"pageId": 1}),
    ),
}  # fmt: skip
"""Program, arguments, and its tools: go to a URL, read the page; what both are given."""


class McpRival:
    """One MCP server that drives a browser of its own."""

    def __init__(self, client: Client, navigate: str, snapshot: str, given: dict[str, Any]) -> None:
        self._client = client
        self._navigate = navigate
        self._snapshot = snapshot
        self._given = given

    async def goto(self, url: str) -> None:
        await self._call(self._navigate, {"url": url, **self._given})

    async def snapshot(self) -> str:
        """The text that a model would read."""
        return await self._call(self._snapshot, self._given)

    async def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        result = await self._client.call_tool(tool, arguments, read_timeout_seconds=120)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        assert not result.is_error, text[:500]
        return text


def rival_servers() -> list[str]:
    """Those that are installed."""
    folder = os.environ.get("TABWARDEN_RIVALS")
    if folder is None:
        return []
    programs = Path(folder) / "node_modules" / ".bin"
    return [name for name, (program, _, _) in RIVALS.items() if (programs / program).exists()]


@asynccontextmanager
async def rival(name: str, browser: str) -> AsyncIterator[McpRival]:
    """Start one with a browser, until the block ends."""
    program, arguments, tools = RIVALS[name]
    command = Path(os.environ["TABWARDEN_RIVALS"]) / "node_modules" / ".bin" / program
    # They write what they read to where they run.
    with TemporaryDirectory(prefix="rival-") as folder:
        parameters = StdioServerParameters(
            command=str(command),
            args=[one.format(browser=browser) for one in arguments],
            env={**os.environ},
            cwd=folder,
        )
        async with Client(parameters) as client:
            yield McpRival(client, *tools)
