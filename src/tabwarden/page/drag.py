"""Drag: press at one place, move, let go at another; by mouse events alone.

Chromium makes HTML drag and drop of them by itself, in and between frames of any process, when
each move is awaited: sent together, the button is up before the drag has begun. Measured on 153:
a frame in another process takes a drop only from the second move over it on (8 of 8; 0 of 8 with
one), and the process that was dragged from is never told the end: its page gets no ``dragend``, and
no mouse from then on. A ``dragCancel`` over its own session ends that. With
``Input.setInterceptDrags`` it is the same, with more to do, so it stays off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.page.aim import Point, aim
from tabwarden.page.arguments import coordinate, texts
from tabwarden.page.element import element_of
from tabwarden.page.front import bring_to_front
from tabwarden.page.mouse import mouse_event, point_of, send_mouse
from tabwarden.page.press import TRIES, begun, landed, runs_away
from tabwarden.page.reach import reach
from tabwarden.page.result import Done
from tabwarden.page.settle import settle
from tabwarden.page.task import Task
from tabwarden.page.under import spots
from tabwarden.page.worlds import WorldGone, call
from tabwarden.protocol import input as input_
from tabwarden.supervisor import ExecutionContext, Race, Tab

__all__ = ["Place", "drag", "place_of"]

Place = str | tuple[float, float]
"""A ref, or a point of the viewport."""
_OUTSIDE = Point(-1, -1)
_DRAG_OVER = input_.DispatchDragEvent(
    type="dragCancel",
    x=_OUTSIDE.x,
    y=_OUTSIDE.y,
    data=input_.DragData(items=[], drag_operations_mask=1),
)
_STEPS = 4
_END_MS = 500
_NUDGE = 8.0
"""Pixels: a drag begins beyond some 3 to 5."""
_REFUSED = (
    "The drag began, but what it was dropped on did not take it: look whether the page moved it "
    "on the way."
)


def place_of(side: str, ref: str | None, x: float | None, y: float | None) -> Place:
    """One end of a drag (``from`` or ``to``): exactly one of a ref and a point must be given.

    Raises:
        InvalidArgument: naming the field.
    """
    if ref is not None and x is None and y is None:
        return texts(f"{side}_ref", [ref])[0]
    if ref is None and x is not None and y is not None:
        return (coordinate(f"{side}_x", x), coordinate(f"{side}_y", y))
    half = ref is None and (x is not None or y is not None)
    raise InvalidArgument(
        f"Give either {side}_ref, or both {side}_x and {side}_y.",
        "A ref comes from a snapshot; points are CSS pixels of the viewport.",
        field=f"{side}_{'y' if y is None else 'x'}" if half else f"{side}_ref",
    )


async def drag(task: Task, race: Race, tab: Tab, source: Place, goal: Place) -> Done:
    """Drag from one place to another, each scrolled into view.

    The value is ``{"kind": "html5" | "pointer", "effect": ...}``: for HTML drag and drop the
    effect is what the drop became (``move``, ``copy``, ``link``, or ``none`` when it was refused).
    However it ends, no button stays pressed.
    """
    source, goal = [
        await _resolved(task, race, tab, *one) for one in (("from", source), ("to", goal))
    ]
    # The goal first: it can be reached, or the page is left as it was.
    end = await _point(task, race, tab, goal)
    into = await _witness(task, race, tab, end)
    sessions = {tab.session_id, *([into.session_id] if into is not None else ())}
    try:
        start, out_of = await _pressed(task, race, tab, source)
        if out_of is not None:
            sessions.add(out_of.session_id)
        await send_mouse(race, tab, [_moved(Point(start.x + _NUDGE, start.y + _NUDGE))])
        # What a page does when a drag begins may move the goal; and it may have to be scrolled to.
        if isinstance(goal, str):
            end = (await aim(task, race, task.refs.find(goal))).point
        for point in _way(start, end):
            await send_mouse(race, tab, [_moved(point)])
        await send_mouse(race, tab, [mouse_event("mouseReleased", end, 0, "left", 1)])
    except BaseException:
        _let_go(race, tab, sessions)
        raise
    note = await settle(task, race, tab)
    value = await _outcome(race, out_of, into)
    refused = _REFUSED if value.get("effect") == "none" else ""
    return Done(value, " ".join(filter(None, [refused, note])))


async def _pressed(
    task: Task, race: Race, tab: Tab, source: Place
) -> tuple[Point, ExecutionContext | None]:
    """Press at one place, and leave the button down: on the element that is named, or on nothing.

    The page may move it as the mouse comes; then it is aimed anew, as for a click.
    """
    for _ in range(TRIES):
        aimed = None
        if isinstance(source, str):
            bring_to_front(task, race, tab)
            found = await element_of(task, race, tab, source, field="from_ref")
            aimed = await reach(task, race, tab, found, presses=1)
        start = aimed.point if aimed is not None else await _point(task, race, tab, source)
        out_of = await _witness(task, race, tab, start)
        await send_mouse(race, tab, [_moved(start, held=False)])
        await send_mouse(race, tab, [mouse_event("mousePressed", start, 0, "left", 1, 1)])
        if aimed is None or (await begun(task, race, tab, aimed)).landed is not False:
            return start, out_of
        await send_mouse(race, tab, [mouse_event("mouseReleased", start, 0, "left", 1)])
        await landed(task, race, tab, aimed)
    raise runs_away(found)


async def _resolved(task: Task, race: Race, tab: Tab, side: str, place: Place) -> Place:
    """A place that is named by a selector as the ref of what it matches."""
    if not isinstance(place, str):
        return place
    return (await element_of(task, race, tab, place, field=f"{side}_ref")).ref


async def _point(task: Task, race: Race, tab: Tab, place: Place) -> Point:
    if isinstance(place, str):
        return await point_of(task, race, tab, place, None)
    return await point_of(task, race, tab, None, place)


def _moved(point: Point, *, held: bool = True) -> input_.DispatchMouseEvent:
    return mouse_event("mouseMoved", point, 0, "left" if held else "none", held=int(held))


def _way(start: Point, end: Point) -> Iterator[Point]:
    for step in range(1, _STEPS + 1):
        share = step / _STEPS
        yield Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
    yield end


def _let_go(race: Race, tab: Tab, sessions: Iterable[str | None]) -> None:
    """Give an unfinished drag up: outside of the viewport, where nothing takes a drop or a click.

    Not awaited: the race may be over, and the page hang.
    """
    if race.supervisor.state.health.status != "live":
        return
    race.supervisor.send(input_.CancelDragging(), tab.session_id)
    for session_id in sessions:
        race.supervisor.send(_DRAG_OVER, session_id)
    released = mouse_event("mouseReleased", _OUTSIDE, 0, "left", 1)
    race.supervisor.send(released, tab.session_id)


async def _witness(task: Task, race: Race, tab: Tab, point: Point) -> ExecutionContext | None:
    """The world of the document at a point, listening; None when it is just replaced."""
    try:
        world = (await spots(task, race, tab, point))[-1].world
        await call(race, world, "dragExpected")
    except (WorldGone, IndexError):
        return None
    return world


async def _outcome(
    race: Race, out_of: ExecutionContext | None, into: ExecutionContext | None
) -> dict[str, Any]:
    """What became of it, once the document that was dragged from knows that it is over."""
    if out_of is None:
        return {"kind": "pointer"}
    crossed = into is not None and into.session_id != out_of.session_id
    if crossed:
        await race.call(_DRAG_OVER, out_of.session_id)
    try:
        seen = await call(race, out_of, "dragSeen", _END_MS)
        if not seen["began"]:
            return {"kind": "pointer"}
        if not crossed or into is None:
            return {"kind": "html5", "effect": seen["ended"] or "none"}
        there = await call(race, into, "dragSeen", 0)
        return {"kind": "html5", "effect": there["dropped"] or "none"}
    except WorldGone:  # the drop led to another page
        return {"kind": "html5", "effect": "unknown"}
