"""Frame path: the iframes from the top document down to a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabwarden.page.elements.walk import find_owners
from tabwarden.page.task import Call
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext


class Iframe(NamedTuple):
    """An iframe element, as the walker of the document around it knows it."""

    world: ExecutionContext
    local_id: int


async def iframes_around(call: Call, frame_id: str) -> list[Iframe]:
    """Return the iframe elements around a frame, outermost first.

    Raises:
        WorldGone: a document was replaced meanwhile.
    """
    found: list[Iframe] = []
    frame = call.state.frames.get(frame_id)
    while frame is not None and frame.parent_frame_id in call.state.frames:
        assert frame.parent_frame_id is not None
        world = await call.task.worlds.of(call.race, frame.parent_frame_id)
        owner = call.memory.owners.get(frame.frame_id)
        if owner is None or owner[1] != world.unique_id:
            await find_owners(call, frame.parent_frame_id)
            owner = call.memory.owners.get(frame.frame_id)
        if owner is None or owner[1] != world.unique_id:
            raise WorldGone
        found.insert(0, Iframe(world, owner[2]))
        frame = call.state.frames.get(frame.parent_frame_id)
    return found


async def frame_at(call: Call, root: str, path: Sequence[str]) -> str | None:
    """Return the frame in the iframes that these CSS selectors name, from ``root`` inwards.

    None if a selector does not match exactly one iframe.
    """
    at = root
    for css in path:
        world = await call.task.worlds.of(call.race, at)
        found = await call_walker(call.race, world, "find", {"by": "css", "css": css}, 2)
        if found.get("total") != 1:
            return None
        place = (at, world.unique_id, found["elements"][0]["id"])
        if place not in call.memory.owners.values():
            await find_owners(call, at)
        inside = [one for one, owner in call.memory.owners.items() if owner == place]
        if not (inside := [one for one in inside if one in call.state.frames]):
            return None
        at = inside[0]
    return at
