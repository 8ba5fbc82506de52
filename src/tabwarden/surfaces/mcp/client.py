"""One MCP client of the server: its task, its last picture, its subscribers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mcp.server.subscriptions import ResourceUpdated, ToolsListChanged

from tabwarden.actions import (
    Answer,
    ConfigSource,
    PreparedCall,
    Tasks,
    TenantTasks,
    Tool,
    Toolset,
    narrowed,
    own_name,
    refused,
)
from tabwarden.browser import Browser
from tabwarden.config import BrowserConfig, Permission
from tabwarden.errors import Capacity
from tabwarden.events import Events, Notice
from tabwarden.page import Screenshot
from tabwarden.page.control import Change
from tabwarden.surfaces.guard.principal import OPERATOR, Principal
from tabwarden.surfaces.mcp.app import LiveNow
from tabwarden.surfaces.mcp.resources import SCREENSHOT, STATE, state_of
from tabwarden.surfaces.mcp.roots import Roots
from tabwarden.surfaces.mcp.subscribers import Subscribers
from tabwarden.surfaces.mcp.timing import BATCH_S


class Client:
    """Calls tools on the client's own task, and notifies the client's subscribers of changes.

    Use this class only on the event loop that created it.
    """

    def __init__(self, name: str, tasks: Tasks, toolset: Toolset, config: ConfigSource) -> None:
        self.name = name
        self.session = tasks.of(name)
        self.session.name_call = toolset.call
        self.subscribers = Subscribers()
        self.picture: Screenshot | None = None
        self.running: set[asyncio.Task[Answer]] = set()
        """The calls that run: a call continues for a moment after its request was cancelled."""
        self.live = LiveNow(self.session)
        self.roots = Roots(self.session)
        self._tasks = tasks
        self._toolset = toolset
        self._config = config
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._followed: Browser | None = None
        self._events: Events[Any] | None = None
        self._unfollow_control: Callable[[], None] = _nothing
        self._unwatch = self.session.watch(self._changed.set)
        self._telling = asyncio.create_task(self._tell())

    def tools(self, caller: Principal = OPERATOR) -> Sequence[Tool]:
        """Return the tools that work now and that a caller may use."""
        return self._toolset.tools(self.config_of(caller), self.session)

    def prepare(self, tool: str, arguments: Mapping[str, Any], caller: Principal) -> PreparedCall:
        config = self.session.adjusted(self.config_of(caller))
        return self._toolset.prepare(config, tool, arguments)

    def allows(self, permission: Permission, caller: Principal) -> bool:
        """Whether a caller has a permission."""
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

    def configured(self) -> None:
        self.session.configure(self._toolset.obeyed(self._config.browser))
        self._changed.set()

    async def close(self) -> None:
        """End the client's calls and streams, and close its browser."""
        self.live.close()
        self._unwatch()
        self._telling.cancel()
        self.subscribers.close()
        self._unfollow()
        await self._tasks.stop(self.name)

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
                await self.subscribers.tell(ToolsListChanged())
            if (now := state_of(self.session)) != state:
                state = now
                await self.subscribers.tell(ResourceUpdated(STATE))
            if self.picture is not picture:
                picture = self.picture
                await self.subscribers.tell(ResourceUpdated(SCREENSHOT))
            await asyncio.sleep(BATCH_S)

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

    def _heard(self, _: Notice | Change) -> None:  # on another thread
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed.set)


def _nothing() -> None:
    pass
