"""A test MCP host: the official client, connected to a `tabwarden mcp` process."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from support.eventually import eventually
from support.serving import TOKEN, Serving, running_server

from tabwarden.actions import DEFAULT_TASK
from tabwarden.config import BrowserConfig
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.mcp.calls import Structured
from tabwarden.surfaces.mcp.clients import Clients
from tabwarden.surfaces.mcp.server import make_server
from tabwarden.toolsets import toolset_of

__all__ = [
    "CANCELLED_MS",
    "Host",
    "descendants",
    "hosting",
    "inside",
    "reaching",
    "serving_mcp",
    "wait_for_end",
]

CANCELLED_MS = 60_000
"""The budget of a call to be canceled, longer than any test waits."""


class Host:
    """Calls tools and stores the last text that a model would see."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def tools(self) -> dict[str, Any]:
        return {tool.name: tool for tool in (await self.client.list_tools()).tools}

    async def call(self, tool: str, /, **arguments: Any) -> tuple[str, dict[str, Any]]:
        """Call a tool that succeeds; return its text and its structured content."""
        text, data, is_error = await self.raw(tool, **arguments)
        assert not is_error, text
        return text, data

    async def fail(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Call a tool that fails; return its error, after checks of the text for the model."""
        text, data, is_error = await self.raw(tool, **arguments)
        assert is_error, text
        error: dict[str, Any] = data["error"]
        assert error["code"] in text
        assert error["message"] in text
        return error

    async def raw(self, tool: str, /, **arguments: Any) -> tuple[str, dict[str, Any], bool]:
        result = await self.client.call_tool(tool, arguments)
        text = "\n".join(part.text for part in result.content if part.type == "text")
        return text, result.structured_content or {}, bool(result.is_error)

    async def cancelled(
        self, tool: str, /, when: Callable[[], Awaitable[object]], **arguments: Any
    ) -> None:
        """Start a call, and cancel it (``notifications/cancelled``) when ``when()`` returns."""

        async def call() -> None:
            given = {"timeout_ms": CANCELLED_MS, **arguments}
            result = await self.client.call_tool(tool, given)
            raise AssertionError(f"{tool} was over before it was cancelled: {result}")

        async with anyio.create_task_group() as group:
            group.start_soon(call)
            await when()
            group.cancel_scope.cancel()

    async def ref(self, words: str) -> str:
        """The ref in the snapshot line that contains these words."""
        text, _ = await self.call("browser_snapshot")
        for line in text.splitlines():
            if words in line and (found := re.search(r"\[ref=(e\d+)\]", line)):
                return found[1]
        raise AssertionError(f"no ref for {words!r} in:\n{text}")


def told(arguments: tuple[str, ...]) -> list[str]:
    """The server options: every tool and all data, unless a test chooses others."""
    everything = {"--tools": "full", "--structured": "full"}
    left = [word for option in everything.items() if option[0] not in arguments for word in option]
    return [*left, *arguments]


@asynccontextmanager
async def hosting(
    *arguments: str, env: dict[str, str] | None = None, **client: Any
) -> AsyncIterator[Host]:
    """Start ``tabwarden mcp`` with these arguments and connect to it for the block."""
    command = Path(sys.executable).with_name("tabwarden")
    parameters = StdioServerParameters(
        command=str(command), args=["mcp", *told(arguments)], env={**os.environ, **(env or {})}
    )
    async with Client(parameters, **client) as connected:
        yield Host(connected)


@asynccontextmanager
async def inside(
    config: BrowserConfig | None = None, *, structured: Structured = "full", **client: Any
) -> AsyncIterator[tuple[Host, Clients]]:
    """Connect to a server in this process, without a new process, for the block."""
    live = LiveConfig.fixed(config or BrowserConfig())
    clients = Clients(toolset_of("full"), live, structured=structured)
    server = make_server(clients, lambda _: DEFAULT_TASK)
    async with clients.served(), Client(server, **client) as connected:
        yield Host(connected), clients


@asynccontextmanager
async def reaching(url: str, *, token: str = TOKEN, **client: Any) -> AsyncIterator[Host]:
    """Connect to a server over HTTP for the block."""
    shown = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=shown, timeout=60, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), **client) as connected,
    ):
        yield Host(connected)


def serving_mcp(*arguments: str, **environment: str) -> AbstractContextManager[Serving]:
    """``tabwarden mcp --http``: see ``running_server``."""
    return running_server("mcp", "--http", *told(arguments), **environment)


def wait_for_end(pids: list[int]) -> None:
    """Wait until these processes have ended."""
    eventually(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


def kill_browsers_of_servers() -> int:
    """SIGKILL the browsers of each ``tabwarden mcp`` of this process; how many there were.

    Other tests of this process have browsers too, which they share.
    """
    killed = 0
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            if b"/tabwarden\0mcp\0" in Path(f"/proc/{pid}/cmdline").read_bytes():
                killed += kill_browsers_of(pid)
    return killed


def kill_browsers_of(parent: int) -> int:
    """SIGKILL every Chromium below a process; return their number."""
    killed = 0
    for pid in descendants(parent):
        try:
            if b"--type=" not in Path(f"/proc/{pid}/cmdline").read_bytes():
                name = os.readlink(f"/proc/{pid}/exe")
                if "chrom" in name:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
        except OSError:
            continue
    return killed


def descendants(parent: int) -> list[int]:
    """All descendants of a process."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            children.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found, queue = [], [parent]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found
