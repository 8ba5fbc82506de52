"""Runs the bouts with newly started tools, in changing order, and then stops all processes."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from support.site import Site

from bench.leftovers import MARK, end_leftovers
from bench.rivals.installed import Installed
from judges.duel.agent import Agent, TimeIsUp
from judges.duel.bouts import PAGES, Bout, Stage
from judges.duel.duelists import duelist
from judges.duel.judging import Verdict, judge
from judges.duel.renderers import kill_renderers

__all__ = ["Found", "run"]

OPEN_S = 60.0
"""Time limit for a tool's start, the first page, and its end, which are not counted."""

AT_ONCE = 3
"""Number of parallel bouts, because bouts mostly wait."""

Found = dict[tuple[str, str], list[Verdict]]
"""The verdicts by tool and bout."""


@contextmanager
def served() -> Iterator[Site]:
    with Site() as site:
        for page in PAGES.glob("*.html"):
            site.pages[f"/{page.name}"] = page.read_text("utf-8")
        yield site


async def run(
    names: Sequence[str],
    bouts: Sequence[Bout],
    browser: str,
    installed: Installed,
    rounds: int,
    tell: Callable[[str, str, Verdict, Agent], None],
) -> tuple[Found, dict[str, str]]:
    """Return all verdicts, and the reasons why tools could not be started."""
    found: Found = {}
    absent: dict[str, str] = {}
    free = asyncio.Semaphore(AT_ONCE)

    async def one(name: str, bout: Bout) -> None:
        async with free:
            if name in absent:
                return
            try:
                verdict, agent = await fight(name, bout, browser, installed)
            except Exception as error:
                absent[name] = str(error).splitlines()[0][:100] or type(error).__name__
                return
        found.setdefault((name, bout.name), []).append(verdict)
        tell(name, bout.name, verdict, agent)

    order = []
    for turn, bout in enumerate([*bouts] * rounds):
        at = turn % len(names)
        order += [(name, bout) for name in (*names[at:], *names[:at])]
    async with asyncio.TaskGroup() as tasks:
        for name, bout in order:
            tasks.create_task(one(name, bout))
    return found, absent


async def fight(name: str, bout: Bout, browser: str, installed: Installed) -> tuple[Verdict, Agent]:
    """Run one bout with one tool.

    Raises:
        FileNotFoundError: the tool is not installed.
    """
    mark = uuid.uuid4().hex
    result = None
    try:
        with served() as site:
            stage = Stage(site.here, lambda: kill_renderers(mark))
            try:
                async with duelist(name, browser, installed, {**os.environ, MARK: mark}) as tool:
                    agent = Agent(tool, lambda: site.hits)
                    with suppress(TimeIsUp):
                        async with asyncio.timeout(OPEN_S * 2):
                            await bout.fight(agent, stage)
                    result = judge(bout.demand, agent.reads, list(site.hits)), agent
                    end_leftovers(mark)
            except Exception:
                if result is None:
                    raise  # else only its end failed: its browser was taken from it
    finally:
        end_leftovers(mark)
    assert result is not None
    return result
