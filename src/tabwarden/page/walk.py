"""The walk: what every frame of a tab holds, read at once, each in its own isolated world."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec

from tabwarden.errors import BudgetExceeded, FrameNotFound, TargetCrashed
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call, element
from tabwarden.protocol import dom
from tabwarden.supervisor import (
    CommandRefused,
    ExecutionContext,
    Interrupted,
    Race,
    SupervisorState,
    Tab,
    descendants,
)

__all__ = [
    "RESTLESS",
    "SILENT",
    "Walked",
    "find_owners",
    "frame_ms",
    "remember_owners",
    "walk_all",
]

_FRAME_MS = 5_000.0
"""No frame may hold up the snapshot longer; a hung one is named instead of shown."""
_DOCUMENTS = 10
"""So many documents that follow each other are tried before a frame counts as unreadable."""
RESTLESS = "its document is replaced again and again"
SILENT = "its script does not answer"
_FRAME_SHARE = 0.5
"""Nor longer than this share of the caller's budget: the rest is for saying so."""


Ask = Callable[[str], tuple[Any, ...]]


class Walked(msgspec.Struct):
    """One frame's walk."""

    world: ExecutionContext
    nodes: list[Any]
    owners: dict[int, str]
    """The walker's ids of its iframes to the ``frame_id`` in each."""
    cut: bool
    """Whether elements nest deeper than the walker follows."""


async def walk_all(
    task: Task, race: Race, tab: Tab, root: str, ask: Ask = lambda _: ("snapshot",)
) -> dict[str, Walked | str]:
    """Walk every frame at once; a frame that can't be read in time becomes a word why.

    ``ask(frame_id)`` says what the walker is asked there: its function, then the arguments.
    """
    wanted = [root, *descendants(task.state, [root])]
    limit_ms = frame_ms(race)
    found: dict[str, Walked | str] = {}

    async def walk(frame_id: str) -> None:
        budget = race.budget.child(at_most_ms=limit_ms)
        try:
            with Race(task.supervisor, budget, tab.tab_id) as inner:
                found[frame_id] = await _walk(task, inner, frame_id, *ask(frame_id))
        except BudgetExceeded:
            found[frame_id] = _why_silent(task, tab)
        except WorldGone as gone:
            found[frame_id] = str(gone)
        except FrameNotFound:
            found[frame_id] = "it is gone"
        except (Interrupted, TargetCrashed):
            found[frame_id] = "something came between: read it again"

    await asyncio.gather(*(walk(frame_id) for frame_id in wanted))
    race.raise_if_ended()
    return found


def frame_ms(race: Race) -> float:
    """How long one frame may take."""
    return min(_FRAME_MS, race.budget.remaining_ms() * _FRAME_SHARE)


def _why_silent(task: Task, tab: Tab) -> str:
    top = task.state.top_frame(tab.tab_id)
    if top is not None and top.navigating:
        return "a navigation is under way and its server has not answered"
    return SILENT


async def _walk(
    task: Task, race: Race, frame_id: str, function: str = "snapshot", *arguments: Any
) -> Walked:
    """Read one frame; where its document is replaced meanwhile, the next one."""
    for _ in range(_DOCUMENTS):
        try:
            world = await task.worlds.of(race, frame_id)
            read = json.loads(await call(race, world, function, *arguments))
            owners = await _owners(race, world, read["nodes"])
            return Walked(world, read["nodes"], owners, read["cut"])
        except WorldGone:
            await race.until(lambda state: _is_there(state, frame_id))
    raise WorldGone(RESTLESS)


def _is_there(state: SupervisorState, frame_id: str) -> bool:
    """Whether a frame has a document, or is gone."""
    frame = state.frames.get(frame_id)
    return frame is None or (not frame.navigating and frame.is_parsed)


async def _owners(race: Race, world: ExecutionContext, nodes: list[Any]) -> dict[int, str]:
    """Which frame stands in which iframe element (``DOM.describeNode`` of a frame owner)."""
    iframes = [node[3] for node in nodes if node[1] == "iframe" and node[3]]
    if not iframes:
        return {}

    async def frame_in(local_id: int) -> tuple[int, str]:
        object_id = await element(race, world, local_id)
        if object_id is None:
            return local_id, ""
        try:
            described = await race.call(dom.DescribeNode(object_id=object_id), world.session_id)
        except CommandRefused:
            return local_id, ""
        return local_id, described.node.frame_id or ""

    return dict(await asyncio.gather(*(frame_in(local_id) for local_id in iframes)))


async def find_owners(task: Task, race: Race, frame_id: str) -> None:
    """Learn which iframe elements of a frame hold which frames (``task.owners``)."""
    remember_owners(task, frame_id, await _walk(task, race, frame_id))


def remember_owners(task: Task, frame_id: str, walked: Walked) -> None:
    """Keep them in ``task.owners``."""
    for local_id, child in walked.owners.items():
        if child:
            task.owners[child] = (frame_id, walked.world.unique_id, local_id)
