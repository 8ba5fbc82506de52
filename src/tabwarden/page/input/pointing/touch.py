"""Tap, swipe and pinch, even if no touch screen is emulated."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal, cast

from pydantic import Field

from tabwarden.errors import InvalidArgument
from tabwarden.journal import set_on_current_call
from tabwarden.page.call import bring_to_front, refuse_if_covered, settle
from tabwarden.page.elements import Point, middle
from tabwarden.page.input.holding import check_hold
from tabwarden.page.input.pointing.mouse import point_of
from tabwarden.page.input.pointing.picture_points import (
    GestureEnd,
    HoldMs,
    NamedPoint,
    PictureWidth,
    PictureX,
    PictureY,
    PixelsParameter,
    check_pixels,
    point_named,
    points_on_screen,
)
from tabwarden.page.task import Call, Done, OptionalRef, card
from tabwarden.page.walker import call_walker
from tabwarden.protocol import input as input_
from tabwarden.results import Touched

_TOUCH_RESTS_MS = 120.0
"""How long the fingers stay still at the end of a pinch. Without this pause, the page would keep
moving."""
_TOUCH_STEP_MS = 16.0
"""The time between two moves of a finger: one frame of the screen."""
_TOUCHED_MS = 500.0
"""How long a page may take to handle a touch. A tab that receives no input never replies."""
TouchMode = Literal["tap", "swipe", "pinch"]
Direction = Literal["up", "down", "left", "right"]
_WAYS: dict[str, tuple[int, int]] = {
    "up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0),
}  # fmt: skip
_STEPS = 12
_APART = 60.0
"""The distance between each finger of a pinch and the center at the closest position, in CSS
pixels."""
_EDGE = 2.0


def _check(
    mode: TouchMode,
    ref: str | None,
    start: NamedPoint | None,
    end: NamedPoint | None,
    direction: Direction | None,
    scale: float | None,
    hold_ms: float,
) -> None:
    """Raise ``InvalidArgument`` for an argument that is missing or does not apply to the mode."""
    if ref is not None and start is not None:
        raise InvalidArgument(
            "Give either ref, or x and y.", "Omit ref, or omit x and y.", field="x"
        )
    if mode == "tap" and ref is None and start is None:
        raise InvalidArgument(
            "mode 'tap' needs a ref, or x and y.", "Give a ref or a point.", field="ref"
        )
    for field, value, only in (
        ("to_x", end, "swipe"), ("direction", direction, "swipe"), ("scale", scale, "pinch"),
    ):  # fmt: skip
        if value is not None and mode != only:
            raise InvalidArgument(
                f"{field} does not apply to mode {mode!r}.",
                f"It applies only to {only}.",
                field=field,
            )
    if hold_ms and mode == "pinch":
        raise InvalidArgument(
            "hold_ms does not apply to mode 'pinch'.", "Omit it.", field="hold_ms"
        )
    if mode == "swipe" and (end is None) == (direction is None):
        raise InvalidArgument(
            "mode 'swipe' needs either to_x and to_y, or a direction.",
            "For example: direction='left', distance=300.",
            field="direction",
        )
    if mode == "pinch" and scale is None:
        raise InvalidArgument(
            "mode 'pinch' needs `scale`.", "scale=2 zooms in, scale=0.5 zooms out.", field="scale"
        )


async def _swipe_end(call: Call, start: Point, direction: Direction, distance: float) -> Point:
    """Return the end of a swipe in a direction. The end is always in the viewport."""
    across, down = _WAYS[direction]
    half = await middle(call)
    x = min(max(start.x + across * distance, _EDGE), 2 * half.x - _EDGE)
    y = min(max(start.y + down * distance, _EDGE), 2 * half.y - _EDGE)
    return Point(x, y)


async def _swipe(call: Call, start: Point, end: Point, hold_ms: float) -> None:
    try:
        await _send(call, "touchStart", [start])
        if hold_ms:
            await call.race.pause(hold_ms)
        if end != start:
            for step in range(1, _STEPS + 1):
                await _move_fingers(call, [_between(start, end, step / _STEPS)])
    except BaseException:
        _lift(call, "touchCancel")
        raise
    await _send(call, "touchEnd", [])


async def _pinch(call: Call, about: Point, scale: float) -> None:
    """Move two fingers apart or together. At the closest position, each finger is ``_APART`` pixels
    from the center."""
    near, far = (_APART, _APART * scale) if scale >= 1 else (_APART / scale, _APART)
    first_scale = (await _read_view(call))["scale"]
    try:
        await _send(call, "touchStart", _fingers(about, near, 1))
        for step in range(1, _STEPS + 1):
            distance = near + (far - near) * step / _STEPS
            # Chromium multiplies the points by the zoom factor, which changes during the pinch.
            zoomed = (await _read_view(call))["scale"] / first_scale
            await _move_fingers(call, _fingers(about, distance, zoomed))
        await call.race.pause(_TOUCH_RESTS_MS)
        await _send(
            call, "touchMove", _fingers(about, far, (await _read_view(call))["scale"] / first_scale)
        )
    except BaseException:
        _lift(call, "touchCancel")
        raise
    await _send(call, "touchEnd", [])


def _fingers(about: Point, apart: float, zoomed: float) -> list[Point]:
    return [Point(about.x / zoomed, (about.y + away) / zoomed) for away in (-apart, apart)]


async def _read_view(call: Call) -> dict[str, float]:
    top = call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    world = await call.task.worlds.of(call.race, top)
    return cast("dict[str, float]", await call_walker(call.race, world, "seenAt"))


def _between(start: Point, end: Point, share: float) -> Point:
    return Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)


async def _move_fingers(call: Call, fingers: list[Point]) -> None:
    """Move the fingers at a person's speed, because pages measure the speed of a swipe."""
    await asyncio.sleep(_TOUCH_STEP_MS / 1000)
    await _send(call, "touchMove", fingers)


