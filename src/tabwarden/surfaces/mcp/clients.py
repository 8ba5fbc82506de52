"""A server's clients. Each has its own task and can't see other clients' tabs."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tabwarden.actions import (
    Answer,
    ConfigSource,
    Limits,
    PreparedCall,
    Session,
    Tasks,
    TenantConfig,
    TenantTasks,
    Tool,
    Toolset,
    narrowed,
    own_name,
    refused,
    session_of,
    tenant_of,
    without_picture,
)
from tabwarden.browser import Browser
from tabwarden.config import BrowserConfig, Config, Images, Permission, ServerConfig
from tabwarden.errors import Capacity, TabwardenError
from tabwarden.events import Events, Notice
from tabwarden.live_config import LiveConfig
from tabwarden.page import Screenshot, control
from tabwarden.surfaces.daemon.live_view import other_servers
from tabwarden.surfaces.guard.principal import OPERATOR, Principal
from tabwarden.surfaces.live.live import Live
from tabwarden.surfaces.mcp.calls import Structured
from tabwarden.surfaces.mcp.state import Change, state_of
from tabwarden.surfaces.progress import CallProgress, report_progress

if TYPE_CHECKING:
    from tabwarden.surfaces.guard.serving import Drain
    from tabwarden.surfaces.mcp.resources import LiveNow
    from tabwarden.surfaces.mcp.roots import Roots
    from tabwarden.surfaces.mcp.subscribers import Subscribers

BATCH_S = 0.1
"""The server groups the changes within this time into one notification."""


class Client:
    """Calls tools on the client's own task, and notifies the client's subscribers of changes.

    Use this class only on the event loop that created it.
    """

    def __init__(
        self,
        name: str,
        tasks: Tasks,
        toolset: Toolset,
        config: ConfigSource,
        images: Callable[[], Images],
    ) -> None:
        self.name = name
        self.tools_changed: Callable[[], None] = _nothing
        """Called when the list of tools changes while the client has no subscribers yet."""
        self.session = tasks.of(name)
        self.session.name_call = toolset.call
        self.picture: Screenshot | None = None
        self.running: set[asyncio.Task[Answer]] = set()
        """The running calls. A call continues for a moment after its request is canceled."""
        self._tasks = tasks
        self._toolset = toolset
        self._config = config
        self._images = images
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._followed: Browser | None = None
        self._events: Events[Any] | None = None
        self._unfollow_control: Callable[[], None] = _nothing
        self._unwatch = self.session.watch(self._changed.set)
        self._telling = asyncio.create_task(self._tell())

    @cached_property
    def subscribers(self) -> Subscribers:
        """The client's connections and streams. The first use imports the SDK."""
        from tabwarden.surfaces.mcp.subscribers import Subscribers

        return Subscribers()

    @cached_property
    def roots(self) -> Roots:
        from tabwarden.surfaces.mcp.roots import Roots

        return Roots(self.session)

    @cached_property
    def live(self) -> LiveNow:
        from tabwarden.surfaces.mcp.resources import LiveNow

        return LiveNow(self.session)

    def tools(self, caller: Principal = OPERATOR) -> Sequence[Tool]:
        """Return the tools that currently work and that a caller may use."""
        return self._toolset.tools(self.config_of(caller), self.session)

    def prepare(self, tool: str, arguments: Mapping[str, Any], caller: Principal) -> PreparedCall:
        config = self.session.adjusted(self.config_of(caller))
        return self._toolset.prepare(config, tool, arguments)

    def allows(self, permission: Permission, caller: Principal) -> bool:
        """Return whether a caller has a permission."""
        return permission in self.config_of(caller).allow

    async def call(self, prepared: PreparedCall, caller: Principal) -> Answer:
        """Run a tool. An error becomes an answer."""
        tasks = TenantTasks(self._tasks, caller.tenant, caller.max_tasks)
        name = self.name if caller.is_operator else own_name(self.name)
        try:
            with tasks.call(name, prepared.budget, opens=True) as session:
                answer = await prepared.run(session)
        except Capacity as full:
            return refused(self.session, full)
        finally:
            self._changed.set()
        if answer.picture is not None:
            self.picture = answer.picture
        return answer

    async def answer(
        self,
        prepared: PreparedCall,
        caller: Principal,
        report: Callable[[CallProgress], Awaitable[None]],
    ) -> Answer:
        """Run a tool, and call ``report`` once per second. Canceling the caller cancels the call's
        budget, which also stops the page's script.
        """
        call = asyncio.ensure_future(self.call(prepared, caller))
        self.running.add(call)
        call.add_done_callback(self.running.discard)
        try:
            await report_progress(call, prepared.budget, report)
        finally:
            if not call.done():
                prepared.budget.cancel("the client canceled it or disconnected")
        return await without_picture(call.result(), self._images(), self.config_of(caller))

    def configured(self) -> None:
        self.session.configure(self._toolset.obeyed(self._config.browser))
        self._changed.set()

    async def close(self) -> None:
        """End the client's calls and streams, and close its browser."""
        if "live" in vars(self):
            self.live.close()
        self._unwatch()
        self._telling.cancel()
        self.end_streams()
        self._unfollow()
        await self._tasks.stop(self.name)

    def left(self, connection: str) -> None:
        """Forget a closed connection."""
        if "subscribers" in vars(self):
            self.subscribers.left(connection)

    def end_streams(self) -> None:
        if "subscribers" in vars(self):
            self.subscribers.close()

    def config_of(self, caller: Principal) -> BrowserConfig:
        return narrowed(self._config.browser, caller.permissions)

    # -- changes -------------------------------------------------------------------------------

    async def _tell(self) -> None:
        tools, state, picture = self._tool_names(), state_of(self.session), self.picture
        while True:
            await self._changed.wait()
            self._changed.clear()
            self._follow()
            if (names := self._tool_names()) != tools:
                tools = names
                await self._announce("tools")
            if (now := state_of(self.session)) != state:
                state = now
                await self._announce("state")
            if self.picture is not picture:
                picture = self.picture
                await self._announce("screenshot")
            await asyncio.sleep(BATCH_S)

    async def _announce(self, change: Change) -> None:
        if "subscribers" in vars(self):
            await self.subscribers.tell(change)
        elif change == "tools":
            self.tools_changed()

    def _tool_names(self) -> list[str]:
        return [tool.name for tool in self.tools()]

    def _follow(self) -> None:
        """Subscribe to the events of the current browser."""
        browser = self.session.current
        if browser is self._followed:
            return
        self._unfollow()
        self._followed = browser
        if browser is not None:
            self._events = browser.events(callback=self._heard)
            if browser.can_hand_off:
                self._unfollow_control = browser.control.watch(self._heard)

    def _unfollow(self) -> None:
        if self._events is not None:
            self._events.close()
        self._unfollow_control()
        self._events = self._followed = None

    def _heard(self, _: Notice | control.Change) -> None:  # on another thread
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed.set)


