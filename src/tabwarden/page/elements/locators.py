"""Locators: ways to find a call's element again. Scripts generated from a recording use them.

The walker computes the locators (``js/find/locators.js``). That costs a round trip per call, so it
is done only for a task that is being recorded (``Task.wants_locators``).
"""

from __future__ import annotations

from typing import Any

from tabwarden.errors import FrameNotFound
from tabwarden.journal import current_call
from tabwarden.page.elements.walk import owners_of
from tabwarden.page.task import Call, Ref
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext


async def note_locators(call: Call, ref: Ref, element: str) -> None:
    """If the task is being recorded, add the locators of a call's element to the journal.

    Args:
        call: the running call.
        ref: the element.
        element: the caller's ref, selector or field label.
    """
    entry = current_call()
    if not call.task.wants_locators or entry is None:
        return
    world = call.state.worlds.get(ref.frame_id)
    if world is None or world.unique_id != ref.world_id:
        return
    locators = await locators_of(call, world, ref.local_id)
    if locators is None:  # re-rendered; ``heal`` adds the new element's locators
        return
    others = [one for one in entry.locators if one["named"] != element]
    entry.locators = [*others, {"named": element, "ref": ref.ref, **locators}]


async def locators_of(
    call: Call, world: ExecutionContext, local_id: int, at: tuple[float, float] | None = None
) -> dict[str, Any] | None:
    """Return an element's ``{"tag", "role", "name", "frames", "candidates"}``; None if it is gone.

    ``frames`` are CSS selectors of the iframes around the element, outermost first. With a point
    ``at`` in the element's frame, the result also has the element's ``size``, and the point as
    ``offset`` from the element's corner and as ``position`` from the corner inside its border.
    """
    try:
        locators: dict[str, Any] | None
        locators = await call_walker(call.race, world, "locators", local_id, *(at or ()))
        if locators is None:
            return None
        frames = []
        for iframe in await owners_of(call, world.frame_id):
            around = await call_walker(call.race, iframe.world, "locators", iframe.local_id)
            if around is None:
                return None
            frames.append(around["candidates"][-1]["css"])
        return {**locators, "frames": frames}
    except (WorldGone, FrameNotFound):
        return None
