"""The tools: each opens a separate session for an agent, as its documentation recommends for many
agents.

- *tabwarden*: one ``tabwarden serve``, and a task for each agent, over HTTP.
- *playwright-mcp*: a server over stdio for each agent, isolated, with a browser of its own.
- *agent-browser*: a session for each agent, which has its own daemon and browser. Each command is a
  process, as its users run it.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2

from bench.rivals.agent_browser import AgentBrowser, surroundings
from bench.rivals.installed import Installed
from bench.rivals.mcp import SERVERS, McpRival, mcp_client, server_command
from judges.fifty.work import CALL_S, Session

__all__ = ["NAMES", "OWN", "TOOLS", "Open"]

OWN = "tabwarden"
NAMES = {OWN: "Tabwarden", "playwright-mcp": "Playwright MCP", "agent-browser": "agent-browser"}

Open = Callable[[int], AbstractAsyncContextManager[Session]]
"""Opens an agent's session with an open browser. The argument is the agent's number."""
_STARTED = re.compile(rb"serves on (http://\S+) ")


class Refs:
    """The refs of the last snapshot, by the elements' names."""

    def __init__(self) -> None:
        self._text = ""

    def read(self, snapshot: str) -> str:
        self._text = snapshot
        return snapshot

    def of(self, name: str) -> str:
        """Raise ``LookupError`` if the snapshot has no such element."""
        for line in self._text.splitlines():
            if f'"{name}"' in line and (found := re.search(r"\bref=(\w+)", line)):
                return found[1]
        raise LookupError(f"no {name} in its snapshot")


class TabwardenTask:
    """A task on a Tabwarden server."""

    def __init__(self, client: httpx2.AsyncClient, task: str) -> None:
        self._client = client
        self._task = {"task": task}
        self._refs = Refs()

    async def goto(self, url: str) -> object:
        return await self._post("/navigate", url=url)

    async def snapshot(self) -> str:
        response = await self._client.get("/snapshot", params=self._task)
        return self._refs.read(str(_checked(response)["snapshot"]))

    async def type(self, name: str, text: str) -> object:
        return await self._post("/act", kind="type", ref=self._refs.of(name), text=text)

    async def click(self, name: str) -> object:
        return await self._post("/act", kind="click", ref=self._refs.of(name))

    async def evaluate(self, expression: str) -> str:
        return str((await self._post("/act", kind="evaluate", fn=expression))["result"])

    async def _post(self, path: str, **fields: Any) -> dict[str, Any]:
        return _checked(await self._client.post(path, params=self._task, json=fields))


def _checked(response: httpx2.Response) -> dict[str, Any]:
    body: dict[str, Any] = response.json()
    if response.status_code != 200:
        raise RuntimeError(body["tabwarden"]["code"])
    return body


@asynccontextmanager
async def tabwarden(browser: str, installed: Installed, agents: int) -> AsyncIterator[Open]:
    """One server for all agents."""
    _ = installed
    token = secrets.token_hex(16)
    with TemporaryDirectory(prefix="fifty-", ignore_cleanup_errors=True) as folder:
        limits = {"TASKS": agents, "REQUESTS": 4 * agents, "STREAMS": agents}
        process = await asyncio.create_subprocess_exec(
            Path(sys.executable).with_name("tabwarden"),
            "serve", "--port", "0", "--executable", browser, stderr=asyncio.subprocess.PIPE,
            env={
                **os.environ,
                **{f"TABWARDEN_SERVER__MAX_{name}": str(most) for name, most in limits.items()},
                "TABWARDEN_SERVER__TOKEN": token,
                "XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder,
            },
        )  # fmt: skip
        assert process.stderr is not None
        draining = None
        try:
            while not (found := _STARTED.search(line := await process.stderr.readline())):
                if not line:
                    raise RuntimeError("tabwarden serve did not start")
            draining = asyncio.create_task(process.stderr.read())
            async with httpx2.AsyncClient(
                base_url=found[1].decode(), headers={"Authorization": f"Bearer {token}"},
                timeout=CALL_S, trust_env=False,
                limits=httpx2.Limits(max_connections=None),
            ) as client:  # fmt: skip

                @asynccontextmanager
                async def session(number: int) -> AsyncIterator[Session]:
                    task = TabwardenTask(client, f"agent-{number}")
                    await task.goto("about:blank")
                    yield task

                yield session
        finally:
            with suppress(ProcessLookupError):  # it has ended
                process.terminate()
            await process.wait()
            if draining is not None:
                await draining


class PlaywrightMcp(McpRival):
    """A separate server for each agent."""

    async def snapshot(self) -> str:
        self._text = await super().snapshot()
        return self._text


@asynccontextmanager
async def playwright_mcp(browser: str, installed: Installed, agents: int) -> AsyncIterator[Open]:
    """A server for each agent."""
    _ = agents
    command = server_command("playwright-mcp", browser, installed)

    @asynccontextmanager
    async def session(number: int) -> AsyncIterator[Session]:
        _ = number
        async with mcp_client(*command) as client:
            rival = PlaywrightMcp(client, SERVERS["playwright-mcp"])
            await rival.goto("about:blank")
            yield rival

    yield session


class AgentBrowserSession(AgentBrowser):
    """A named session, with clicks by ref."""

    def __init__(self, program: Path, folder: str, env: dict[str, str]) -> None:
        super().__init__(program, folder, env)
        self._refs = Refs()

    async def snapshot(self) -> str:
        return self._refs.read(await super().snapshot())

    async def type(self, name: str, text: str) -> None:
        await self.run("fill", f"@{self._refs.of(name)}", text)

    async def click(self, name: str) -> None:
        await self.run("click", f"@{self._refs.of(name)}")


@asynccontextmanager
async def agent_browser(browser: str, installed: Installed, agents: int) -> AsyncIterator[Open]:
    """A session for each agent."""
    _ = agents
    program = installed.agent_browser()
    with TemporaryDirectory(prefix="ab-", ignore_cleanup_errors=True) as folder:
        env = surroundings(browser, folder)

        @asynccontextmanager
        async def session(number: int) -> AsyncIterator[Session]:
            named = {**env, "AGENT_BROWSER_SESSION": f"agent-{number}"}
            rival = AgentBrowserSession(program, folder, named)
            await rival.goto("about:blank")
            try:
                yield rival
            finally:
                async with asyncio.timeout(CALL_S):
                    await rival.run("close")

        yield session


TOOLS: dict[str, Callable[[str, Installed, int], AbstractAsyncContextManager[Open]]] = {
    OWN: tabwarden,
    "playwright-mcp": playwright_mcp,
    "agent-browser": agent_browser,
}
