"""MCP servers as duelists, started as `bench.rivals` starts them."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, MCPError
from mcp.types import REQUEST_TIMEOUT

from bench.rivals.installed import Installed
from bench.rivals.mcp import OWN_SERVER, SERVERS, Call, mcp_client, server_command
from judges.duel.tool import CALL_S, Said

__all__ = ["SPEAKERS", "McpTool", "browser_use_tool", "mcp_tool"]

Find = Callable[[str, str], str | None]


def after(pattern: str) -> Find:
    """Find the match of ``pattern`` in the last line up to the line with the wanted text."""

    def find(text: str, wanted: str) -> str | None:
        last = None
        for line in text.splitlines():
            last = re.search(pattern, line) or last
            if wanted in line and last is not None:
                return last[1]
        return None

    return find


def beside(pattern: str) -> Find:
    """Find the match of ``pattern`` in the line with the quoted name."""

    def find(text: str, name: str) -> str | None:
        for line in text.splitlines():
            if f'"{name}"' in line and (found := re.search(pattern, line)):
                return found[1]
        return None

    return find


@dataclass(frozen=True)
class Verbs:
    """A server's names for the operations of a duelist."""

    open: Callable[[str], Call]
    look: Call
    click: Callable[[str], Call]
    tabs: Call
    switch: Callable[[str], Call]
    ref: Find
    tab: Find
    accept: Call | None = None
    leave: Call | None = None
    """The call that closes the stuck page or the browser."""
    reopen: Callable[[str], Call] | None = None
    """The call that opens a page in a new tab, if this is necessary after a hang."""
    click_named: Callable[[str], Call] | None = None
    tab_parameter: str = ""
    """The parameter for the tab, if the server has no current tab."""


def _verbs(name: str, tabs: Call, switch: Callable[[str], Call], tab: str, **more: Any) -> Verbs:
    server = SERVERS[name]
    return Verbs(
        server.goto, server.snapshot, server.click, tabs, switch, beside(server.ref), after(tab),
        server.dialog, **more,
    )  # fmt: skip


SPEAKERS = {
    OWN_SERVER: _verbs(
        OWN_SERVER,
        ("browser_tabs", {"mode": "list"}),
        lambda tab: ("browser_tabs", {"mode": "switch", "tab_id": tab}),
        r"\b(t\d+)\b",
    ),
    "playwright-mcp": _verbs(
        "playwright-mcp",
        ("browser_tabs", {"action": "list"}),
        lambda tab: ("browser_tabs", {"action": "select", "index": int(tab)}),
        r"- (\d+):",
        leave=("browser_close", {}),
        click_named=lambda name: (
            "browser_click", {"target": f'role=button[name="{name}"]', "element": name}
        ),
    ),
    "chrome-devtools-mcp": _verbs(
        "chrome-devtools-mcp",
        ("list_pages", {}),
        lambda tab: ("select_page", {"pageId": int(tab)}),
        r"^(\d+):",
        reopen=lambda url: ("new_page", {"url": url}),
        tab_parameter="pageId",
    ),
}  # fmt: skip
BROWSER_USE = Verbs(
    open=lambda url: ("browser_navigate", {"url": url}),
    look=("browser_get_state", {}),
    click=lambda ref: ("browser_click", {"index": int(ref)}),
    tabs=("browser_list_tabs", {}),
    switch=lambda tab: ("browser_switch_tab", {"tab_id": tab}),
    ref=after(r'"index": (\d+)'),
    tab=after(r'"tab_id": "(\w+)"'),
    leave=("browser_close_all", {}),
)


class McpTool:
    """An MCP server as a duelist."""

    def __init__(self, client: Client, verbs: Verbs) -> None:
        self._client = client
        self._verbs = verbs
        self._given: dict[str, Any] = {verbs.tab_parameter: 1} if verbs.tab_parameter else {}

    async def open(self, url: str) -> Said:
        return await self._call(*self._verbs.open(url))

    async def start_over(self, url: str) -> Said:
        if self._verbs.leave is not None:
            await self._call(*self._verbs.leave, of_page=False)
        if self._verbs.reopen is None:
            return await self.open(url)
        opened = await self._call(*self._verbs.reopen(url), of_page=False)
        tab = self.tab(opened.text, url)
        return opened if tab is None else await self.switch(tab)

    async def look(self) -> Said:
        return await self._call(*self._verbs.look)

    async def click(self, ref: str) -> Said:
        return await self._call(*self._verbs.click(ref))

    async def click_named(self, name: str) -> Said | None:
        click = self._verbs.click_named
        return None if click is None else await self._call(*click(name))

    async def accept(self) -> Said:
        if self._verbs.accept is None:
            return Said("(it has no tool that answers a dialog)", failed=True)
        return await self._call(*self._verbs.accept)

    async def tabs(self) -> Said:
        return await self._call(*self._verbs.tabs, of_page=False)

    async def switch(self, tab: str) -> Said:
        if self._verbs.tab_parameter:
            self._given = {self._verbs.tab_parameter: int(tab)}
        return await self._call(*self._verbs.switch(tab), of_page=False)

    def ref(self, text: str, name: str) -> str | None:
        return self._verbs.ref(text, name)

    def tab(self, text: str, path: str) -> str | None:
        return self._verbs.tab(text, path)

    async def _call(self, tool: str, arguments: dict[str, Any], *, of_page: bool = True) -> Said:
        given = {**self._given, **arguments} if of_page else arguments
        try:
            result = await self._client.call_tool(tool, given, read_timeout_seconds=CALL_S)
        except Exception as error:
            late = isinstance(error, MCPError) and error.code == REQUEST_TIMEOUT
            return Said("" if late else f"{type(error).__name__}: {error}", failed=True)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        return Said(text, failed=bool(result.is_error))


@asynccontextmanager
async def mcp_tool(
    name: str, browser: str, installed: Installed, env: dict[str, str]
) -> AsyncIterator[McpTool]:
    """Start one of ``SPEAKERS``, until the block ends."""
    async with mcp_client(*server_command(name, browser, installed), env) as client:
        yield McpTool(client, SPEAKERS[name])


@asynccontextmanager
async def browser_use_tool(
    browser: str, installed: Installed, folder: Path, env: dict[str, str]
) -> AsyncIterator[McpTool]:
    """Start browser-use's MCP server, which reads its browser from a configuration file."""
    profile = {
        "id": "duel", "default": True, "headless": True, "executable_path": browser,
        "chromium_sandbox": False, "user_data_dir": f"{folder}/profile",
        "enable_default_extensions": False,
    }  # fmt: skip
    entry = {"id": "duel", "default": True}
    config = {
        "browser_profile": {"duel": profile},
        "llm": {"duel": entry},
        "agent": {"duel": entry},
    }
    (folder / "config.json").write_text(json.dumps(config))
    env = {
        **env, "HOME": str(folder), "BROWSER_USE_CONFIG_DIR": str(folder),
        "ANONYMIZED_TELEMETRY": "false",
    }  # fmt: skip
    async with mcp_client(installed.browser_use(), ["--mcp"], env) as client:
        yield McpTool(client, BROWSER_USE)
