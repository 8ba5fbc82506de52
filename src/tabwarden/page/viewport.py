"""Viewport: a point that an action names has to be in it, or nothing would be hit."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from tabwarden.errors import InvalidArgument
from tabwarden.protocol import page
from tabwarden.supervisor import CommandRefused, Pending, Race, Tab

__all__ = ["inside"]

V = TypeVar("V")
_SCROLLBAR = 20
"""The viewport is told without them, but they can be pressed."""
_TOLD_MS = 100.0


async def inside(
    race: Race,
    tab: Tab,
    at: tuple[float, float] | None,
    work: Callable[[], Awaitable[V]],
    *,
    first: bool = False,
) -> V:
    """What ``work`` gives that acts at a point; None: at none.

    The browser is asked how large the viewport is right before it. Nobody waits for that: what is
    sent to a point outside hits nothing.

    Args:
        race, tab, at, work: the action.
        first: the answer is waited for before it: it does more than to point.

    Raises:
        InvalidArgument: the point is outside.
    """
    if at is None:
        return await work()
    asked = race.start(page.GetLayoutMetrics(), tab.session_id)
    if first:
        await _check(race, at, asked)
        return await work()
    done = await work()
    await _check(race, at, asked)
    return done


async def _check(
    race: Race, at: tuple[float, float], asked: Pending[page.GetLayoutMetricsResult]
) -> None:
    if not await race.answered(asked, at_most_ms=_TOLD_MS):
        return
    try:
        told = await race.result(asked)
    except CommandRefused:
        return
    layout, visual = told.css_layout_viewport, told.css_visual_viewport
    width = max(layout.client_width, visual.client_width)
    height = max(layout.client_height, visual.client_height)
    for field, value, size in (("x", at[0], width), ("y", at[1], height)):
        if value >= size + _SCROLLBAR:
            raise InvalidArgument(
                f"{field}={value:g} is outside of the viewport, which is {width:g} x {height:g}.",
                "Nothing was hit. Scroll first, or use the ref of an element.",
                field=field,
                viewport={"width": width, "height": height},
            )
