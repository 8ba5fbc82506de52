"""Highlight: draw a box around an element for a person, for a limited time or until the next
action."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from tabwarden.page.elements import box, element_of, locate, not_interactable_error
from tabwarden.page.task import Call, Done, Task, card, stale
from tabwarden.page.walker import WorldGone, call_walker, command_for
from tabwarden.results import Box
from tabwarden.supervisor.core.state.tabs import ExecutionContext


@card(
    "highlight",
    about="Draw a box around an element, to show it to a person. The next action removes the box.",
    permission="read",
    group="logs",
    destructive=False,
    idempotent=True,
    gives=Box,
    shows=False,
    refreshes=False,
)
async def highlight(  # at most 60 s, so that no highlight is forgotten
    call: Call,
    ref: Annotated[str, Field(description="The element's ref from the latest snapshot.")],
    *,
    duration_s: Annotated[float, Field(description="Duration in seconds.", ge=0.1, le=60)] = 10,
) -> Done:
    """Draw a box around an element for a person who is watching. The next action removes the
    box. ``value`` is ``{"x", "y", "width", "height"}``.

    Args:
        ref: the element's ref from a snapshot. The element is scrolled into view.
        duration_s: how many seconds the box stays, at most 60.

    Raises:
        NotInteractable: no part of the element is visible.
        StaleRef, UnknownRef, DialogPending: as for ``click``.
    """
    element = await element_of(call, ref)
    x, y, width, height = await box(call, element)
    if not (width or height):
        raise not_interactable_error(element, "has no visible part", "hidden")
    element = call.task.refs.now(element)
    world = await locate(call, element)
    try:
        if not await call_walker(call.race, world, "highlight", element.local_id):
            raise stale(element, "it is no longer in the page")
    except WorldGone as gone:
        raise stale(element, "its document was replaced") from gone
    _remove_later(call.task, world, duration_s)
    return Done({"x": x, "y": y, "width": width, "height": height})


def _remove_later(task: Task, world: ExecutionContext, duration_s: float) -> None:
    timer = asyncio.get_running_loop().call_later(duration_s, task.unhighlight)

    def remove() -> None:
        timer.cancel()
        state = task.state
        if state.health.status == "live" and state.worlds.get(world.frame_id) == world:
            task.supervisor.send(command_for(world, "unhighlight"), world.session_id)

    task.highlighted = remove
