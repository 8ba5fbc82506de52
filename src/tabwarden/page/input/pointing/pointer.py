"""Mouse actions for models that see images. The points are on the tab's last screenshot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from tabwarden.errors import InvalidArgument
from tabwarden.journal import set_on_current_call
from tabwarden.page.call import between, bring_to_front, check_arrival, settle
from tabwarden.page.elements import Point, hit_begun, hit_ended, middle, note_point
from tabwarden.page.input.holding import check_hold, parse_modifiers
from tabwarden.page.input.pointing.drag import drag_from, points_between
from tabwarden.page.input.pointing.mouse import Button, click_at, mouse_event, send_mouse
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
from tabwarden.page.task import BUTTONS, Call, Done, Held, card
from tabwarden.protocol import input as input_
from tabwarden.results import Pointed

Mode = Literal["move", "click", "down", "up", "drag", "wheel"]
_TAKES: dict[str, tuple[Mode, ...]] = {
    "to_x": ("drag",),
    "path": ("drag",),
    "button": ("click", "down", "up"),
    "count": ("click",),
    "hold_ms": ("click",),
    "delta_x": ("wheel",),
    "delta_y": ("wheel",),
}
"""Maps a parameter to the modes that accept it."""
_NEEDS_POINT = ("move", "click")
_MOST_POINTS = 1_000


def _points_of(
    mode: Mode,
    start: NamedPoint | None,
    path: Sequence[Sequence[float]],
    end: NamedPoint | None,
    others: Mapping[str, bool],
) -> list[NamedPoint]:
    """Return all points of a call.

    Args:
        mode: what the mouse does.
        start, path, end: the points that the caller gave.
        others: maps each other parameter to whether the caller gave it.

    Raises:
        InvalidArgument: a required parameter is missing, or the mode does not accept a parameter.
    """
    others = {"to_x": end is not None, "path": bool(path), **others}
    for field, is_set in others.items():
        if is_set and mode not in _TAKES[field]:
            raise InvalidArgument(
                f"{field} does not apply to mode {mode!r}.",
                f"It applies only to {', '.join(_TAKES[field])}.",
                field=field,
            )
    if start is None and mode in _NEEDS_POINT:
        raise InvalidArgument(f"mode {mode!r} needs x and y.", "Give both.", field="x")
    points = [one for one in (start, *_path_points(path), end) if one is not None]
    if mode == "drag" and len(points) < 2:
        raise InvalidArgument(
            "mode 'drag' needs two points.",
            "Give x, y, to_x and to_y, or a path of at least two points.",
            field="x" if start is None else "to_x",
        )
    if mode == "wheel" and not (others["delta_x"] or others["delta_y"]):
        raise InvalidArgument(
            "mode 'wheel' needs delta_x or delta_y.", "delta_y=500 scrolls down.", field="delta_y"
        )
    return points


def _path_points(path: Sequence[Sequence[float]]) -> list[NamedPoint | None]:
    if len(path) > _MOST_POINTS:
        raise InvalidArgument(
            f"path must be a list of at most {_MOST_POINTS} points.",
            "For example: [[10, 20], [30, 40]].",
            field="path",
        )
    pairs = [one for one in path if len(one) == 2]
    if len(pairs) < len(path):
        raise InvalidArgument(
            "Each point of path must be a list of two numbers.",
            "For example: [[10, 20], [30, 40]].",
            field="path",
        )
    return [point_named("path", one, "path", other) for one, other in pairs]


def _with_point(point: Point, done: Done, **more: str) -> Done:
    return done._replace(value={"x": point.x, "y": point.y, **more, **(done.value or {})})


async def _mouse_point(call: Call, held: Held) -> Point:
    return await middle(call) if held.at is None else Point(*held.at)


async def _move(call: Call, held: Held, point: Point, modifiers: int) -> None:
    """Move to a point. If a button is down, move in steps, because a drag needs several moves."""
    start = Point(*held.at) if held.at is not None and held.buttons else point
    for step in points_between(start, point) if held.buttons else [point]:
        event = mouse_event("mouseMoved", step, modifiers, held.button, buttons=held.buttons)
        await send_mouse(call.race, call.tab, [event])
    held.at = point


async def _press(call: Call, held: Held, button: Button, count: int, modifiers: int) -> None:
    assert held.at is not None
    held.buttons |= BUTTONS[button]
    press = mouse_event("mousePressed", Point(*held.at), modifiers, button, count, held.buttons)
    await send_mouse(call.race, call.tab, [press])


def _release(call: Call, held: Held, button: Button, modifiers: int) -> None:
    """Release a button. Await nothing, because the call may have been stopped and no button may
    stay down."""
    assert held.at is not None
    held.buttons &= ~BUTTONS[button]
    if call.state.health.status == "live":
        event = mouse_event("mouseReleased", Point(*held.at), modifiers, button, 1, held.buttons)
        call.task.supervisor.send(event, call.tab.session_id)


async def _turn_wheel(call: Call, point: Point, delta: tuple[float, float], modifiers: int) -> None:
    wheel = input_.DispatchMouseEvent(
        type="mouseWheel",
        x=point.x,
        y=point.y,
        delta_x=delta[0],
        delta_y=delta[1],
        modifiers=modifiers,
    )
    await call.race.call(wheel, call.tab.session_id)


@card(
    "mouse",
    about="""Use the mouse at points in the tab's latest browser_screenshot, in screenshot pixels.

    The screenshot can have any scale. The call fails if the page has moved since.""",
    permission="act",
    group="vision",
    gives=Pointed,
    uses_input=True,
)
async def mouse(
    call: Call,
    mode: Annotated[
        Mode,
        Field(description="The mouse action."),
    ],
    x: PictureX = None,
    y: PictureY = None,
    *,
    to_x: GestureEnd = None,
    to_y: GestureEnd = None,
    path: Annotated[
        Sequence[Sequence[float]],
        Field(description="For drag: the points to pass through, [[x, y], ...]."),
    ] = (),
    button: Annotated[Button, Field(description="The mouse button.")] = "left",
    count: Annotated[int, Field(description="2 for a double click.", ge=1, le=3)] = 1,
    hold_ms: HoldMs = 0,
    delta_x: Annotated[
        float,
        Field(description="For wheel: CSS pixels to the right (negative: left)."),
    ] = 0,
    delta_y: Annotated[float, Field(description="For wheel: CSS pixels down (negative: up).")] = 0,
    modifiers: Annotated[
        Sequence[str], Field(description="Keys to hold down: Alt, Control, Meta, Shift.")
    ] = (),
    pixels: PixelsParameter = "picture",
    picture_width: PictureWidth = None,
) -> Done:
    """Use the mouse at points on the tab's last screenshot, in screenshot pixels.

    ``click`` clicks the point, and does not check which element is there. ``value`` is ``{"x",
    "y"}``, the mouse's position in CSS pixels of the viewport. After ``click`` and ``down``, it
    also has the ``ref``, ``role`` and ``name`` of the element that was there (of the frame, for
    an element in a frame), if the page has been read before. After a drag, it also has the
    fields of ``drag``.

    Args:
        mode: ``move``, ``click``, ``down``, ``up``, ``drag`` or ``wheel``.
        x, y: the point; ``down``, ``up`` and ``wheel`` default to the mouse's position.
        to_x, to_y: where a drag ends.
        path: points that a drag passes, ``[[x, y], ...]``. Without ``x`` and ``to_x``, the
            first point is the start and the last one the end.
        button: left, middle or right.
        count: for ``click``: 2 for a double click.
        hold_ms: for ``click``: how long the button stays down; at most 60,000.
        delta_x, delta_y: for ``wheel``: CSS pixels to the right and down.
        modifiers: keys to hold down: Alt, Control, Meta, Shift.
        pixels: ``css``: points are in CSS pixels of the viewport, as for ``click``. This is
            always so in a tab without a screenshot.
        picture_width: the screenshot's width as you saw it, if it was made smaller.

    Raises:
        InvalidArgument: a point is outside the screenshot, or the page has navigated, scrolled
            or changed its size since. The error gives the screenshot's id.
        DialogPending: a dialog blocks the page.
    """
    between("delta_x", delta_x, -100_000, 100_000)
    between("delta_y", delta_y, -100_000, 100_000)
    keys = parse_modifiers(list(modifiers))
    check_pixels(pixels, picture_width)
    others = {
        "count": count != 1, "button": button != "left", "hold_ms": hold_ms > 0,
        "delta_x": delta_x != 0, "delta_y": delta_y != 0,
    }  # fmt: skip
    start, end = point_named("x", x, "y", y), point_named("to_x", to_x, "to_y", to_y)
    named_points = _points_of(mode, start, path, end, others)
    bring_to_front(call)
    check_hold(call.race, hold_ms)
    held = call.memory.held
    if mode == "up" and not held.buttons & BUTTONS[button]:
        raise InvalidArgument(
            f"The {button} mouse button is not down.",
            "Press it with mode=down first.",
            field="button",
        )
    points = await points_on_screen(call, named_points, pixels=pixels, picture_width=picture_width)
    if not points:
        points = [await _mouse_point(call, held)]
    set_on_current_call(points=[(one.x, one.y) for one in points])
    if mode == "drag":
        keys |= held.modifiers
        result = await drag_from(call, points[0], points[-1], through=points[1:-1], modifiers=keys)
        held.at = points[-1]
        return _with_point(points[-1], result)
    point = points[0]
    question = hit_begun(call, point) if mode in ("click", "down") else None
    if mode == "click" and not hold_ms:
        held.at = point
        result = await click_at(call, point, button, count, keys)
        return _with_point(point, result, **await hit_ended(call, question))
    pressed = keys | held.modifiers
    if mode == "wheel":
        await _turn_wheel(call, point, (delta_x, delta_y), pressed)
    elif point != held.at:
        if mode == "move" and not held.buttons:
            await note_point(call, point)
        await _move(call, held, point, pressed)
    if mode in ("click", "down"):
        await _press(call, held, button, count, pressed)
    if mode == "click":
        try:
            await call.race.pause(hold_ms)
        finally:
            _release(call, held, button, pressed)
    elif mode == "up":
        _release(call, held, button, pressed)
    note = await settle(call)
    await check_arrival(call)
    return _with_point(point, Done(note=note), **await hit_ended(call, question))