async def _send(call: Call, kind: Any, fingers: list[Point]) -> None:
    pending = asyncio.ensure_future(call.race.call(_event(kind, fingers), call.tab.session_id))
    pending.add_done_callback(lambda pending: pending.cancelled() or pending.exception())
    try:
        if not await call.race.finished(pending, at_most_ms=_TOUCHED_MS):
            await refuse_if_covered(call)
        await pending
    finally:
        pending.cancel()


def _lift(call: Call, kind: Any) -> None:
    """Lift all fingers. Await nothing, because the call may have been stopped."""
    if call.state.health.status == "live":
        call.task.supervisor.send(_event(kind, []), call.tab.session_id)


def _event(kind: Any, fingers: list[Point]) -> input_.DispatchTouchEvent:
    return input_.DispatchTouchEvent(
        type=kind,
        touch_points=[input_.TouchPoint(x=x, y=y, id=at) for at, (x, y) in enumerate(fingers)],
    )


@card(
    "touch",
    about="Tap, swipe or pinch, by ref or at points as in browser_mouse.",
    permission="act",
    group="vision",
    gives=Touched,
    uses_input=True,
)
async def touch(
    call: Call,
    mode: Annotated[TouchMode, Field(description="The gesture.")],
    ref: OptionalRef = None,
    *,
    x: PictureX = None,
    y: PictureY = None,
    to_x: GestureEnd = None,
    to_y: GestureEnd = None,
    direction: Annotated[
        Direction | None,
        Field(description="The direction in which the finger moves (up scrolls the page down)."),
    ] = None,
    distance: Annotated[
        float, Field(description="Length of a swipe in CSS pixels.", ge=1, le=100_000)
    ] = 300,
    scale: Annotated[
        float | None,
        Field(description="For pinch: the zoom factor (2 zooms in, 0.5 zooms out).", ge=0.2, le=5),
    ] = None,
    hold_ms: HoldMs = 0,
    pixels: PixelsParameter = "picture",
    picture_width: PictureWidth = None,
) -> Done:
    """Tap, swipe or pinch, even if no touch screen is emulated. ``value`` is ``{"x", "y",
    "scale"}``: the page's scroll position afterwards, and its zoom.

    Args:
        mode: ``tap``, ``swipe`` or ``pinch``.
        ref: the element, from a snapshot.
        x, y: a point instead of ``ref``; for ``swipe`` and ``pinch``, the viewport's center by
            default.
        to_x, to_y: where a swipe ends.
        direction: where the finger moves, instead of ``to_x`` and ``to_y``; ``up`` scrolls
            down.
        distance: how far, in CSS pixels; not beyond the viewport.
        scale: for ``pinch``: 2 zooms in, 0.5 out; from 0.2 to 5.
        hold_ms: how long the finger stays still first, for a long tap or a drag.
        pixels, picture_width: as for ``mouse``.

    Raises:
        StaleRef, UnknownRef, NotInteractable, Obscured, DialogPending: as for ``click``.
        InvalidArgument: as for ``mouse``.
    """
    check_pixels(pixels, picture_width)
    first, last = point_named("x", x, "y", y), point_named("to_x", to_x, "to_y", to_y)
    _check(mode, ref, first, last, direction, scale, hold_ms)
    check_hold(call.race, hold_ms)
    bring_to_front(call)
    named_points = [one for one in (first, last) if one is not None]
    points = await points_on_screen(call, named_points, pixels=pixels, picture_width=picture_width)
    if ref is not None:
        start = await point_of(call, ref, None)
    else:
        start = points[0] if first is not None else await middle(call)
    end = start
    if mode == "swipe":
        end = await _swipe_end(call, start, direction, distance) if direction else points[-1]
    path = [start, end] if mode == "swipe" else [start]
    set_on_current_call(points=[(one.x, one.y) for one in path])
    if mode == "pinch":
        await _pinch(call, start, scale or 1.0)
    else:
        await _swipe(call, start, end, hold_ms)
    note = await settle(call)
    return Done(await _read_view(call), note)
