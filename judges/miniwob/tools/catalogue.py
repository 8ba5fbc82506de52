"""The tools by name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from bench.rivals import Installed
from judges.miniwob.tools.agent_browser import agent_browser_tool
from judges.miniwob.tools.browser_use import browser_use
from judges.miniwob.tools.devtools_mcp import devtools_mcp
from judges.miniwob.tools.playwright_mcp import playwright_mcp
from judges.miniwob.tools.tabwarden import tabwarden
from judges.miniwob.tools.tabwarden_mcp import tabwarden_mcp
from judges.miniwob.tools.tool import Tool

__all__ = ["TOOLS"]

Start: TypeAlias = Callable[[str, Installed], AbstractAsyncContextManager[Tool]]

TOOLS: dict[str, Start] = {
    "tabwarden": lambda browser, installed: tabwarden(browser),
    "tabwarden-mcp": tabwarden_mcp,
    "playwright-mcp": playwright_mcp,
    "chrome-devtools-mcp": devtools_mcp,
    "agent-browser": agent_browser_tool,
    "browser-use": browser_use,
}
