"""Client: one MCP client as the server sees it: its task, its last picture, who hears of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from mcp.server.subscriptions import ResourceUpdated, ToolsListChanged

from tabwarden.actions import Answer, TaskLimit, Tasks, Tool, Toolset
from tabwarden.actions.dispatch import refused
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.events import Events, Notice
from tabwarden.live_config import LiveConfig
from tabwarden.page import Screenshot
from tabwarden.surfaces.mcp.audience import Audience
from tabwarden.surfaces.mcp.resources import SCREENSHOT, STATE, state_of

__all__ = ["Client"]

_PAUSE_S = 0.1
"""Changes that follow each other faster are told together."""


class Client:
    """Calls tools on its own task, and tells its audience what changes there.

    Belongs to the event loop that it is made on.

    Args:
        name: its task's.
        tasks: where that is.
        toolset: what its model is shown.
        config: what is allowed, as it is now.
    """

    def __init__(self, name: str, tasks: Tasks, toolset: Toolset, config: LiveConfig) -> None:
        self.name = name
        self.session = tasks.of(name)
        self.audience = Audience()
        self.picture: Screenshot | None = None
        """The last one that was taken."""
        self._tasks = tasks
        self._toolset = toolset
        self._config = config
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._followed: Browser | None = None
        self._events: Events | None = None
        self._unwatch = self.session.watch(self._changed.set)
        self._telling = asyncio.create_task(self._tell())

    def tools(self) -> Sequence[Tool]:
        """The tools that work as things stand."""
        return self._toolset.tools(self._config.browser, self.session)

    def budget_for(self, tool: str, arguments: Mapping[str, Any]) -> Budget:
        """The one budget of a call."""
        return self._toolset.budget_for(self._config.browser, tool, arguments)

    async def call(self, tool: str, arguments: Mapping[str, Any], budget: Budget) -> Answer:
        """Run a tool. Errors are answers too."""
        config = self._config.browser
        try:
            with self._tasks.call(self.name, budget, opens=True) as session:
                answer = await self._toolset.call(session, config, tool, arguments, budget=budget)
        except TaskLimit:
            full = TaskLimit(
                "As many clients of this server have a browser as may have one.",
                "Call again when another client has closed its own (browser_close), or has left.",
            )
            return refused(self.session, full)
        finally:
            self._changed.set()
        if answer.picture is not None:
            self.picture = answer.picture
        return answer

    def configured(self) -> None:
        """Obey the configuration, which is another one now."""
        self.session.configure(self._config.browser)
        self._changed.set()

    async def close(self) -> None:
        """End its calls, its browser and its streams."""
        self._unwatch()
        self._telling.cancel()
        self.audience.close()
        self._unfollow()
        await self._tasks.stop(self.name)

    # -- changes -------------------------------------------------------------------------------

    async def _tell(self) -> None:
        tools, state, picture = self._tool_names(), state_of(self.session), self.picture
        while True:
            await self._changed.wait()
            self._changed.clear()
            self._follow()
            if (names := self._tool_names()) != tools:
                tools = names
                await self.audience.tell(ToolsListChanged())
            if (now := state_of(self.session)) != state:
                state = now
                await self.audience.tell(ResourceUpdated(STATE))
            if self.picture is not picture:
                picture = self.picture
                await self.audience.tell(ResourceUpdated(SCREENSHOT))
            await asyncio.sleep(_PAUSE_S)

    def _tool_names(self) -> list[str]:
        return [tool.name for tool in self.tools()]

    def _follow(self) -> None:
        """Hear what happens in the browser that is open now."""
        browser = self.session.current
        if browser is self._followed:
            return
        self._unfollow()
        self._followed = browser
        if browser is not None:
            self._events = browser.events(callback=self._heard)

    def _unfollow(self) -> None:
        if self._events is not None:
            self._events.close()
        self._events = self._followed = None

    def _heard(self, _: Notice) -> None:  # on the engine's thread
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed.set)
