"""The scripted agent: makes a tool's calls within a time limit, and stores the answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from judges.duel.tool import Said, Tool

__all__ = ["BOUT_S", "TRIES", "Agent", "Heard", "Read", "TimeIsUp"]

BOUT_S = 30.0
"""Maximum time for all calls of a bout, after the first page has loaded."""
THINK_S = 1.0
"""A model's pause between reading the page and acting on it, which is not counted."""
HEARD_S = 1.0
"""How long a page's report may take to arrive."""
LOOKS = 3
TRIES = 3

Heard = Callable[[], list[str]]
"""The page's reports to its server."""


class TimeIsUp(Exception):
    """The bout's time is used up."""


@dataclass(frozen=True)
class Read:
    """One call of the agent, and its answer."""

    call: str
    text: str
    failed: bool
    seconds: float


@dataclass
class Agent:
    tool: Tool
    heard: Heard
    reads: list[Read] = field(default_factory=list)
    """Seconds since the first page loaded."""

    @property
    def waited_s(self) -> float:
        return sum(read.seconds for read in self.reads)

    async def begin(self, url: str, button: str) -> None:
        """Open the first page until the tool shows its button. Only the last look is counted,
        because it may report a dialog."""
        for _ in range(TRIES):
            await self.tool.open(url)
            self.reads.clear()
            if self.tool.ref(await self.look(), button) is not None or self.reads[-1].failed:
                break

    async def start_over(self, url: str) -> None:
        await self._call("start over", self.tool.start_over(url))

    async def look(self) -> str:
        return (await self._call("look", self.tool.look())).text

    async def look_for(self, text: str) -> None:
        """Look a few times until the text appears."""
        for _ in range(LOOKS):
            await self.look()
            if self.knows(text):
                return
            await asyncio.sleep(THINK_S)

    async def press(self, name: str) -> None:
        """Look, think and click a button. If the tool does not show it yet, look again."""
        for _ in range(LOOKS):
            ref = self.tool.ref(await self.look(), name)
            if ref is not None:
                await asyncio.sleep(THINK_S)
                await self._call(f"click {name}", self.tool.click(ref))
                return
            if self.reads[-1].failed:
                return
            await asyncio.sleep(THINK_S)

    async def press_until(self, name: str, report: str) -> None:
        """Click the button until the page reports the click. If refs fail, click by name."""
        for _ in range(TRIES):
            await self.press(name)
            if await self.hears(report):
                return
        await self._call(f"click {name} by name", self.tool.click_named(name))
        await self.hears(report)

    def knows(self, text: str) -> bool:
        """Whether an answer contained the text."""
        return any(text in read.text for read in self.reads)

    async def accept(self) -> None:
        await self._call("accept", self.tool.accept())

    async def switch_to(self, path: str) -> None:
        """Switch to the tab that shows ``path``."""
        tab = self.tool.tab((await self._call("tabs", self.tool.tabs())).text, path)
        if tab is not None:
            await self._call(f"switch to {path}", self.tool.switch(tab))

    async def hears(self, report: str) -> bool:
        """Whether the page has reported the event, or reports it soon."""
        until = time.monotonic() + HEARD_S
        while time.monotonic() < until:
            if any(report in one for one in self.heard()):
                return True
            await asyncio.sleep(0.02)
        return False

    async def _call(self, call: str, made: Awaitable[Said | None]) -> Said:
        began = time.monotonic()
        try:
            async with asyncio.timeout(BOUT_S - self.waited_s):
                said = await made
        except TimeoutError:
            said = Said("", failed=True)
        if said is None:
            return Said("", failed=True)
        self.reads.append(Read(call, said.text, said.failed, time.monotonic() - began))
        if self.waited_s >= BOUT_S:
            raise TimeIsUp
        return said
