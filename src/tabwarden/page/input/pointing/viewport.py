"""Reject a point outside the viewport, because a click there would hit nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from tabwarden.errors import InvalidArgument
from tabwarden.page.call import BARS, bar_sizes
from tabwarden.page.task import Call
from tabwarden.protocol import page, runtime
from tabwarden.supervisor.runtime import CommandRefused, Pending, Race

_LAYOUT_MS = 100.0
"""How long the browser may take to report the page's layout."""
V = TypeVar("V")


async def inside(
    call: Call,
    at: tuple[float, float] | None,
    work: Callable[[], Awaitable[V]],
    *,
    first: bool = False,
) -> V:
    """Run ``work``. Raise ``InvalidArgument`` if its point ``at`` is outside the viewport.

    We request the viewport's size just before ``work``. Mouse events need not wait for the reply,
    because an event outside the viewport hits nothing. If ``work`` does more than send mouse
    events, set ``first``, so that ``work`` waits for the check.
    """
    if at is None:
        return await work()
    race, tab = call.race, call.tab
    bars = race.start(BARS, tab.session_id)
    metrics = race.start(page.GetLayoutMetrics(), tab.session_id)
    if first:
        await _check(race, at, metrics, bars)
        return await work()
    result = await work()
    await _check(race, at, metrics, bars)
    return result


async def _check(
    race: Race,
    at: tuple[float, float],
    metrics: Pending[page.GetLayoutMetricsResult],
    bars: Pending[runtime.EvaluateResult],
) -> None:
    if not await race.answered(metrics, at_most_ms=_LAYOUT_MS):
        return
    try:
        sizes = await race.result(metrics)
    except CommandRefused:
        return
    layout, visual = sizes.css_layout_viewport, sizes.css_visual_viewport
    across, down = await bar_sizes(race, bars)
    width = max(layout.client_width, visual.client_width) + across
    height = max(layout.client_height, visual.client_height) + down
    for field, value, size in (("x", at[0], width), ("y", at[1], height)):
        if value >= size:
            raise InvalidArgument(
                f"{field}={value:g} is outside the viewport, which is {width:g} x {height:g}.",
                "Nothing was hit. Scroll first, or use the ref of an element.",
                field=field,
                viewport={"width": width, "height": height},
            )
