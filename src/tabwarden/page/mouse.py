"""The mouse: click, hover, at a ref or a point, as trusted input events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from tabwarden.page.aim import Aimed, Point
from tabwarden.page.element import element_of
from tabwarden.page.front import bring_to_front
from tabwarden.page.line import quoted
from tabwarden.page.press import TRIES, Press, Went, landed, runs_away
from tabwarden.page.reach import reach
from tabwarden.page.refs import Ref
from tabwarden.page.result import Done
from tabwarden.page.settle import is_settled, settle
from tabwarden.page.task import Task
from tabwarden.protocol import Empty
from tabwarden.protocol import input as input_
from tabwarden.supervisor import Pending, Race, Tab

__all__ = ["Button", "click", "hover", "mouse_event", "point_of", "send_mouse"]

Button = Literal["left", "middle", "right"]
_HELD = {"left": 1, "right": 2, "middle": 4}


async def click(
    task: Task,
    race: Race,
    tab: Tab,
    *,
    ref: str | None = None,
    at: tuple[float, float] | None = None,
    button: Button = "left",
    count: int = 1,
    modifiers: int = 0,
) -> Done:
    """Click an element, checked to be visible and not covered, or a point of the viewport.

    All events go out together: awaited one by one each would wait for a frame (FINDINGS 2).
    """
    bring_to_front(task, race, tab)
    if ref is None:
        assert at is not None
        await send_mouse(race, tab, _clicks(Point(*at), button, count, modifiers))
        return Done(note=await settle(task, race, tab))
    found = await element_of(task, race, tab, ref)
    stands = None
    for _ in range(TRIES):
        aimed = await reach(task, race, tab, found, presses=count)
        events = _clicks(aimed.point, button, count, modifiers)
        if aimed.point == stands:  # a page that is drawn anew at each move would be so again
            del events[0]
        stands = aimed.point
        sent = begin_mouse(race, tab, events)
        press = Press(race, aimed, count)
        await end_mouse(race, sent)
        went = await press.told() or await landed(task, race, tab, aimed)
        if went.landed is not False:
            is_over = is_settled(task, tab)
            notes = [
                *_notes(found, aimed, went),
                await settle(task, race, tab, flushed=went.landed is True),
            ]
            return Done(note=" ".join(filter(None, notes)), seen=went.seen if is_over else None)
    raise runs_away(found)


def _notes(ref: Ref, aimed: Aimed, went: Went) -> Iterator[str]:
    if ref.name and aimed.name and not ref.name.startswith(aimed.name.removesuffix("…")):
        # The same node: lists that scroll give a row's to another.
        yield (
            f"{ref.ref} was called {quoted(ref.name[:100])} when it was read, and "
            f"{quoted(aimed.name)} when it was clicked."
        )
    if aimed.taken_by:
        yield f"It has no spot of its own: the click went to {aimed.taken_by} in it."
    if went.strayed:
        yield (
            "Only the first click went to it: that moved or replaced it, so the rest was kept back."
        )
    elif went.clicked is False:
        yield (
            "It was pressed, but no click came of it: the page disabled, covered or replaced it "
            "before the button was released. Look what the press alone has done."
        )


def _clicks(
    point: Point, button: Button, count: int, modifiers: int
) -> list[input_.DispatchMouseEvent]:
    events = [mouse_event("mouseMoved", point, modifiers)]
    for clicks in range(1, count + 1):
        for kind in ("mousePressed", "mouseReleased"):
            held = _HELD[button] if kind == "mousePressed" else 0
            events.append(mouse_event(kind, point, modifiers, button, clicks, held))
    return events


async def hover(
    task: Task,
    race: Race,
    tab: Tab,
    *,
    ref: str | None = None,
    at: tuple[float, float] | None = None,
) -> None:
    """Move the mouse over an element or a point."""
    point = await point_of(task, race, tab, ref, at)
    await send_mouse(race, tab, [mouse_event("mouseMoved", point, 0)])


async def point_of(
    task: Task, race: Race, tab: Tab, ref: str | None, at: tuple[float, float] | None
) -> Point:
    """Where to point for a ref, brought into reach, or at a point; the tab comes to the front.

    Raises:
        StaleRef, NotInteractable, Obscured: as ``reach``.
    """
    bring_to_front(task, race, tab)
    if ref is not None:
        return (await reach(task, race, tab, await element_of(task, race, tab, ref))).point
    assert at is not None
    return Point(*at)


def mouse_event(
    kind: Literal["mouseMoved", "mousePressed", "mouseReleased"] | str,
    point: Point,
    modifiers: int,
    button: str = "none",
    clicks: int = 0,
    held: int = 0,
) -> input_.DispatchMouseEvent:
    """A mouse event at a point; ``held`` is the bit field of the buttons that are down."""
    return input_.DispatchMouseEvent(
        type=kind,  # type: ignore[arg-type]
        x=point.x,
        y=point.y,
        modifiers=modifiers,
        button=button,
        click_count=clicks,
        buttons=held,
    )


async def send_mouse(race: Race, tab: Tab, events: list[input_.DispatchMouseEvent]) -> None:
    """Send mouse events together, and wait until the page has handled them."""
    await end_mouse(race, begin_mouse(race, tab, events))


def begin_mouse(
    race: Race, tab: Tab, events: list[input_.DispatchMouseEvent]
) -> list[Pending[Empty]]:
    """Send mouse events together."""
    # Always to the page's own session, in its viewport's coordinates: the browser routes the
    # event to the frame under the point, out-of-process or not.
    return [race.start(event, tab.session_id) for event in events]


async def end_mouse(race: Race, sent: list[Pending[Empty]]) -> None:
    """Wait until the page has handled mouse events that were sent."""
    for event in sent:
        await race.result(event)
