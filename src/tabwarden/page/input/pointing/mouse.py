"""Click or hover over a ref or a point, with trusted mouse events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from tabwarden.journal import set_on_current_call
from tabwarden.page.call import (
    bring_to_front,
    check_arrival,
    is_settled,
    note_arrival,
    refuse_if_covered,
    settle,
    target_of,
)
from tabwarden.page.elements import Aim, Point, element_of, note_point
from tabwarden.page.input.holding import parse_modifiers
from tabwarden.page.input.pointing.oopif_hit_check import reach
from tabwarden.page.input.pointing.press_guard import (
    GUARD_ANSWER_MS,
    TRIES,
    Press,
    PressOutcome,
    read_press,
    runs_away_error,
    wait_until_rests,
)
from tabwarden.page.input.pointing.viewport import inside
from tabwarden.page.task import BUTTONS, Call, Done, OptionalRef, Ref, X, Y, card
from tabwarden.page.text import quoted
from tabwarden.protocol import Empty
from tabwarden.protocol import input as input_
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import Pending, Race

Button = Literal["left", "middle", "right"]


@card(
    "click",
    about="""Click an element by ref, or a point.

    The element is scrolled into view and must not be covered. A dialog that opens is returned at
    once.""",
    permission="act",
    group="core",
    uses_input=True,
    begins_effect=False,
)
async def click(
    call: Call,
    ref: OptionalRef = None,
    *,
    x: X = None,
    y: Y = None,
    button: Annotated[Button, Field(description="The mouse button.")] = "left",
    count: Annotated[int, Field(description="2 for a double click.", ge=1, le=3)] = 1,
    modifiers: Annotated[
        Sequence[str], Field(description="Keys to hold down: Alt, Control, Meta, Shift.")
    ] = (),
) -> Done:
    """Click an element or a point. The element is scrolled into view and must not be covered.

    Args:
        ref: the element, from a snapshot.
        x, y: a point in the viewport in CSS pixels, instead of ``ref``.
        button: left, middle or right.
        count: 2 for a double click; at most 3.
        modifiers: keys to hold down during the click: Alt, Control, Meta, Shift.

    Raises:
        StaleRef, UnknownRef: the element does not exist.
        NotInteractable, Obscured: the element can't be clicked; the error says why.
        DialogPending: a dialog blocks the page.
    """
    at, modifier_bits = target_of(ref, x, y), parse_modifiers(modifiers)
    if at is not None:
        return await inside(call, at, lambda: click_at(call, at, button, count, modifier_bits))
    assert ref is not None
    bring_to_front(call)
    modifier_bits |= call.memory.held.modifiers
    element = await element_of(call, ref)
    last_point = None
    for _ in range(TRIES):
        aimed = await reach(call, element, presses=count)
        events = _click_events(aimed.point, button, count, modifier_bits)
        if aimed.point == last_point:  # moving the mouse might make the page re-render again
            del events[0]
        last_point = aimed.point
        pending = begin_mouse(call.race, call.tab, events)
        press = Press(call.race, aimed, count)
        await end_mouse(call.race, pending)
        outcome = await press.read_outcome() or await read_press(call, aimed)
        if outcome.is_hit is not False:
            is_over = is_settled(call.task, call.tab)
            if outcome.is_hit:
                note_arrival(call)
            elif outcome.is_unseen and is_over:
                await refuse_if_covered(call)
            notes = [
                *_press_notes(element, aimed, outcome),
                await settle(call, flushed=outcome.is_hit is True),
            ]
            return Done(
                note=" ".join(filter(None, notes)),
                seen=outcome.page if is_over else None,
                effects=outcome.effects or None,
            )
        await wait_until_rests(call, element, aimed)
    raise runs_away_error(element)


async def click_at(
    call: Call,
    at: tuple[float, float],
    button: Button = "left",
    count: int = 1,
    modifiers: int = 0,
) -> Done:
    """Click a point in the viewport.

    Send all events together. If each event were awaited, each would wait for a frame
    (docs/facts.md, "How input reaches a page").
    """
    bring_to_front(call)
    modifiers |= call.memory.held.modifiers
    if watch := call.memory.last_input:
        await watch.begin(call.race, at_most_ms=GUARD_ANSWER_MS)
    set_on_current_call(point=at)
    await note_point(call, at)
    await send_mouse(call.race, call.tab, _click_events(Point(*at), button, count, modifiers))
    note = await settle(call)
    await check_arrival(call)
    return Done(note=note)


def _press_notes(ref: Ref, aimed: Aim, outcome: PressOutcome) -> Iterator[str]:
    if ref.name and aimed.name and not ref.name.startswith(aimed.name.removesuffix("…")):
        # A virtual list may reuse the node for another row.
        yield (
            f"{ref.ref} was named {quoted(ref.name[:100])} in the snapshot, but "
            f"{quoted(aimed.name)} at the click."
        )
    if aimed.receiver:
        yield f"{aimed.receiver} received the click, because it fills the element."
    if outcome.is_stray:
        yield (
            "Only the first click reached the element. Then the element moved or was replaced, "
            "so Tabwarden blocked the other clicks."
        )
    elif outcome.is_clicked is False:
        yield (
            "The mouse press caused no click: the page disabled, covered or replaced the "
            "element before the release. Check whether the press alone had an effect."
        )


def _click_events(
    point: Point, button: Button, count: int, modifiers: int
) -> list[input_.DispatchMouseEvent]:
    events = [mouse_event("mouseMoved", point, modifiers)]
    for clicks in range(1, count + 1):
        for kind in ("mousePressed", "mouseReleased"):
            buttons = BUTTONS[button] if kind == "mousePressed" else 0
            events.append(mouse_event(kind, point, modifiers, button, clicks, buttons))
    return events


@card(
    "hover",
    about="Move the mouse over an element or a point.",
    permission="act",
    group="pages",
    destructive=False,
    idempotent=True,
    uses_input=True,
    awaits_requests=False,
)
async def hover(call: Call, ref: OptionalRef = None, *, x: X = None, y: Y = None) -> None:
    """Move the mouse over an element, which is scrolled into view, or over a point.

    Args:
        ref: the element, from a snapshot.
        x, y: a point in the viewport in CSS pixels, instead of ``ref``.

    Raises:
        StaleRef, UnknownRef, NotInteractable, Obscured, DialogPending: as for ``click``.
    """
    at = target_of(ref, x, y)

    async def move() -> None:
        point = await point_of(call, ref, at)
        await send_mouse(call.race, call.tab, [mouse_event("mouseMoved", point, 0)])
        await check_arrival(call)

    await inside(call, at, move)


async def point_of(call: Call, ref: str | None, at: tuple[float, float] | None) -> Point:
    """Bring the tab to the front, scroll a ref's element into view, and return the point."""
    bring_to_front(call)
    if ref is not None:
        return (await reach(call, await element_of(call, ref))).point
    assert at is not None
    await note_point(call, at)
    return Point(*at)


def mouse_event(
    kind: Literal["mouseMoved", "mousePressed", "mouseReleased"] | str,
    point: Point,
    modifiers: int,
    button: str = "none",
    clicks: int = 0,
    buttons: int = 0,
) -> input_.DispatchMouseEvent:
    """Return a mouse event at a point. ``buttons`` is a bit field of the pressed buttons."""
    return input_.DispatchMouseEvent(
        type=kind,  # type: ignore[arg-type]
        x=point.x,
        y=point.y,
        modifiers=modifiers,
        button=button,
        click_count=clicks,
        buttons=buttons,
    )


async def send_mouse(race: Race, tab: Tab, events: list[input_.DispatchMouseEvent]) -> None:
    """Send mouse events together and wait until the page has handled them."""
    await end_mouse(race, begin_mouse(race, tab, events))


def begin_mouse(
    race: Race, tab: Tab, events: list[input_.DispatchMouseEvent]
) -> list[Pending[Empty]]:
    # Send the events to the tab's session, in viewport coordinates. The browser routes each event
    # to the frame under the point, even to an out-of-process frame.
    return [race.start(event, tab.session_id) for event in events]


async def end_mouse(race: Race, pending: list[Pending[Empty]]) -> None:
    for event in pending:
        await race.result(event)