def _nothing() -> None:
    pass


log = logging.getLogger("tabwarden.mcp")

FORGET_LOOK_S = 30.0
"""The pause between searches for idle clients. Forgetting a client only frees some memory."""


class Clients:
    """A server's clients, by name. Args: limits: returns the limits. If the configuration has an
    endpoint, each client gets its own context in the endpoint's browser. None: there is only
    one client, which is never idle. structured: how much structured content the answers have.
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
        """The live view of the clients' tasks."""
        self._tasks.link_for_people = self.view.link_of
        self._tasks.keepers += [self.view.is_watched, lambda name: name in self._in_flight]
        self._clients: dict[str, Client] = {}
        self._in_flight: Counter[str] = Counter()
        self._last_used: dict[str, float] = {}

    @property
    def allow(self) -> Sequence[Permission]:
        """The permissions that the configuration grants to all callers."""
        return self._config.browser.allow

    def of(self, name: str) -> Client:
        """Return the client with this name. Create it on its first request.

        Raises:
            InvalidArgument: ``name`` is not a valid task name.
        """
        if name not in self._clients:
            self._clients[name] = Client(
                name,
                self._tasks,
                self.toolset,
                TenantConfig(self._config, tenant_of(name)),
                lambda: self.server_config.images,
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
            self._clients[name].left(connection)

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
        """Return why no further client may open a browser now; None if a client may."""
        if not self._config.browser.enabled:
            return Capacity("Tabwarden is disabled in its configuration.", reason="disabled")
        return self._tasks.refusal()

    @property
    def drain(self) -> Drain:
        """Return how the server lets calls end when it stops."""
        from tabwarden.surfaces.guard.serving import Drain

        return Drain(
            lambda: self.server_config.drain_s, self._tasks.refuse_calls, self._tasks.has_calls
        )

    def stopping(self) -> None:
        """End all calls and streams, so that the server can stop."""
        self._tasks.cancel_calls("the server stops")
        for client in self._clients.values():
            client.end_streams()

    def _configured(self, _: Config) -> None:
        for client in list(self._clients.values()):
            client.configured()

    async def _forget_idle(self) -> None:
        """Forget clients that have been inactive for too long and have no browser."""
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
                        log.warning("an idle client could not be removed: %s", error)
