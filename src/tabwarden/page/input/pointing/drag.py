"""Drag: press the button at one place, move the mouse, and release the button at another place,
with mouse events only.

Chromium turns these events into HTML drag and drop, even between frames in different processes. We
must await each move. If we sent all events together, the button would be released before the drag
has begun. We measured two quirks of Chromium 153. A frame in another process accepts a drop only
after two mouse moves over the frame (8 of 8 tries; 0 of 8 with one move). And the process where the
drag started is never notified of the end of the drag. Its page gets no ``dragend`` and no more
mouse events until we send ``dragCancel`` to its session. ``Input.setInterceptDrags`` has the same
quirks and needs more code, so we don't use it.

Some libraries, such as dnd-kit with a ``delay``, start a drag only after the button has been down
for a while. So if a page did not react at all and the element seems draggable, drag again and hold
the button before the first move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from tabwarden.errors import InvalidArgument
from tabwarden.hints import joined
from tabwarden.page.call import (
    bring_to_front,
    check_arrival,
    coordinate,
    is_on_its_way,
    settle,
)
from tabwarden.page.elements import Point, aim, box, element_of, note_offset, spots
from tabwarden.page.input.pointing.mouse import mouse_event, point_of, send_mouse
from tabwarden.page.input.pointing.oopif_hit_check import reach
from tabwarden.page.input.pointing.press_guard import (
    TRIES,
    read_open_press,
    read_press,
    runs_away_error,
    wait_until_rests,
)
from tabwarden.page.task import Call, Done, card
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.protocol import input as input_
from tabwarden.results import Dragged
from tabwarden.supervisor.core.state.tabs import ExecutionContext, Tab
from tabwarden.supervisor.runtime import Race

_DRAG_END_MS = 500
"""How long the page may take to receive the drop."""
_DRAG_HOLD_MS = 400
"""How long to hold the button if the first attempt to drag had no effect. Libraries need 100 to 300
ms."""


class Beside(NamedTuple):
    """A point, relative to the center of an element."""

    ref: str
    x: float
    y: float


class _Outcome(NamedTuple):
    value: dict[str, Any]
    reacted: bool = True
    """Whether anything in the document changed between the press and the release."""
    may_want_hold: bool = False
    """Whether the element seems draggable."""


DragPoint = str | tuple[float, float] | Beside
"""A ref or selector, a point in the viewport, or a point relative to an element."""


class _Way(NamedTuple):
    source: DragPoint
    goal: DragPoint
    through: Sequence[Point]
    modifiers: int


_OUTSIDE = Point(-1, -1)
_DRAG_OVER = input_.DispatchDragEvent(
    type="dragCancel",
    x=_OUTSIDE.x,
    y=_OUTSIDE.y,
    data=input_.DragData(items=[], drag_operations_mask=1),
)
_STEPS = 4
_NUDGE = 8.0
"""The first move, in pixels. A drag begins after about 3 to 5 pixels."""
_NEEDED_HOLD = (
    f"The page reacted only after the button was held for {_DRAG_HOLD_MS} ms before the drag."
)
_NO_REACTION = "The page's document did not change during the drag."
_HOLD_CHANGED_NOTHING = (
    f"{_NO_REACTION} Holding the button for {_DRAG_HOLD_MS} ms first made no difference."
)
_NO_DROP = (
    "The drag started, but the drop target did not accept the drop. Check whether the page moved "
    "the element anyway."
)


def drag_point(side: str, ref: str | None, x: float | None, y: float | None) -> DragPoint:
    """Return the start (``from``) or end (``to``) of a drag: a ref or a point.

    The end may have both a ref and a point. Then the point is relative to the element's center.
    """
    if ref is not None and x is None and y is None:
        return ref
    if ref is None and x is not None and y is not None:
        return (coordinate(f"{side}_x", x), coordinate(f"{side}_y", y))
    if side == "to" and ref is not None and x is not None and y is not None:
        return Beside(ref, coordinate("to_x", x), coordinate("to_y", y))
    half = ref is None and (x is not None or y is not None)
    raise InvalidArgument(
        f"Give either {side}_ref, or both {side}_x and {side}_y.",
        "A ref comes from a snapshot. Points are viewport coordinates in CSS pixels.",
        field=f"{side}_{'y' if y is None else 'x'}" if half else f"{side}_ref",
    )


async def drag_from(
    call: Call,
    source: DragPoint,
    goal: DragPoint,
    *,
    through: Sequence[Point] = (),
    modifiers: int = 0,
) -> Done:
    """Drag from one place to another, through points. Scroll both places into view if needed.

    The value is ``{"kind": "html5" | "pointer", "effect": ...}``. For HTML drag and drop, the
    effect is ``move``, ``copy`` or ``link``, as the page chose, or ``none`` if the page refused the
    drop. The mouse button is always released, even if the drag fails.

    Args:
        call, source, goal, through: the drag.
        modifiers: the modifier keys that are down, as for ``Input.dispatchMouseEvent``.
    """
    source, goal = [await _resolve(call, *one) for one in (("from", source), ("to", goal))]
    way = _Way(source, goal, through, modifiers)
    outcome, note = await _drag_once(call, way)
    if not outcome.reacted and outcome.may_want_hold:
        outcome, note = await _drag_once(call, way, hold_ms=_DRAG_HOLD_MS)
        note = joined(_NEEDED_HOLD if outcome.reacted else _HOLD_CHANGED_NOTHING, note)
    elif not outcome.reacted:
        note = joined(_NO_REACTION, note)
    refusal = _NO_DROP if outcome.value.get("effect") == "none" else ""
    return Done(outcome.value, joined(refusal, note))


async def _drag_once(call: Call, way: _Way, *, hold_ms: float = 0) -> tuple[_Outcome, str]:
    """Drag once. Return the outcome and a note.

    Args:
        call, way: the drag.
        hold_ms: how long to hold the button before the first move.
    """
    source, goal, through, modifiers = way
    # Check the goal first. If the mouse can't reach the goal, the page must stay untouched.
    end = await _point(call, goal)
    target_world = await listen_for_drag(call, end)
    sessions = {
        call.tab.session_id,
        *([target_world.session_id] if target_world is not None else ()),
    }
    try:
        start, source_world = await _press(call, source, modifiers)
        if source_world is not None:
            sessions.add(source_world.session_id)
        if isinstance(goal, Beside):  # the press may have scrolled the page
            end = await _point(call, goal)
        past = await _past_middle(call, source, goal)
        if hold_ms:
            await call.race.pause(hold_ms)
        nudged = Point(start.x + _NUDGE, start.y + _NUDGE)
        await send_mouse(call.race, call.tab, [_move_event(nudged, modifiers)])
        # Aim again, because the page may have moved the goal, or the goal may need to be scrolled
        # into view.
        if isinstance(goal, str):
            end = (await aim(call, call.task.refs.find(goal), presses=None)).point
            end = Point(end.x + past.x, end.y + past.y)
        if isinstance(goal, str | Beside):
            await note_offset(call, goal if isinstance(goal, str) else goal.ref, end)
        for part, stop in pairwise((start, *through, end)):
            for point in points_between(part, stop):
                await send_mouse(call.race, call.tab, [_move_event(point, modifiers)])
        release = mouse_event("mouseReleased", end, modifiers, "left", 1)
        await send_mouse(call.race, call.tab, [release])
    except BaseException:
        _cancel_drag(call.race, call.tab, sessions)
        raise
    note = await settle(call)
    await check_arrival(call)
    return await _outcome(call.race, source_world, target_world), note


async def _press(
    call: Call, source: DragPoint, modifiers: int
) -> tuple[Point, ExecutionContext | None]:
    """Press and hold the button on the source element. The press never hits another element.

    If the page moves the element when the mouse arrives, aim again, as for a click.
    """
    for _ in range(TRIES):
        aimed = None
        if isinstance(source, str):
            bring_to_front(call)
            element = await element_of(call, source, field="from_ref")
            aimed = await reach(call, element, presses=1)
        start = aimed.point if aimed is not None else await _point(call, source)
        source_world = await listen_for_drag(call, start)
        await send_mouse(call.race, call.tab, [_move_event(start, modifiers, is_pressed=False)])
        press = mouse_event("mousePressed", start, modifiers, "left", 1, 1)
        await send_mouse(call.race, call.tab, [press])
        if aimed is None or (await read_open_press(call, aimed)).is_hit is not False:
            return start, source_world
        release = mouse_event("mouseReleased", start, modifiers, "left", 1)
        await send_mouse(call.race, call.tab, [release])
        await read_press(call, aimed)
        await wait_until_rests(call, element, aimed)
    raise runs_away_error(element)


async def _resolve(call: Call, side: str, place: DragPoint) -> DragPoint:
    """Replace a selector with the ref of the matching element."""
    if isinstance(place, Beside):
        element = await element_of(call, place.ref, field=f"{side}_ref")
        return place._replace(ref=element.ref)
    if not isinstance(place, str):
        return place
    return (await element_of(call, place, field=f"{side}_ref")).ref


async def _point(call: Call, place: DragPoint) -> Point:
    if isinstance(place, str):
        return await point_of(call, place, None)
    if isinstance(place, Beside):
        bring_to_front(call)
        x, y, width, height = await box(call, call.task.refs.find(place.ref))
        return Point(x + width / 2 + place.x, y + height / 2 + place.y)
    return await point_of(call, None, place)


async def _past_middle(call: Call, source: DragPoint, goal: DragPoint) -> Point:
    """Return how far beyond the goal's center to drop, so that a sortable list is reordered."""
    if isinstance(source, str) and isinstance(goal, str):
        one, other = call.task.refs.find(source), call.task.refs.find(goal)
        if one.frame_id == other.frame_id:
            world = await call.task.worlds.of(call.race, one.frame_id)
            past = await call_walker(call.race, world, "pastMiddle", one.local_id, other.local_id)
            return Point(past["x"], past["y"])
    return Point(0, 0)


