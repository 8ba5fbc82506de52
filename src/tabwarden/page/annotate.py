"""Annotations: the refs of what can be acted on, drawn over the page while a picture is taken."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tabwarden.page import snapshot
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call
from tabwarden.supervisor import Race, Tab

__all__ = ["refs_drawn"]


@asynccontextmanager
async def refs_drawn(task: Task, race: Race, tab: Tab) -> AsyncIterator[None]:
    """Read the tab anew and show each ref at its element, in every frame, until the block ends."""
    seen = await snapshot.look(task, race, tab)
    labels: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for line in seen.lines:
        for name in line.refs:
            ref = task.refs.find(name)
            labels[ref.frame_id][ref.local_id] = name

    async def each(function: str, *, with_labels: bool) -> None:
        async def one(frame_id: str) -> None:
            try:
                world = await task.worlds.of(race, frame_id)
                await call(race, world, function, *([labels[frame_id]] if with_labels else []))
            except WorldGone:
                return  # its document went, and what was drawn on it

        await asyncio.gather(*(one(frame_id) for frame_id in labels))

    await each("annotate", with_labels=True)
    try:
        yield
    finally:
        await each("unannotate", with_labels=False)
