"""Highlight: a box around an element for a person who looks. The next action takes it away, or its
time does.
"""

from __future__ import annotations

import asyncio

from tabwarden.page.aim import box
from tabwarden.page.element import element_of
from tabwarden.page.heal import locate
from tabwarden.page.refs import stale
from tabwarden.page.result import Done
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call, command_for
from tabwarden.supervisor import ExecutionContext, Race, Tab

__all__ = ["LONGEST_S", "highlight"]

LONGEST_S = 60.0


async def highlight(task: Task, race: Race, tab: Tab, ref: str, duration_s: float) -> Done:
    """Scroll a ref's element into view and draw a box around it.

    The value is ``{"x", "y", "width", "height"}`` in CSS pixels of the viewport.

    Raises:
        StaleRef: the element is gone.
    """
    found = await element_of(task, race, tab, ref)
    x, y, width, height = await box(task, race, found)
    found = task.refs.now(found)
    world = await locate(task, race, found)
    try:
        if not await call(race, world, "highlight", found.local_id):
            raise stale(found, "it is no longer in the page")
    except WorldGone as gone:
        raise stale(found, "its document was replaced") from gone
    _until_then(task, world, duration_s)
    return Done({"x": x, "y": y, "width": width, "height": height})


def _until_then(task: Task, world: ExecutionContext, duration_s: float) -> None:
    over = asyncio.get_running_loop().call_later(duration_s, task.unhighlight)

    def take_away() -> None:
        over.cancel()
        state = task.state
        if state.health.status == "live" and state.worlds.get(world.frame_id) == world:
            task.supervisor.send(command_for(world, "unhighlight"), world.session_id)

    task.highlighted = take_away
