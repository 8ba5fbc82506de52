"""The tools in the duel: each is started anew for each bout, on the same Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.rivals.installed import Installed
from judges.duel.over_mcp import SPEAKERS, browser_use_tool, mcp_tool
from judges.duel.over_shell import shell_tool
from judges.duel.tool import Tool

__all__ = ["DUELISTS", "OWN", "duelist"]

OWN = "tabwarden"
DUELISTS = (OWN, "playwright-mcp", "chrome-devtools-mcp", "agent-browser", "browser-use")

Opening = Callable[[], AbstractAsyncContextManager[Tool]]


@asynccontextmanager
async def duelist(
    name: str, browser: str, installed: Installed, env: dict[str, str]
) -> AsyncIterator[Tool]:
    """Start a tool with the environment ``env``, until the block ends.

    Raises:
        FileNotFoundError: it isn't installed.
    """
    if name == "agent-browser":
        async with shell_tool(browser, installed, env) as shell:
            yield shell
    elif name == "browser-use":
        with TemporaryDirectory(prefix="bu-", ignore_cleanup_errors=True) as folder:
            async with browser_use_tool(browser, installed, Path(folder), env) as tool:
                yield tool
    else:
        speaker = name if name in SPEAKERS else f"{name} mcp"
        async with mcp_tool(speaker, browser, installed, env) as tool:
            yield tool
