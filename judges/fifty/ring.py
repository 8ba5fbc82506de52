"""Runs one tool at a time: opens all sessions, lets the agents work, and measures during this
time."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import mean

from support.site import Site

from bench.rivals import Installed
from judges.fifty.meter import cpu_s, memory_mb, others_cpu_s
from judges.fifty.tools import TOOLS, Open
from judges.fifty.work import Log, agent, kind_of, serve_site

__all__ = ["Result", "run"]

_OPENING_AT_ONCE = 4
_OPEN_S = 120.0
_CLOSE_S = 60.0
_SAMPLE_S = 15.0
"""The pause between memory readings: reading fifty browsers takes a second of processor time."""


@dataclass
class Result:
    """A tool's resource use, and the results of its agents' calls."""

    tool: str
    agents: int
    """The number of agents with a browser."""
    open_s: float
    """Seconds until all agents had a browser."""
    worked_s: float
    cpu_s: float
    others_cpu_s: float
    """The processor time of all other programs, which makes the other numbers worse."""
    memory_mb: list[float]
    """Memory readings of all of the tool's processes."""
    log: Log = field(default_factory=Log)
    left: int = 0
    """The number of processes that remained after all sessions were closed."""

    @property
    def mb_per_agent(self) -> float:
        return mean(self.memory_mb) / max(1, self.agents)

    @property
    def cpu_s_per_agent_minute(self) -> float:
        return self.cpu_s / max(1, self.agents) / (self.worked_s / 60)

    @property
    def others_processors(self) -> float:
        """The average number of processors that other programs kept busy."""
        return self.others_cpu_s / self.worked_s


async def run(
    tool: str, agents: int, minutes: float, browser: str, installed: Installed, more: str = ""
) -> Result:
    """Let a number of agents work with one tool, on a page with ``more`` HTML.

    Its processes may outlive this call: ``end_all`` ends them.

    Raises:
        FileNotFoundError: the tool isn't installed.
        RuntimeError: the tool did not start.
    """
    log, open_now, ready = Log(), asyncio.Semaphore(_OPENING_AT_ONCE), asyncio.Event()
    until = 0.0
    opened = asyncio.Queue[bool]()

    async def work(open_session: Open, number: int, url: str) -> None:
        try:
            async with open_now, asyncio.timeout(_OPEN_S):
                session = open_session(number)
                entered = await session.__aenter__()
        except Exception as error:
            log.failed(f"open: {kind_of(error)}")
            opened.put_nowait(False)
            return
        try:
            opened.put_nowait(True)
            await ready.wait()
            try:
                await agent(entered, url, number, until, log)
            finally:
                at_end.put_nowait(number)
            await closing.wait()
        finally:
            with suppress(Exception):
                async with asyncio.timeout(_CLOSE_S):
                    await session.__aexit__(None, None, None)

    at_end, closing = asyncio.Queue[int](), asyncio.Event()
    with Site() as site:
        url = serve_site(site, more)
        async with TOOLS[tool](browser, installed, agents) as open_session:
            began = time.monotonic()
            working = [
                asyncio.create_task(work(open_session, number, url)) for number in range(agents)
            ]
            there = [await opened.get() for _ in range(agents)].count(True)
            result = Result(tool, there, time.monotonic() - began, 0.0, 0.0, 0.0, [], log)
            others = await asyncio.to_thread(others_cpu_s)
            spent, start = await asyncio.to_thread(cpu_s), time.monotonic()
            until = start + minutes * 60
            ready.set()
            while (left := until - time.monotonic()) > 0:
                await asyncio.sleep(min(_SAMPLE_S, left))
                result.memory_mb.append(await asyncio.to_thread(memory_mb))
            for _ in range(there):
                await at_end.get()
            result.cpu_s = await asyncio.to_thread(cpu_s) - spent
            result.worked_s = time.monotonic() - start
            result.others_cpu_s = await asyncio.to_thread(others_cpu_s) - others
            closing.set()
            for ended in await asyncio.gather(*working, return_exceptions=True):
                if isinstance(ended, BaseException):
                    log.failed(f"session: {kind_of(ended)}")
    return result
