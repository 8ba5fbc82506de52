"""Hit test: find the element at a point of the viewport, even inside nested frames."""

from __future__ import annotations

from typing import NamedTuple

from tabwarden.errors import InvalidArgument
from tabwarden.page.elements.actionability import Point
from tabwarden.page.elements.walk import find_owners
from tabwarden.page.task import Call
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.supervisor.core.state.tabs import ExecutionContext


class Spot(NamedTuple):
    world: ExecutionContext
    x: float
    y: float
    local_id: int
    role: str
    name: str


async def middle(call: Call) -> Point:
    world = await call.task.worlds.of(
        call.race, call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    )
    size = await call_walker(call.race, world, "viewport")
    return Point(size["width"] / 2, size["height"] / 2)


async def spots(call: Call, point: Point) -> list[Spot]:
    """Return the spot at a viewport point in each document there, outermost document first."""
    found: list[Spot] = []
    frame_id: str | None = call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    x, y = point
    while frame_id is not None:
        world = await call.task.worlds.of(call.race, frame_id)
        hit = await call_walker(call.race, world, "under", x, y)
        if hit is None:
            break
        found.append(Spot(world, x, y, hit["id"], hit["role"], hit["name"]))
        frame_id = None
        if "x" in hit:
            frame_id, x, y = await _child(call, world, hit["id"]), hit["x"], hit["y"]
    return found


async def ref_at(call: Call, point: Point) -> str:
    """Return the ref of the innermost element at a point, or raise ``InvalidArgument``."""
    try:
        found = await spots(call, point)
    except WorldGone:
        found = []
    if not found:
        raise InvalidArgument(
            f"There is no element at ({point.x:g}, {point.y:g}).",
            "Points are in CSS pixels of the viewport. A ref from a snapshot is more reliable.",
            field="x",
        )
    spot = found[-1]
    return call.task.refs.assign(
        spot.world.unique_id,
        spot.local_id,
        role=spot.role or "generic",
        name=spot.name,
        tab_id=call.tab.tab_id,
        frame_id=spot.world.frame_id,
    )


async def _child(call: Call, world: ExecutionContext, local_id: int) -> str | None:
    """Return the id of the frame inside an iframe element, if any."""
    place = (world.frame_id, world.unique_id, local_id)
    if place not in call.memory.owners.values():
        await find_owners(call, world.frame_id)
    return next(
        (f for f, owner in call.memory.owners.items() if owner == place and f in call.state.frames),
        None,
    )
