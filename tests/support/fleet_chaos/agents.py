"""Agents that work on a fleet, in their own process: ``python -m support.fleet_chaos.agents``.

They print one JSON value a line: each call's end, each new browser, and the fleet's status.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Awaitable
from contextlib import suppress
from typing import Any

from tabwarden.browser import Browser
from tabwarden.config import BrowserConfig
from tabwarden.errors import BrowserGone, TabwardenError
from tabwarden.fleet import Fleet

BUDGET_MS = 5_000
OPEN_MS = 30_000
STATUS_S = 0.3
PAUSE_S = 0.2
"""Models are slower. Without a pause, the agents alone would use two processors fully."""


def say(**told: Any) -> None:
    print(json.dumps({"at": time.monotonic(), **told}), flush=True)


class Agent:
    """Works on one task, and continues after each loss."""

    def __init__(self, fleet: Fleet, task: str, pages: str, chance: random.Random) -> None:
        self._fleet, self._task, self._pages, self._chance = fleet, task, pages, chance
        self._generation = 0
        self._must_visit = True

    async def work(self) -> None:
        while True:
            opening = self._fleet.browser(
                self._task,
                timeout_ms=OPEN_MS,
                config=BrowserConfig(allow_private_networks=True),
            )
            browser = await self._called("open", OPEN_MS, opening)
            if browser is None:
                await asyncio.sleep(0.2)
                continue
            try:
                await self._use(browser)
            finally:
                await self._called("close", OPEN_MS, browser.close())

    async def _use(self, browser: Browser) -> None:
        endpoint: Any = browser._task.supervisor.endpoint
        self._began(endpoint._opened.generation)
        while browser.state.health.status != "gone":
            if self._must_visit:
                url = f"{self._pages}?task={self._task}&generation={self._generation}"
                visit = browser.goto(url, timeout_ms=BUDGET_MS)
                if await self._called("goto", BUDGET_MS, visit) is not None:
                    beats = browser.evaluate("begin()", timeout_ms=BUDGET_MS)
                    self._must_visit = await self._called("evaluate", BUDGET_MS, beats) is None
            elif self._chance.random() < 0.3:
                click = browser.click(x=50, y=50, timeout_ms=BUDGET_MS)
                await self._called("click", BUDGET_MS, click)
            else:
                read = browser.evaluate("document.title", timeout_ms=BUDGET_MS)
                await self._called("evaluate", BUDGET_MS, read)
            await asyncio.sleep(PAUSE_S)

    async def _called(self, name: str, budget_ms: float, call: Awaitable[Any]) -> Any:
        """Return a call's result, or None if it failed. Report when it ended, and how."""
        began, result, code, data = time.monotonic(), None, "", dict[str, Any]()
        try:
            result = await call
            result = True if result is None else result
        except TabwardenError as error:
            code, data = error.code, error.data
            if isinstance(error, BrowserGone) and "generation" in data:
                self._began(data["generation"])
        took_ms = (time.monotonic() - began) * 1000
        told = {k: data[k] for k in ("generation", "previous_node", "node", "planned") if k in data}
        say(task=self._task, call=name, took_ms=took_ms, budget_ms=budget_ms, code=code, **told)
        return result

    def _began(self, generation: int) -> None:
        self._generation, self._must_visit = generation, True
        say(task=self._task, began=generation)


async def tell_status(fleet: Fleet) -> None:
    while True:
        with suppress(TabwardenError):
            status = await fleet.status()
            nodes = {one.node: one.state for one in status.nodes if not one.is_draining}
            say(nodes=nodes, tasks={one.task: one.node for one in status.tasks}, term=status.term)
        await asyncio.sleep(STATUS_S)


async def main(address: str, pages: str, agents: int, seed: int) -> None:
    async with Fleet.connect(address) as fleet:
        working = [
            Agent(fleet, f"a{number}", pages, random.Random(seed + number)).work()
            for number in range(agents)
        ]
        await asyncio.gather(tell_status(fleet), *working)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
