"""All clients of a server. Each has its own task and can't see the tabs of other clients."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

from tabwarden.actions import Limits, Session, Tasks, TenantConfig, Toolset, session_of, tenant_of
from tabwarden.config import Config, Permission, ServerConfig
from tabwarden.errors import Capacity, TabwardenError
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.daemon.live_view import other_servers
from tabwarden.surfaces.guard.serving import Drain
from tabwarden.surfaces.live.live import Live
from tabwarden.surfaces.mcp.client import Client
from tabwarden.surfaces.mcp.conversion import Structured
from tabwarden.surfaces.mcp.timing import FORGET_LOOK_S

log = logging.getLogger("tabwarden.mcp")


class Clients:
    """The clients of a server, by name.

    Args:
        limits: returns the limits. If the configuration names an endpoint, each client gets its own
            context in that endpoint's browser. None: there is only one client, which is never idle.
        structured: how much structured content the answers have.
    """

    def __init__(
        self,
        toolset: Toolset,
        config: LiveConfig,
        *,
        limits: Callable[[], Limits] | None = None,
        structured: Structured = "none",
    ) -> None:
        self.toolset = toolset
        self.structured = structured
        self._config = config
        self._limits = limits or (lambda: Limits(max_tasks=1))
        own = limits is not None

        def new_session(name: str) -> Session:
            task = name if own else None
            source = TenantConfig(config, tenant_of(name))
            return session_of(source, auto_open=toolset.auto_open, own_context=own, task_id=task)

        self._tasks = Tasks(new_session, self._limits)
        self.view = Live("the MCP server", self._tasks.open_sessions, other_servers)
        """What people see of the clients' tasks."""
        self._tasks.link_for_people = self.view.link_of
        self._tasks.keepers += [self.view.is_watched, lambda name: name in self._in_flight]
        self._clients: dict[str, Client] = {}
        self._in_flight: Counter[str] = Counter()
        self._last_used: dict[str, float] = {}

    @property
    def allow(self) -> Sequence[Permission]:
        """What the configuration allows to every caller."""
        return self._config.browser.allow

    def of(self, name: str) -> Client:
        """Return the client with this name. Create it on its first request.

        Raises:
            InvalidArgument: ``name`` is not a valid task name.
        """
        if name not in self._clients:
            self._clients[name] = Client(
                name, self._tasks, self.toolset, TenantConfig(self._config, tenant_of(name))
            )
            self._last_used[name] = time.monotonic()
        return self._clients[name]

    @contextmanager
    def busy(self, name: str) -> Iterator[None]:
        """Mark a client as busy during its request."""
        self._in_flight[name] += 1
        try:
            yield
        finally:
            self._in_flight[name] -= 1
            if not self._in_flight[name]:
                del self._in_flight[name]
            if name in self._clients:
                self._last_used[name] = time.monotonic()

    async def left(self, name: str) -> None:
        """Close the browser of a client that has disconnected or been idle for too long."""
        client = self._clients.pop(name, None)
        self._last_used.pop(name, None)
        if client is not None:
            await client.close()

    def disconnected(self, name: str, connection: str) -> None:
        """Forget one connection of a client. The client may have other connections."""
        if name in self._clients:
            self._clients[name].subscribers.left(connection)

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Notify the clients of changes until the block ends. Then close all browsers."""
        ending = [
            asyncio.create_task(work) for work in (self._tasks.end_idle(), self._forget_idle())
        ]
        try:
            async with self._config.followed(self._configured):
                yield
        finally:
            for task in ending:
                task.cancel()
            self.stopping()
            await asyncio.gather(*map(self.left, list(self._clients)), return_exceptions=True)
            await self._tasks.close()
            self.view.close()

    @property
    def server_config(self) -> ServerConfig:
        return self._config.now.server

    def not_ready(self) -> Capacity | None:
        """Return why no other client may open a browser now; None if one may."""
        if not self._config.browser.enabled:
            return Capacity("Tabwarden is switched off by its configuration.", reason="disabled")
        return self._tasks.refusal()

    @property
    def drain(self) -> Drain:
        """How the server lets calls end when it stops."""
        return Drain(
            lambda: self.server_config.drain_s, self._tasks.refuse_calls, self._tasks.has_calls
        )

    def stopping(self) -> None:
        """End all calls and streams, so that the server can stop."""
        self._tasks.cancel_calls("the server stops")
        for client in self._clients.values():
            client.subscribers.close()

    def _configured(self, _: Config) -> None:
        for client in list(self._clients.values()):
            client.configured()

    async def _forget_idle(self) -> None:
        """Forget clients that have sent nothing for too long and have no browser any more."""
        while True:
            await asyncio.sleep(FORGET_LOOK_S)
            idle_s = self._limits().idle_s
            long_ago = time.monotonic() - idle_s
            for name, last in list(self._last_used.items()):
                has_browser = self._clients[name].session.current is not None
                if idle_s and last < long_ago and name not in self._in_flight and not has_browser:
                    try:
                        await self.left(name)
                    except TabwardenError as error:
                        log.warning("an idle client could not be ended: %s", error)
