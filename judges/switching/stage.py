"""The environment of a trial: its pages, its folder, and the tools that it starts."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from support.site import Site

from bench.rivals.agent_browser import surroundings
from bench.rivals.installed import Installed
from bench.rivals.mcp import OWN_SERVER, SERVERS, mcp_client, server_command
from judges.switching.users import McpUser, ShellUser, User

__all__ = ["AGENT_BROWSER", "DEVTOOLS", "OWN", "PLAYWRIGHT", "TELL", "Stage", "answer"]

OWN = "tabwarden"
PLAYWRIGHT = "playwright-mcp"
DEVTOOLS = "chrome-devtools-mcp"
AGENT_BROWSER = "agent-browser"
HEARD_S = 5.0
TELL = """<script>
const tell = (...what) => fetch('/told/' + what.map(encodeURIComponent).join('/'))
</script>"""
"""The script with which pages report events."""


@dataclass
class Stage:
    site: Site
    folder: Path
    browser: str
    installed: Installed
    env: dict[str, str]
    users: list[User] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    """The notes from the server and the scripts for the judge."""

    @property
    def here(self) -> str:
        return self.site.here

    @property
    def told(self) -> list[str]:
        """The pages' reports."""
        return [unquote(hit[6:]) for hit in list(self.site.hits) if hit.startswith("/told/")]

    @property
    def text(self) -> str:
        """All text that the agent has read."""
        return "\n".join(text for user in self.users for text in user.answers)

    def page(self, path: str, body: str) -> None:
        """Serve an HTML page."""
        self.site.page(path, TELL + body)

    def script(self, path: str, body: str) -> None:
        self.site.pages[path] = lambda request: answer(request, body, "text/javascript")

    async def hears(self, report: str) -> bool:
        """Whether a page has sent a report with this beginning, or sends it soon."""
        until = time.monotonic() + HEARD_S
        while time.monotonic() < until:
            if any(told.startswith(report) for told in self.told):
                return True
            await asyncio.sleep(0.02)
        return False

    @staticmethod
    def nonce() -> str:
        """Return a word that an agent can only know by reading it."""
        return secrets.token_hex(4)

    def note(self, name: str) -> None:
        """Record the current time."""
        self.facts[name] = time.monotonic()

    def write(self, name: str, content: str | dict[str, Any]) -> str:
        """Write a user's file. Return its path."""
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    @asynccontextmanager
    async def tabwarden(self, *flags: str) -> AsyncIterator[McpUser]:
        async with self._mcp(OWN_SERVER, *flags) as user:
            yield user

    @asynccontextmanager
    async def playwright(
        self, *flags: str, profile: bool = False, **config: Any
    ) -> AsyncIterator[McpUser]:
        """Start Playwright MCP. ``config`` is the section ``browser`` of its configuration file;
        with ``profile``, its profile is kept in a folder."""
        more = ["--config", self.write("config.json", {"browser": config})] if config else []
        without = {"--isolated"} if profile else set()
        async with self._mcp(PLAYWRIGHT, *flags, *more, without=without) as user:
            yield user

    @asynccontextmanager
    async def devtools(self, *flags: str, profile: bool = False) -> AsyncIterator[McpUser]:
        without = {"--isolated"} if profile else set()
        async with self._mcp(DEVTOOLS, *flags, without=without) as user:
            user.given = SERVERS[DEVTOOLS].given
            yield user

    @asynccontextmanager
    async def agent_browser(self, *commands: str) -> AsyncIterator[ShellUser]:
        """Start agent-browser. The agent has also read some commands' help."""
        env = {**self.env, **surroundings(self.browser, str(self.folder))}
        user = ShellUser(program=self.installed.agent_browser(), folder=self.folder, env=env)
        self.users.append(user)
        await user.begin(*commands)
        try:
            yield user
        finally:
            await user.prepare("close")

    @asynccontextmanager
    async def _mcp(
        self, name: str, *flags: str, without: set[str] | None = None
    ) -> AsyncIterator[McpUser]:
        program, arguments = server_command(name, self.browser, self.installed)
        kept = [one for one in arguments if one not in (without or ())]
        env = {**self.env, "HOME": str(self.folder), "XDG_STATE_HOME": f"{self.folder}/state"}
        async with mcp_client(program, [*kept, *flags], env, self.folder) as client:
            user = McpUser(client=client)
            self.users.append(user)
            await user.count()
            yield user
            await user.count()


def answer(
    request: BaseHTTPRequestHandler,
    body: str | bytes,
    kind: str = "application/json",
    headers: dict[str, str] | None = None,
) -> None:
    """Answer a request of a page."""
    data = body.encode() if isinstance(body, str) else body
    request.send_response(200)
    request.send_header("Content-Type", kind)
    request.send_header("Content-Length", str(len(data)))
    for name, value in (headers or {}).items():
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(data)
