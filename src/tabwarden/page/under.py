"""Under: what lies at a point of the viewport, through all the frames that it lies in."""

from __future__ import annotations

from typing import NamedTuple

from tabwarden.errors import InvalidArgument
from tabwarden.page.aim import Point
from tabwarden.page.task import Task
from tabwarden.page.walk import find_owners
from tabwarden.page.worlds import WorldGone, call
from tabwarden.supervisor import ExecutionContext, Race, Tab

__all__ = ["Spot", "middle", "ref_at", "spots"]


class Spot(NamedTuple):
    """A point in one of the documents that it lies in, and the element there."""

    world: ExecutionContext
    x: float
    y: float
    local_id: int
    role: str
    name: str


async def middle(task: Task, race: Race, tab: Tab) -> Point:
    """The middle of a tab's viewport."""
    world = await task.worlds.of(race, task.state.top_frame_id(tab.tab_id) or tab.target_id)
    size = await call(race, world, "viewport")
    return Point(size["width"] / 2, size["height"] / 2)


async def spots(task: Task, race: Race, tab: Tab, point: Point) -> list[Spot]:
    """Where a point of the tab's viewport lies: in the top document first, in the innermost last.

    Raises:
        WorldGone: a document was replaced meanwhile.
    """
    found: list[Spot] = []
    frame_id: str | None = task.state.top_frame_id(tab.tab_id) or tab.target_id
    x, y = point
    while frame_id is not None:
        world = await task.worlds.of(race, frame_id)
        hit = await call(race, world, "under", x, y)
        if hit is None:
            break
        found.append(Spot(world, x, y, hit["id"], hit["role"], hit["name"]))
        frame_id = None
        if "x" in hit:
            frame_id, x, y = await _child(task, race, world, hit["id"]), hit["x"], hit["y"]
    return found


async def ref_at(task: Task, race: Race, tab: Tab, point: Point) -> str:
    """The ref of the innermost element at a point.

    Raises:
        InvalidArgument: there is nothing at that point.
    """
    try:
        found = await spots(task, race, tab, point)
    except WorldGone:
        found = []
    if not found:
        raise InvalidArgument(
            f"There is nothing at ({point.x:g}, {point.y:g}).",
            "Points are CSS pixels of the viewport; a ref from a snapshot is surer.",
            field="x",
        )
    spot = found[-1]
    return task.refs.assign(
        spot.world.unique_id,
        spot.local_id,
        role=spot.role or "generic",
        name=spot.name,
        tab_id=tab.tab_id,
        frame_id=spot.world.frame_id,
    )


async def _child(task: Task, race: Race, world: ExecutionContext, local_id: int) -> str | None:
    """The frame that stands in an iframe element; None when it has none of its own."""
    place = (world.frame_id, world.unique_id, local_id)
    if place not in task.owners.values():
        await find_owners(task, race, world.frame_id)
    return next(
        (f for f, owner in task.owners.items() if owner == place and f in task.state.frames), None
    )
