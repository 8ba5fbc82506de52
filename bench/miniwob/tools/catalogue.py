"""The tools by name."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypeAlias

from bench.miniwob.tools.playwright_mcp import playwright_mcp
from bench.miniwob.tools.tabwarden import tabwarden
from bench.miniwob.tools.tool import Tool
from bench.rivals import Installed

__all__ = ["TOOLS"]

Start: TypeAlias = Callable[[str, Installed], AbstractAsyncContextManager[Tool]]

TOOLS: dict[str, Start] = {
    "tabwarden": lambda browser, installed: tabwarden(browser),
    "playwright-mcp": playwright_mcp,
}
