"""Find the element at a point in the viewport, even inside nested frames."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from tabwarden.errors import InvalidArgument, StaleRef
from tabwarden.journal import current_call
from tabwarden.page.elements.actionability import Point, box
from tabwarden.page.elements.locators import locators_of
from tabwarden.page.elements.walk import Iframe, frame_in
from tabwarden.page.task import Call
from tabwarden.page.walker import WorldGone, call_walker, start, value_of
from tabwarden.protocol import runtime
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import Pending


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
    """Return the hit in each document at a viewport point, starting with the outermost document."""
    hits: list[Spot] = []
    frame_id: str | None = call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    x, y = point
    while frame_id is not None:
        world = await call.task.worlds.of(call.race, frame_id)
        hit = await call_walker(call.race, world, "under", x, y)
        if hit is None:
            break
        hits.append(Spot(world, x, y, hit["id"], hit["role"], hit["name"]))
        frame_id = None
        if "x" in hit:
            frame_id, x, y = await frame_in(call, Iframe(world, hit["id"])), hit["x"], hit["y"]
    return hits


async def ref_at(call: Call, point: Point) -> str:
    """Return the ref of the innermost element at a point, or raise ``InvalidArgument``."""
    try:
        hits = await spots(call, point)
    except WorldGone:
        hits = []
    if not hits:
        raise InvalidArgument(
            f"There is no element at ({point.x:g}, {point.y:g}).",
            "Points are viewport coordinates in CSS pixels. A ref from a snapshot is more "
            "reliable.",
            field="x",
        )
    return _ref_of(call, hits[-1])


def _ref_of(call: Call, spot: Spot) -> str:
    return call.task.refs.assign(
        spot.world.unique_id,
        spot.local_id,
        role=spot.role or "generic",
        name=spot.name,
        tab_id=call.tab.tab_id,
        frame_id=spot.world.frame_id,
    )


class HitQuestion(NamedTuple):
    world: ExecutionContext
    pending: Pending[runtime.EvaluateResult]


def hit_begun(call: Call, point: Point) -> HitQuestion | None:
    """Ask which element of the top document is at a point, without waiting for the reply. Return
    None if the document has no walker yet."""
    world = call.task.worlds.known(call.state.top_frame_id(call.tab.tab_id) or "")
    if world is None:
        return None
    return HitQuestion(world, start(call.race, world, "under", point.x, point.y))


async def hit_ended(call: Call, question: HitQuestion | None) -> dict[str, str]:
    """Return the ``ref``, ``role`` and ``name`` of the element, or nothing if the page has not
    replied. Never wait for the reply."""
    if question is None or not await call.race.answered(question.pending, at_most_ms=0):
        return {}
    with suppress(WorldGone):
        hit = await value_of(call.race, question.pending)
        if hit is not None:
            spot = Spot(question.world, 0, 0, hit["id"], hit["role"], hit["name"])
            return {"ref": _ref_of(call, spot), "role": spot.role or "generic", "name": spot.name}
    return {}


def name_of_point(x: float, y: float) -> str:
    """Return the key for a point in ``Entry.locators``."""
    return f"{x:g},{y:g}"


async def note_point(call: Call, point: tuple[float, float]) -> None:
    """If the task is being recorded, add the locators of the element at a call's point to the
    journal."""
    entry, name = current_call(), name_of_point(*point)
    if not call.task.wants_locators or entry is None:
        return
    try:
        hits = await spots(call, Point(*point))
    except WorldGone:
        return
    if not hits:
        return
    spot = hits[-1]
    locators = await locators_of(call, spot.world, spot.local_id, (spot.x, spot.y))
    if locators is not None:
        others = [one for one in entry.locators if one["named"] != name]
        entry.locators = [*others, {"named": name, **locators}]


async def note_offset(call: Call, ref: str, point: Point) -> None:
    """If the task is being recorded, add the point's offset in the ref's element to the journal."""
    entry = current_call()
    if not call.task.wants_locators or entry is None:
        return
    try:
        x, y, width, height = await box(call, call.task.refs.find(ref))
    except StaleRef:
        return
    for one in entry.locators:
        if one.get("ref") == ref:
            offset = [point.x - x, point.y - y]
            one.update(offset=offset, position=offset, size=[width, height])
