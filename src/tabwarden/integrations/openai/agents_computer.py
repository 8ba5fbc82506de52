"""``Computer`` and ``AsyncComputer`` of openai-agents, with a tab as the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabwarden.integrations.members.computer import SIZE
from tabwarden.integrations.openai.screen import AsyncDriving, Driving, SyncDriving
from tabwarden.surfaces.frameworks.extra import needs
from tabwarden.tools.forms import base64_of

with needs("openai-agents", "agents"):
    from agents import AsyncComputer, Computer
    from agents.computer import Button, Environment

    from tabwarden.surfaces.frameworks import openai_agents

__all__ = ["AgentsComputer", "AsyncAgentsComputer"]

Point = tuple[int, int]
Keys = Sequence[str] | None


class _Screen(Driving):
    """What both share."""

    @property
    def environment(self) -> Environment:
        """Return ``browser``, for the preview of the computer tool."""
        return "browser"

    @property
    def dimensions(self) -> tuple[int, int]:
        """Return the viewport's width and height, for the preview of the computer tool."""
        browser = self._tools.browser
        return (browser.config.viewport if browser is not None else None) or SIZE

    @property
    def function_tools(self) -> list[Any]:
        """Tools that open URLs and answer dialogs and prompts, for ``Agent(tools=...)``."""
        names = {tool.name for tool in self._toolset.offer_function_tools(self._tools)}
        tools = openai_agents.function_tools(self._tools)
        return [tool for tool in tools if tool.name in names]


class AgentsComputer(_Screen, SyncDriving, Computer):
    """``agents.Computer`` with a tab's viewport as the screen.

    ``Agent(tools=[ComputerTool(computer), *computer.function_tools])``. The arguments, dialogs and
    errors are as for ``OpenAIComputer``. Use ``with AgentsComputer() as computer``. In an async
    program, use ``AsyncAgentsComputer``, because these methods block the event loop.
    """

    def screenshot(self) -> str:
        return base64_of(self._look())

    def click(self, x: int, y: int, button: Button, *, keys: Keys = None) -> None:
        self._act("click", x=x, y=y, button=button, keys=keys)

    def double_click(self, x: int, y: int, *, keys: Keys = None) -> None:
        self._act("double_click", x=x, y=y, keys=keys)

    def scroll(self, x: int, y: int, scroll_x: int, scroll_y: int, *, keys: Keys = None) -> None:
        self._act("scroll", x=x, y=y, scroll_x=scroll_x, scroll_y=scroll_y, keys=keys)

    def type(self, text: str) -> None:
        self._act("type", text=text)

    def wait(self) -> None:
        self._act("wait")

    def move(self, x: int, y: int, *, keys: Keys = None) -> None:
        self._act("move", x=x, y=y, keys=keys)

    def keypress(self, keys: list[str]) -> None:
        self._act("keypress", keys=keys)

    def drag(self, path: list[Point], *, keys: Keys = None) -> None:
        self._act("drag", path=path, keys=keys)


class AsyncAgentsComputer(_Screen, AsyncDriving, AsyncComputer):
    """``agents.AsyncComputer`` with a tab's viewport as the screen. See ``AgentsComputer``.

    Use ``async with AsyncAgentsComputer() as computer``.
    """

    async def screenshot(self) -> str:
        return base64_of(await self._look())

    async def click(self, x: int, y: int, button: Button, *, keys: Keys = None) -> None:
        await self._act("click", x=x, y=y, button=button, keys=keys)

    async def double_click(self, x: int, y: int, *, keys: Keys = None) -> None:
        await self._act("double_click", x=x, y=y, keys=keys)

    async def scroll(
        self, x: int, y: int, scroll_x: int, scroll_y: int, *, keys: Keys = None
    ) -> None:
        await self._act("scroll", x=x, y=y, scroll_x=scroll_x, scroll_y=scroll_y, keys=keys)

    async def type(self, text: str) -> None:
        await self._act("type", text=text)

    async def wait(self) -> None:
        await self._act("wait")

    async def move(self, x: int, y: int, *, keys: Keys = None) -> None:
        await self._act("move", x=x, y=y, keys=keys)

    async def keypress(self, keys: list[str]) -> None:
        await self._act("keypress", keys=keys)

    async def drag(self, path: list[Point], *, keys: Keys = None) -> None:
        await self._act("drag", path=path, keys=keys)
