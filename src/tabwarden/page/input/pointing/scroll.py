"""Turn the mouse wheel over an element or a point, and report how far the area scrolled."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.errors import InvalidArgument
from tabwarden.hints import joined
from tabwarden.page.call import bring_to_front, check_arrival, target_of
from tabwarden.page.elements import (
    element_of,
    middle,
    not_interactable_error,
    shown_part,
    spots,
)
from tabwarden.page.input.pointing.mouse import point_of
from tabwarden.page.input.pointing.viewport import inside
from tabwarden.page.task import Call, Done, OptionalRef, X, Y, card
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.protocol import input as input_
from tabwarden.results import Scrolled

_SCROLL_STARTS_MS = 150
"""How long after a wheel event the page may start to scroll."""
Direction = Literal["up", "down", "left", "right"]


@card(
    "scroll",
    about="""Turn the mouse wheel over an element, a point, or the middle of the viewport.

    The result has the scrolled and remaining distance. Clicks and typing by ref scroll
    automatically.""",
    permission="act",
    group="core",
    destructive=False,
    gives=Scrolled,
    uses_input=True,
    awaits_requests=False,
)
async def scroll(
    call: Call,
    direction: Annotated[Direction, Field(description="Scroll direction.")] = "down",
    amount: Annotated[float, Field(description="Distance in CSS pixels.", ge=0, le=100_000)] = 500,
    ref: OptionalRef = None,
    *,
    x: X = None,
    y: Y = None,
) -> Done:
    """Turn the mouse wheel; ``value`` is ``{"moved", "x", "y", "left"}`` in CSS pixels.
    ``moved`` is the distance that the area scrolled, ``x`` and ``y`` are its new position, and
    ``left`` is the distance that it can still scroll.

    Args:
        direction: up, down, left or right.
        amount: the distance in CSS pixels; at most 100,000. 0 only scrolls ``ref`` into view;
            then ``value`` is empty.
        ref: the element to scroll over; by default the middle of the viewport.
        x, y: a point in the viewport, instead of ``ref``.

    Raises:
        StaleRef, UnknownRef, NotInteractable, Obscured, DialogPending: as for ``click``.
    """
    is_anywhere = ref is None and x is None and y is None
    at = None if is_anywhere else target_of(ref, x, y)
    if amount == 0:
        return await _bring_into_view(call, ref)
    return await inside(call, at, lambda: _scroll(call, direction, amount, ref, at))


async def _bring_into_view(call: Call, ref: str | None) -> Done:
    if ref is None:
        raise InvalidArgument(
            "amount=0 works only with ref.", "Give a ref or a distance.", field="amount"
        )
    bring_to_front(call)
    element = await element_of(call, ref)
    part = await shown_part(call, element)
    if not part.is_in_view:
        raise not_interactable_error(element, "can't be scrolled into view", "outside")
    return Done({}, joined(f"{element.ref} is in view.", part.note))


async def _scroll(
    call: Call,
    direction: Direction,
    amount: float,
    ref: str | None,
    at: tuple[float, float] | None,
) -> Done:
    try:
        if ref is None and at is None:
            bring_to_front(call)
            point = await middle(call)
        else:
            point = await point_of(call, ref, at)
        vertical, sign = direction in ("up", "down"), 1 if direction in ("down", "right") else -1
        targets = await spots(call, point)
        for spot in targets:
            await call_walker(
                call.race, spot.world, "wheelExpected", spot.x, spot.y, vertical, sign
            )
        delta = sign * amount
        wheel = input_.DispatchMouseEvent(
            type="mouseWheel",
            x=point.x,
            y=point.y,
            delta_x=0 if vertical else delta,
            delta_y=delta if vertical else 0,
        )
        await call.race.call(wheel, call.tab.session_id)
        replies, patience = [], _SCROLL_STARTS_MS
        # Ask the innermost frame first. A frame that can't scroll further immediately passes the
        # wheel event to the frame around it.
        for spot in reversed(targets):
            replies.append(await call_walker(call.race, spot.world, "wheeled", patience))
            patience = 0
    except WorldGone:
        return Done(note="The page navigated during the scroll. Take a new snapshot.")
    if not any(one["moved"] for one in replies):
        await check_arrival(call)
    return _describe(replies, direction)


def _describe(replies: list[dict[str, Any]], direction: Direction) -> Done:
    moved_area = next((one for one in replies if one["moved"]), None)
    area = moved_area or next((one for one in replies if one["scrolls"]), None)
    value = {key: area[key] if area else 0 for key in ("moved", "x", "y", "left")}
    if moved_area is not None:
        return Done(value)
    if any(one["taken"] for one in replies):
        return Done(value, "Nothing scrolled: the page handled the wheel itself.")
    if area is None:
        return Done(
            value,
            "Nothing at this point can scroll in that direction. Use the ref of an element in the "
            "area to scroll.",
        )
    return Done(value, f"Nothing scrolled: the area is already scrolled to its end ({direction}).")
