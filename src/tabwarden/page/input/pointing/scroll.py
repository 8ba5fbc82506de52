"""Scroll: turn the mouse wheel over an element or a point, and report how far the area moved."""

from __future__ import annotations

from typing import Any, Literal

from tabwarden.page.call import bring_to_front, check_arrival
from tabwarden.page.elements import middle, spots
from tabwarden.page.input.pointing.mouse import point_of
from tabwarden.page.input.pointing.timing import SCROLL_STARTS_MS
from tabwarden.page.task import ActionSpec, Call, Done
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.protocol import input as input_

SCROLL = ActionSpec(name="scroll", uses_input=True, awaits_requests=False)

Direction = Literal["up", "down", "left", "right"]


async def scroll(
    call: Call,
    *,
    direction: Direction = "down",
    amount: float = 500,
    ref: str | None = None,
    at: tuple[float, float] | None = None,
) -> Done:
    """Turn the wheel over an element, a point, or the middle of the viewport.

    The value is ``{"moved", "x", "y", "left"}`` in CSS pixels: how far the scrolled area moved, its
    scroll position, and how far it can still scroll in that direction.
    """
    try:
        if ref is None and at is None:
            bring_to_front(call)
            point = await middle(call)
        else:
            point = await point_of(call, ref, at)
        vertical, sign = direction in ("up", "down"), 1 if direction in ("down", "right") else -1
        under = await spots(call, point)
        for spot in under:
            await call_walker(
                call.race, spot.world, "wheelExpected", spot.x, spot.y, vertical, sign
            )
        turned = sign * amount
        wheel = input_.DispatchMouseEvent(
            type="mouseWheel",
            x=point.x,
            y=point.y,
            delta_x=0 if vertical else turned,
            delta_y=turned if vertical else 0,
        )
        await call.race.call(wheel, call.tab.session_id)
        seen, patience = [], SCROLL_STARTS_MS
        # Ask the innermost frame first: a frame that can't scroll further passes the wheel event to
        # the frame around it at once.
        for spot in reversed(under):
            seen.append(await call_walker(call.race, spot.world, "wheeled", patience))
            patience = 0
    except WorldGone:
        return Done(note="The page was replaced during the scroll: take a new snapshot.")
    if not any(one["moved"] for one in seen):
        await check_arrival(call)
    return _told(seen, direction)


def _told(seen: list[dict[str, Any]], direction: Direction) -> Done:
    moved = next((one for one in seen if one["moved"]), None)
    shown = moved or next((one for one in seen if one["scrolls"]), None)
    value = {key: shown[key] if shown else 0 for key in ("moved", "x", "y", "left")}
    if moved is not None:
        return Done(value)
    if any(one["taken"] for one in seen):
        return Done(value, "Nothing scrolled: the page handled the wheel itself.")
    if shown is None:
        return Done(
            value,
            "Nothing there scrolls in that direction. Name an element in the area to scroll.",
        )
    return Done(value, f"Nothing moved: the area is already at its end ({direction}).")
