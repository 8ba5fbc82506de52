"""Return the positions of many elements in the viewport, without scrolling or changing the page."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable

from tabwarden.errors import TabwardenError
from tabwarden.page.elements.actionability import Box, outside_frame
from tabwarden.page.elements.walk import owners_of
from tabwarden.page.task import Call, Ref
from tabwarden.page.walker import WorldGone, call_walker


async def boxes_in_view(
    call: Call, numbers: Iterable[int], *, whole_page: bool = False
) -> dict[str, Box]:
    """Return the ``x, y, width, height`` of elements in the tab's viewport, keyed by ref.

    The result omits invisible elements, and frames that are gone or do not respond.

    Args:
        call: the running call.
        numbers: the numbers of the refs.
        whole_page: whether to include elements above and below the viewport.
    """
    return await _boxes(call, numbers, "boxesInView", whole_page)


async def boxes_of(call: Call, numbers: Iterable[int]) -> dict[str, Box]:
    """Return the boxes of all elements, including those outside the viewport and the clipped parts
    of elements."""
    return await _boxes(call, numbers, "boxes")


async def _boxes(call: Call, numbers: Iterable[int], function: str, *flags: bool) -> dict[str, Box]:
    frames: defaultdict[str, list[Ref]] = defaultdict(list)
    for number in numbers:
        known_ref = call.task.refs.known(f"e{number}")
        if known_ref is not None and known_ref.tab_id == call.tab.tab_id:
            frames[known_ref.frame_id].append(known_ref)
    boxes_by_frame = await asyncio.gather(
        *(_in_frame(call, frame_id, refs, function, *flags) for frame_id, refs in frames.items())
    )
    return {ref: box for some in boxes_by_frame for ref, box in some.items()}


async def _in_frame(
    call: Call, frame_id: str, refs: list[Ref], function: str, *flags: bool
) -> dict[str, Box]:
    try:
        owners = await owners_of(call, frame_id)
        world = await call.task.worlds.of(call.race, frame_id)
        same = [ref for ref in refs if ref.world_id == world.unique_id]
        ids = [ref.local_id for ref in same]
        boxes = await call_walker(call.race, world, function, ids, *flags)
        boxes_by_ref = {ref.ref: tuple(box) for ref, box in zip(same, boxes, strict=True) if box}
        for owner in reversed(owners):
            frame = await call_walker(call.race, owner.world, "frameBox", owner.local_id)
            boxes_by_ref = {ref: outside_frame(box, frame) for ref, box in boxes_by_ref.items()}
    except (WorldGone, TabwardenError, TypeError):
        return {}
    return boxes_by_ref
