"""MCP servers as rivals, including Tabwarden's own, so that all have the protocol's cost."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from bench.rivals.installed import Installed

__all__ = [
    "OWN_SERVER",
    "SERVERS",
    "Call",
    "McpRival",
    "Server",
    "mcp_client",
    "mcp_rival",
    "server_command",
]

CALL_S = 120
OWN_SERVER = "tabwarden mcp"

Call = tuple[str, dict[str, Any]]
"""A tool, and its arguments."""


@dataclass(frozen=True)
class Server:
    """How to start a server, and the names of its tools."""

    program: str
    arguments: tuple[str, ...]
    goto: Callable[[str], Call]
    evaluate: Callable[[str], Call]
    snapshot: Call
    click: Callable[[str], Call]
    type: Callable[[str, str], Call]
    screenshot: Call
    dialog: Call
    """The call that accepts the open dialog."""
    ref: str
    """A pattern for an element's ref in a line of the snapshot."""
    given: dict[str, Any] = field(default_factory=dict)
    """Additional arguments for each tool."""


SERVERS = {
    OWN_SERVER: Server(
        "tabwarden",
        ("mcp", "--executable", "{browser}"),
        goto=lambda url: ("browser_navigate", {"url": url}),
        evaluate=lambda script: ("browser_evaluate", {"script": script}),
        snapshot=("browser_snapshot", {}),
        click=lambda ref: ("browser_click", {"ref": ref}),
        type=lambda ref, text: ("browser_type", {"ref": ref, "text": text, "clear": True}),
        screenshot=("browser_screenshot", {}),
        dialog=("browser_dialog", {"action": "accept"}),
        ref=r"\[ref=(\w+)",
    ),
    "playwright-mcp": Server(
        "playwright-mcp",
        ("--headless", "--no-sandbox", "--isolated", "--executable-path", "{browser}"),
        goto=lambda url: ("browser_navigate", {"url": url}),
        evaluate=lambda script: ("browser_evaluate", {"function": f"() => ({script})"}),
        snapshot=("browser_snapshot", {}),
        click=lambda ref: ("browser_click", {"target": ref, "element": "button"}),
        type=lambda ref, text: ("browser_type", {"target": ref, "text": text, "element": "field"}),
        screenshot=("browser_take_screenshot", {}),
        dialog=("browser_handle_dialog", {"accept": True}),
        ref=r"\[ref=(\w+)",
    ),
    "chrome-devtools-mcp": Server(
        "chrome-devtools-mcp",
        (
            "--headless", "--isolated", "--executablePath", "{browser}",
            "--chromeArg=--no-sandbox", "--no-usage-statistics", "--no-performance-crux",
        ),
        goto=lambda url: ("navigate_page", {"url": url}),
        evaluate=lambda script: ("evaluate_script", {"function": f"() => ({script})"}),
        snapshot=("take_snapshot", {}),
        click=lambda ref: ("click", {"uid": ref}),
        type=lambda ref, text: ("fill", {"uid": ref, "value": text}),
        screenshot=("take_screenshot", {}),
        dialog=("handle_dialog", {"action": "accept"}),
        ref=r"\buid=(\w+)",
        given={"pageId": 1},
    ),
}  # fmt: skip


class McpRival:
    """A server with its own browser."""

    def __init__(self, client: Client, server: Server) -> None:
        self._client = client
        self._server = server
        self._text = ""

    async def goto(self, url: str) -> None:
        await self._call(*self._server.goto(url))

    async def evaluate(self, expression: str) -> str:
        return await self._call(*self._server.evaluate(expression))

    async def snapshot(self) -> str:
        return await self._call(*self._server.snapshot)

    async def look(self) -> None:
        self._text = await self.snapshot()

    async def click(self, name: str) -> str:
        return await self._call(*self._server.click(self._ref(name)))

    async def type(self, name: str, text: str) -> str:
        return await self._call(*self._server.type(self._ref(name), text))

    async def screenshot(self) -> str:
        return await self._call(*self._server.screenshot)

    async def accept(self) -> str:
        """Accept the open dialog."""
        return await self._call(*self._server.dialog)

    def _ref(self, name: str) -> str:
        for line in self._text.splitlines():
            if f'"{name}"' in line and (found := re.search(self._server.ref, line)):
                return found[1]
        raise LookupError(f"no {name} in its snapshot: {self._text[:300]}")

    async def _call(self, tool: str, arguments: dict[str, Any]) -> str:
        given = {**self._server.given, **arguments}
        result = await self._client.call_tool(tool, given, read_timeout_seconds=CALL_S)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        if result.is_error:
            raise RuntimeError(text[:300])
        return text


def server_command(name: str, browser: str, installed: Installed) -> tuple[Path, list[str]]:
    """Return a server's program and arguments.

    Raises:
        FileNotFoundError: it isn't installed.
    """
    server = SERVERS[name]
    own = Path(sys.executable).with_name("tabwarden")
    program = own if name == OWN_SERVER else installed.npm_program(server.program)
    return program, [one.format(browser=browser) for one in server.arguments]


@asynccontextmanager
async def mcp_client(
    program: Path,
    arguments: list[str],
    env: dict[str, str] | None = None,
    folder: Path | None = None,
) -> AsyncIterator[Client]:
    """Start a server over stdio, until the block ends. It runs in ``folder``, else in a new one."""
    # Servers write snapshots to their working folder.
    with TemporaryDirectory(prefix="rival-", ignore_cleanup_errors=True) as made:
        parameters = StdioServerParameters(
            command=str(program), args=arguments, env=env or {**os.environ}, cwd=folder or made
        )
        with (Path(made) / "stderr").open("w") as said:
            async with Client(stdio_client(parameters, said)) as client:
                yield client


@asynccontextmanager
async def mcp_rival(name: str, browser: str, installed: Installed) -> AsyncIterator[McpRival]:
    """Start a server with a browser, until the block ends.

    Raises:
        FileNotFoundError: it isn't installed.
    """
    async with mcp_client(*server_command(name, browser, installed)) as client:
        yield McpRival(client, SERVERS[name])
