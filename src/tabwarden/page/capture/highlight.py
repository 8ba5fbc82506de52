"""Highlight: draw a box around an element for a person, until time is up or the next action."""

from __future__ import annotations

import asyncio

from tabwarden.page.elements import box, element_of, locate, not_interactable
from tabwarden.page.task import ActionSpec, Call, Done, Task, stale
from tabwarden.page.walker import WorldGone, call_walker, command_for
from tabwarden.supervisor import ExecutionContext

HIGHLIGHT = ActionSpec(name="highlight", refreshes=False)


async def highlight(call: Call, ref: str, duration_s: float) -> Done:
    """Scroll a ref's element into view and draw a box around it.

    The value is ``{"x", "y", "width", "height"}`` in CSS pixels of the viewport.

    Raises:
        NotInteractable: no part of the element is visible.
    """
    found = await element_of(call, ref)
    x, y, width, height = await box(call, found)
    if not (width or height):
        raise not_interactable(found, "has no visible part", "hidden")
    found = call.task.refs.now(found)
    world = await locate(call, found)
    try:
        if not await call_walker(call.race, world, "highlight", found.local_id):
            raise stale(found, "it is no longer in the page")
    except WorldGone as gone:
        raise stale(found, "its document was replaced") from gone
    _until_then(call.task, world, duration_s)
    return Done({"x": x, "y": y, "width": width, "height": height})


def _until_then(task: Task, world: ExecutionContext, duration_s: float) -> None:
    over = asyncio.get_running_loop().call_later(duration_s, task.unhighlight)

    def take_away() -> None:
        over.cancel()
        state = task.state
        if state.health.status == "live" and state.worlds.get(world.frame_id) == world:
            task.supervisor.send(command_for(world, "unhighlight"), world.session_id)

    task.highlighted = take_away
