"""Point locators: how to find the element at a point again, and the point in it."""

from __future__ import annotations

from tabwarden.journal import current
from tabwarden.page.elements.actionability import Point
from tabwarden.page.elements.hit_test import spots
from tabwarden.page.elements.locators import located
from tabwarden.page.task import Call
from tabwarden.page.walker import WorldGone


async def note_point(call: Call, point: tuple[float, float]) -> None:
    """Note the locators of the element at a point that a call names, if a recording wants them."""
    entry = current()
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
        named = f"{point[0]:g},{point[1]:g}"
        entry.locators = [*entry.locators, {"named": named, "point": list(point), **told}]
