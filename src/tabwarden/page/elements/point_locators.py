"""Point locators: how to find the element at a point again, and the point in it."""

from __future__ import annotations

from tabwarden.errors import StaleRef
from tabwarden.journal import current_call
from tabwarden.page.elements.actionability import Point, box
from tabwarden.page.elements.hit_test import spots
from tabwarden.page.elements.locators import located
from tabwarden.page.task import Call
from tabwarden.page.walker import WorldGone


def name_of_point(x: float, y: float) -> str:
    """Return how ``Entry.locators`` names a point."""
    return f"{x:g},{y:g}"


async def note_point(call: Call, point: tuple[float, float]) -> None:
    """Note the locators of the element at a point that a call names, if a recording wants them."""
    entry, named = current_call(), name_of_point(*point)
    if not call.task.wants_locators or entry is None:
        return
    try:
        found = await spots(call, Point(*point))
    except WorldGone:
        return
    if not found:
        return
    spot = found[-1]
    told = await located(call, spot.world, spot.local_id, (spot.x, spot.y))
    if told is not None:
        others = [one for one in entry.locators if one["named"] != named]
        entry.locators = [*others, {"named": named, **told}]


async def note_place(call: Call, named: str, point: Point) -> None:
    """Note where in the element of a ref a call goes, if a recording wants to know it."""
    entry = current_call()
    if not call.task.wants_locators or entry is None:
        return
    try:
        x, y, width, height = await box(call, call.task.refs.find(named))
    except StaleRef:
        return
    for one in entry.locators:
        if one.get("ref") == named:
            offset = [point.x - x, point.y - y]
            one.update(offset=offset, position=offset, size=[width, height])
