"""The walk: what every frame of a tab holds, read at once, each in its own isolated world."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from tabwarden.errors import BudgetExceeded, FrameNotFound, TargetCrashed
from tabwarden.page.closed import open_closed
from tabwarden.page.node import Nodes, decode
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call, element, start, value_of
from tabwarden.protocol import dom, runtime
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
    "CLOSED_LEVELS",
    "RESTLESS",
    "SILENT",
    "SLOW",
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
CLOSED_LEVELS = 5
"""Closed shadow roots in closed shadow roots, and so on, are followed so far at once."""
RESTLESS = "its document is replaced again and again"
SILENT = "its script does not answer"
SLOW = (
    "reading it takes longer than this call had. Allow more time (timeout_ms), or read one frame "
    "of it (frame_id)"
)
_FRAME_SHARE = 0.5
"""Nor longer than this share of the caller's budget: the rest is for saying so."""


Ask = Callable[[str], tuple[Any, ...]]


class Walked(msgspec.Struct):
    """One frame's walk."""

    world: ExecutionContext
    nodes: Nodes
    owners: dict[int, str]
    """The walker's ids of its iframes to the ``frame_id`` in each."""
    cut: bool
    """Whether elements nest deeper than the walker follows."""
    view: list[int]
    """Which nodes are in the frame's viewport: ``[from, to, from, to, ...]``."""
    title: str
    """The document's; empty when it has none."""


async def walk_all(
    task: Task,
    race: Race,
    tab: Tab,
    root: str,
    ask: Ask = lambda _: ("snapshot",),
    *,
    patient: bool = False,
) -> dict[str, Walked | str]:
    """Walk every frame at once; a frame that can't be read in time becomes a word why.

    ``ask(frame_id)`` says what the walker is asked there: its function, then the arguments.
    ``patient``: a frame may take longer if it is seen that it is being read, and not hung.
    """
    wanted = [root, *descendants(task.state, [root])]
    limit_ms = frame_ms(race, math.inf if patient else _FRAME_MS)
    reached: set[str] | None = set() if patient else None
    found: dict[str, Walked | str] = {}

    async def walk(frame_id: str) -> None:
        budget = race.budget.child(at_most_ms=limit_ms)
        try:
            with Race(task.supervisor, budget, tab.tab_id) as inner:
                found[frame_id] = await _walk(
                    task, inner, frame_id, *ask(frame_id), reached=reached
                )
        except BudgetExceeded:
            found[frame_id] = SLOW if frame_id in (reached or ()) else _why_silent(task, tab)
        except WorldGone as gone:
            found[frame_id] = str(gone)
        except FrameNotFound:
            found[frame_id] = "it is gone"
        except (Interrupted, TargetCrashed):
            found[frame_id] = "something came between: read it again"

    await asyncio.gather(*(walk(frame_id) for frame_id in wanted))
    race.raise_if_ended()
    return found


def frame_ms(race: Race, at_most_ms: float = _FRAME_MS) -> float:
    """How long one frame may take."""
    return min(at_most_ms, race.budget.remaining_ms() * _FRAME_SHARE)


def _why_silent(task: Task, tab: Tab) -> str:
    top = task.state.top_frame(tab.tab_id)
    if top is not None and top.navigating:
        return "a navigation is under way and its server has not answered"
    return SILENT


async def _walk(
    task: Task,
    race: Race,
    frame_id: str,
    function: str = "snapshot",
    *arguments: Any,
    reached: set[str] | None = None,
) -> Walked:
    """Read one frame; where its document is replaced meanwhile, the next one."""
    why, documents = "", set[str]()
    for _ in range(_DOCUMENTS):
        frame = task.state.frames.get(frame_id)
        documents.add(frame.loader_id if frame is not None else "")
        try:
            world = await task.worlds.of(race, frame_id)
            if reached is None:
                read = decode(await call(race, world, function, *arguments))
            else:
                read = decode(await _reached(race, world, reached, function, *arguments))
            for _ in range(CLOSED_LEVELS):
                if not read.suspects or not await open_closed(race, world):
                    break
                read = decode(await call(race, world, function, *arguments))
            owners = await _owners(race, world, read.nodes.iframes())
            return Walked(world, read.nodes, owners, read.cut, read.view, read.title)
        except WorldGone as gone:
            why = str(gone)
            await race.until(lambda state: _is_there(state, frame_id))
    raise WorldGone(RESTLESS if len(documents) > 1 else why)


async def _reached(
    race: Race, world: ExecutionContext, reached: set[str], function: str, *arguments: Any
) -> Any:
    """The same, and whether the page comes to it: a probe just ahead is answered then, since
    nothing of the page's comes between two commands that wait together."""
    probe = race.start(runtime.Evaluate(expression="0", silent=True), world.session_id)
    asked = start(race, world, function, *arguments)
    if not await race.answered(probe, at_most_ms=_FRAME_MS):
        raise race.budget.exceeded()
    reached.add(world.frame_id)
    return await value_of(race, asked)


def _is_there(state: SupervisorState, frame_id: str) -> bool:
    """Whether a frame has a document, or is gone."""
    frame = state.frames.get(frame_id)
    return frame is None or (not frame.navigating and frame.is_parsed)


async def _owners(race: Race, world: ExecutionContext, iframes: list[int]) -> dict[int, str]:
    """Which frame stands in which iframe element (``DOM.describeNode`` of a frame owner)."""
    if not iframes:
        return {}

    async def node_of(local_id: int) -> dom.Node | None:
        object_id = await element(race, world, local_id)
        if object_id is None:
            return None
        try:
            described = await race.call(dom.DescribeNode(object_id=object_id), world.session_id)
        except CommandRefused:
            return None
        return described.node

    nodes_of = await asyncio.gather(*(node_of(local_id) for local_id in iframes))
    owners, unnamed = {}, {}
    for local_id, node in zip(iframes, nodes_of, strict=True):
        if node is not None and node.frame_id:
            owners[local_id] = node.frame_id
        elif node is not None:
            unnamed[node.backend_node_id] = local_id
    if unnamed:
        owners.update(await _owners_of_moving(race, world, unnamed, set(owners.values())))
    return owners


async def _owners_of_moving(
    race: Race, world: ExecutionContext, unnamed: Mapping[int, int], known: set[str]
) -> dict[int, str]:
    """The same for elements whose frame is on its way to another process: the element does not
    name it then, but it names the element (``DOM.getFrameOwner``)."""
    frames = race.supervisor.state.frames.values()
    moving = [
        f.frame_id
        for f in frames
        if f.parent_frame_id == world.frame_id and f.frame_id not in known
    ]

    async def owner_of(frame_id: str) -> tuple[int | None, str]:
        try:
            owner = await race.call(dom.GetFrameOwner(frame_id=frame_id), world.session_id)
        except CommandRefused:
            return None, frame_id
        return unnamed.get(owner.backend_node_id), frame_id

    found = await asyncio.gather(*(owner_of(frame_id) for frame_id in moving))
    return {local_id: frame_id for local_id, frame_id in found if local_id is not None}


async def find_owners(task: Task, race: Race, frame_id: str) -> None:
    """Learn which iframe elements of a frame hold which frames (``task.owners``)."""
    remember_owners(task, frame_id, await _walk(task, race, frame_id))


def remember_owners(task: Task, frame_id: str, walked: Walked) -> None:
    """Keep them in ``task.owners``."""
    for local_id, child in walked.owners.items():
        if child:
            task.owners[child] = (frame_id, walked.world.unique_id, local_id)