def _move_event(
    point: Point, modifiers: int, *, is_pressed: bool = True
) -> input_.DispatchMouseEvent:
    button = "left" if is_pressed else "none"
    return mouse_event("mouseMoved", point, modifiers, button, buttons=int(is_pressed))


def points_between(start: Point, end: Point) -> Iterator[Point]:
    """Yield the points on a straight line."""
    for step in range(1, _STEPS + 1):
        share = step / _STEPS
        yield Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
    yield end


def _cancel_drag(race: Race, tab: Tab, sessions: Iterable[str | None]) -> None:
    """Cancel an unfinished drag outside the viewport, where no element receives a drop or a click.

    Await nothing, because the call may have been stopped and the page may hang.
    """
    if race.supervisor.state.health.status != "live":
        return
    race.supervisor.send(input_.CancelDragging(), tab.session_id)
    for session_id in sessions:
        race.supervisor.send(_DRAG_OVER, session_id)
    release = mouse_event("mouseReleased", _OUTSIDE, 0, "left", 1)
    race.supervisor.send(release, tab.session_id)


async def listen_for_drag(call: Call, point: Point) -> ExecutionContext | None:
    """Listen for a drag in the document at a point. Return the document's world, or None if the
    document is gone."""
    try:
        world = (await spots(call, point))[-1].world
        await call_walker(call.race, world, "dragExpected")
    except (WorldGone, IndexError):
        return None
    return world


