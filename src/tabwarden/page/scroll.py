"""Scroll: the mouse wheel at an element, a point or the middle, and what that moved."""

from __future__ import annotations

from typing import Any, Literal

from tabwarden.page.front import bring_to_front
from tabwarden.page.mouse import point_of
from tabwarden.page.result import Done
from tabwarden.page.task import Task
from tabwarden.page.under import middle, spots
from tabwarden.page.worlds import WorldGone, call
from tabwarden.protocol import input as input_
from tabwarden.supervisor import Race, Tab

__all__ = ["Direction", "scroll"]

Direction = Literal["up", "down", "left", "right"]
_STILL_MS = 150
"""What a turn of the wheel moves has begun to move by then."""


async def scroll(
    task: Task,
    race: Race,
    tab: Tab,
    *,
    direction: Direction = "down",
    amount: float = 500,
    ref: str | None = None,
    at: tuple[float, float] | None = None,
) -> Done:
    """Turn the wheel over an element, a point, or the middle of the viewport.

    The value is ``{"moved", "x", "y", "left"}`` in CSS pixels: how far what scrolls there moved,
    where it is scrolled to, and how far it could still go that way.
    """
    try:
        if ref is None and at is None:
            bring_to_front(task, race, tab)
            point = await middle(task, race, tab)
        else:
            point = await point_of(task, race, tab, ref, at)
        vertical, sign = direction in ("up", "down"), 1 if direction in ("down", "right") else -1
        under = await spots(task, race, tab, point)
        for spot in under:
            await call(race, spot.world, "wheelExpected", spot.x, spot.y, vertical, sign)
        turned = sign * amount
        wheel = input_.DispatchMouseEvent(
            type="mouseWheel",
            x=point.x,
            y=point.y,
            delta_x=0 if vertical else turned,
            delta_y=turned if vertical else 0,
        )
        await race.call(wheel, tab.session_id)
        seen, patience = [], _STILL_MS
        # From the innermost frame outwards: what has come to its end hands the wheel on at once.
        for spot in reversed(under):
            seen.append(await call(race, spot.world, "wheeled", patience))
            patience = 0
    except WorldGone:
        return Done(note="The page was replaced while it was scrolled: take a new snapshot.")
    return _told(seen, direction)


def _told(seen: list[dict[str, Any]], direction: Direction) -> Done:
    moved = next((one for one in seen if one["moved"]), None)
    shown = moved or next((one for one in seen if one["scrolls"]), None)
    value = {key: shown[key] if shown else 0 for key in ("moved", "x", "y", "left")}
    if moved is not None:
        return Done(value)
    if any(one["taken"] for one in seen):
        return Done(value, "Nothing scrolled: the page took the wheel for itself.")
    if shown is None:
        return Done(value, "Nothing there scrolls that way; name an element in what should scroll.")
    return Done(value, f"Nothing moved: it is at its end ({direction}).")
