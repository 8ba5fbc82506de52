"""Annotations: the refs of what can be acted on, drawn over the page while a picture is taken."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.page import looking
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call
from tabwarden.protocol import runtime
from tabwarden.supervisor import ExecutionContext, Race, Tab

__all__ = ["refs_drawn"]


@asynccontextmanager
async def refs_drawn(task: Task, race: Race, tab: Tab) -> AsyncIterator[None]:
    """Read the tab anew and show each ref at its element, in every frame, until the block ends."""
    seen = await looking.look(task, race, tab)
    labels: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for number in seen.lines.refs():
        ref = task.refs.find(f"e{number}")
        labels[ref.frame_id][ref.local_id] = ref.ref

    async def draw(frame_id: str) -> ExecutionContext | None:
        try:
            world = await task.worlds.of(race, frame_id)
            await call(race, world, "annotate", labels[frame_id])
        except WorldGone:
            return None  # its document went, and what was drawn on it
        return world

    drawn = await asyncio.gather(*(draw(frame_id) for frame_id in labels), return_exceptions=True)
    try:
        for world in drawn:
            if isinstance(world, BaseException):
                raise world
        yield
    finally:
        # Not awaited, and not by the race: it may be over, and they must go all the same.
        for world in drawn:
            if isinstance(world, ExecutionContext):
                command = runtime.Evaluate(
                    expression="__tabwarden.unannotate()",
                    unique_context_id=world.unique_id,
                    silent=True,
                )
                task.supervisor.send(command, world.session_id)