async def _outcome(
    race: Race,
    source_world: ExecutionContext | None,
    target_world: ExecutionContext | None,
) -> _Outcome:
    """Wait until the document where the drag started is notified of the end of the drag. Return the
    outcome."""
    if source_world is None:
        return _Outcome({"kind": "pointer"})
    crossed = target_world is not None and target_world.session_id != source_world.session_id
    if crossed:
        await race.call(_DRAG_OVER, source_world.session_id)
    try:
        events = await call_walker(race, source_world, "dragSeen", _DRAG_END_MS)
        if not events["began"]:
            is_leaving = is_on_its_way(race.supervisor.state, race.tab_id or "")
            reacted = crossed or is_leaving or events["reacted"]
            return _Outcome({"kind": "pointer"}, reacted=reacted, may_want_hold=events["isMovable"])
        if not crossed or target_world is None:
            return _Outcome({"kind": "html5", "effect": events["ended"] or "none"})
        target_events = await call_walker(race, target_world, "dragSeen", 0)
        return _Outcome({"kind": "html5", "effect": target_events["dropped"] or "none"})
    except WorldGone:  # the drop navigated the page
        return _Outcome({"kind": "html5", "effect": "unknown"})


@card(
    "drag",
    about="Drag and drop with the mouse, from one element or point to another.",
    permission="act",
    group="pages",
    gives=Dragged,
    uses_input=True,
    aims=lambda arguments: arguments.get("from_ref"),
)
async def drag(
    call: Call,
    from_ref: Annotated[str | None, Field(description="Ref of the element to drag.")] = None,
    to_ref: Annotated[str | None, Field(description="Ref of the drop target.")] = None,
    *,
    from_x: Annotated[
        float | None, Field(description="Pixels from the left, instead of from_ref.")
    ] = None,
    from_y: Annotated[float | None, Field(description="Pixels from the top.")] = None,
    to_x: Annotated[
        float | None, Field(description="Pixels from the left or, with to_ref, from its center.")
    ] = None,
    to_y: Annotated[float | None, Field(description="Pixels from the top.")] = None,
) -> Done:
    """Drag with the left button from one element or point to another, even between frames.

    ``value`` is ``{"kind": "pointer"}``, or for HTML drag and drop ``{"kind": "html5",
    "effect": "move" | "copy" | "link" | "none"}``; ``none`` means that nothing accepted the
    drop. The button is always released, even on an error.

    Args:
        from_ref, to_ref: the elements, from a snapshot.
        from_x, from_y, to_x, to_y: points in the viewport in CSS pixels, instead of refs. With
            ``to_ref``, ``to_x`` and ``to_y`` are relative to that element's center.

    Raises:
        StaleRef, UnknownRef, NotInteractable, Obscured, DialogPending: as for ``click``.
    """
    source = drag_point("from", from_ref, from_x, from_y)
    return await drag_from(call, source, drag_point("to", to_ref, to_x, to_y))
