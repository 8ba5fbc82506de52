"""Runs oracles with tools, and reports each episode's result."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.rivals import Installed
from judges.miniwob.episode import Episode, Site
from judges.miniwob.nodes import Node, NotShown
from judges.miniwob.oracles import ORACLES
from judges.miniwob.tasks import pages
from judges.miniwob.tools.catalogue import TOOLS
from judges.miniwob.tools.tool import Refused, Tool
from judges.miniwob.verbs import Act, Page

__all__ = ["Played", "play"]

EPISODE_S = 90.0
"""Time limit for an episode. The slowest oracle takes a third of it."""


@dataclass
class Played:
    """One episode with one tool."""

    tool: str
    task: str
    seed: int
    reward: float | None
    why: str
    """Why the episode was not solved; empty if it was."""
    calls: int
    characters: int
    seconds: float
    wrong: int
    """Number of actions whose mouse or text input reached another element than the node's."""
    points: bool
    """Whether it used coordinates."""
    origin: str = ""
    """The figures' origin, from ``bench.page.origin``."""

    @property
    def solved(self) -> bool:
        return self.reward is not None and self.reward >= 1.0

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


async def play(
    tool_name: str,
    tasks: Sequence[str],
    seeds: Sequence[int],
    browser: str,
    *,
    trace: bool = False,
) -> AsyncIterator[Played]:
    """Run every task with every seed. Restart a tool that breaks."""
    left = [(task, seed) for task in tasks for seed in seeds]
    installed = Installed.here()
    with Site(pages()) as site:
        while left:
            async with TOOLS[tool_name](browser, installed) as tool:
                while left:
                    task, seed = left.pop(0)
                    played, broken = await _episode(tool_name, tool, site, task, seed, trace)
                    yield played
                    if broken:
                        break


async def _episode(
    name: str, tool: Tool, site: Site, task: str, seed: int, trace: bool
) -> tuple[Played, bool]:
    episode = site.episode(task, seed)
    page = Page(tool, "")
    why, broken = "", False
    began = time.perf_counter()
    try:
        async with asyncio.timeout(EPISODE_S):
            await tool.open(episode.url)
            page.goal = await episode.instruction()
            began = time.perf_counter()
            if task not in ORACLES:
                raise NotShown("there is no oracle yet")
            await ORACLES[task](page)
    except NotShown as missing:
        why = f"not shown: {missing}"
    except Refused as refused:
        why = f"refused: {refused}"
    except TimeoutError:
        why, broken = f"not done after {EPISODE_S:.0f} s", True
    except LookupError as error:
        why = f"oracle: {error}"
    except Exception as error:
        if isinstance(error.__cause__, StopIteration):
            why = "not shown: the text lacks a control that the oracle looks for"
        else:
            why, broken = f"{type(error).__name__}: {error}", True
    seconds = time.perf_counter() - began
    reward = await episode.verdict()
    if reward is not None and reward >= 1.0:
        why = ""
    elif not why:
        why = "not ended" if reward is None else f"reward {reward:g} {episode.reason}".rstrip()
    if trace:
        await _tell(page, tool, why)
    if not broken:
        broken = not await _leave(tool, site)
    return (
        Played(
            name, task, seed, reward, " ".join(why.split())[:300], len(page.acts),
            sum(act.characters for act in page.acts), round(seconds, 3),
            sum(_is_wrong(act, episode) for act in page.acts), page.used_points,
        ),
        broken,
    )  # fmt: skip


async def _leave(tool: Tool, site: Site) -> bool:
    """Leave the page, which then reports its events. Return whether the tool could do so."""
    try:
        async with asyncio.timeout(EPISODE_S):
            await tool.open(site.blank)
    except Exception:
        return False
    return True


async def _tell(page: Page, tool: Tool, why: str) -> None:
    print(f"  goal: {page.goal}")
    for act in page.acts:
        target = act.target
        named = (
            f"{target.role} {target.label!r} {target.ref}" if isinstance(target, Node) else target
        )
        print(f"  {act.verb} {named or ''} ({act.characters} characters) {act.refused}")
    print(f"  last answer: {page.said}\n  {why or 'solved'}")
    print(await tool.look())


def _is_wrong(act: Act, episode: Episode) -> bool:
    if not isinstance(act.target, Node) or act.verb not in {"click", "type", "drag"}:
        return False
    name = _letters(act.target.label)
    heard = [
        one
        for one in episode.events
        if act.started <= one["at"] <= act.ended + 0.002 and one["type"] == "mousedown"
    ]
    if not name or not heard:
        return False
    return not any(name in _letters(words) for one in heard for words in one["said"])


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
