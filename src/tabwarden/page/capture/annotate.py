"""Draw refs over the page while a screenshot is taken."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

from tabwarden.page.elements import Region, boxes_in_view
from tabwarden.page.snapshot import read_page
from tabwarden.page.task import Call
from tabwarden.page.text import Lines, fence
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.protocol import runtime
from tabwarden.supervisor.core.state.tabs import ExecutionContext


@asynccontextmanager
async def refs_drawn(call: Call) -> AsyncIterator[Lines]:
    """Draw each ref at its element, in every frame. Yield the outline with these refs. Remove the
    drawings when the block ends."""
    seen = await read_page.look(call)
    labels: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for number in seen.lines.refs():
        ref = call.task.refs.find(f"e{number}")
        labels[ref.frame_id][ref.local_id] = ref.ref

    async def draw(frame_id: str) -> ExecutionContext | None:
        try:
            world = await call.task.worlds.of(call.race, frame_id)
            await call_walker(call.race, world, "annotate", labels[frame_id])
        except WorldGone:
            return None  # the document and the drawings in it are gone
        return world

    drawn = await asyncio.gather(*(draw(frame_id) for frame_id in labels), return_exceptions=True)
    try:
        for world in drawn:
            if isinstance(world, BaseException):
                raise world
        yield seen.lines
    finally:
        # Don't await, and don't use the race: the drawings must be removed even after the call has
        # ended.
        for world in drawn:
            if isinstance(world, ExecutionContext):
                command = runtime.Evaluate(
                    expression="__tabwarden.unannotate()",
                    unique_context_id=world.unique_id,
                    silent=True,
                )
                call.task.supervisor.send(command, world.session_id)


async def labelled(call: Call, lines: Lines, region: Region) -> str:
    """Return the fenced lines of the elements that are visible in a region.

    Args:
        call: the running call.
        lines: the outline with the drawn refs.
        region: the region, in CSS pixels relative to the viewport. The region may extend beyond the
            viewport.
    """
    boxes = await boxes_in_view(call, lines.each_ref(), whole_page=True)
    seen = {ref for ref, (x, y, w, h) in boxes.items() if _meets(region, Region(x, y, w, h))}
    return fence(_lines_of(lines, seen)) if seen else ""


def _meets(region: Region, box: Region) -> bool:
    inside = box.within(region)
    return min(inside.width, inside.height) > 0


def _lines_of(lines: Lines, refs: set[str]) -> Iterator[str]:
    for at, text in enumerate(lines.texts):
        if not refs.isdisjoint(lines.refs_at(at)):
            yield f"- {text}"
