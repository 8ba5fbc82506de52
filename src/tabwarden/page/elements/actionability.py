"""Turn a ref into a point in the tab's viewport where the mouse hits the ref's element.

Tabwarden scrolls the element and each iframe around it into view, and tests the point in each
document, so that the mouse never hits an element that covers the target. If an obstacle may
disappear (a cover, a disabled state, a slide-in animation), Tabwarden waits briefly.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple, cast

from tabwarden.errors import NotInteractable, Obscured
from tabwarden.page.elements.carousels import aim_at_drawn
from tabwarden.page.elements.heal import ElementGone, healing
from tabwarden.page.elements.obstacles import buttons_to_list, closes, obstacle_of, patience_ms
from tabwarden.page.elements.timing import SLICE_MS
from tabwarden.page.elements.walk import owners_of
from tabwarden.page.task import Call, Ref, Task, stale
from tabwarden.page.text import token
from tabwarden.page.walker import WorldGone, call_walker, start, value_of
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import Race

_PATIENCE_SHARE = 0.85
"""The share of the remaining budget that a wait for an obstacle may take. With this share, the
default budget of a click is enough for the full wait (``PASSING_MS``)."""


Box = tuple[float, float, float, float]
"""``x, y, width, height``, in CSS pixels."""


class Point(NamedTuple):
    """A point in the tab's viewport, in CSS pixels."""

    x: float
    y: float


class Aim(NamedTuple):
    """A point where the mouse hits an element."""

    point: Point
    worlds: tuple[ExecutionContext, ...]
    """The worlds of the element's frame and of the surrounding frames, innermost first."""
    receiver: str = ""
    """Role, name and ref of the child that receives the click, if children cover the whole
    element."""
    name: str = ""
    """The element's current short name. It is set only if the element will be pressed."""


async def aim(call: Call, ref: Ref, *, presses: int | None = 0, patient: bool = True) -> Aim:
    """Scroll a ref's element into view and find a point where the mouse hits it.

    Args:
        presses: how many presses will follow. If any will, the point avoids child elements that
            handle clicks themselves, and a press that would miss is blocked
            (``press_guard.landed``). None if the mouse only hovers, scrolls or drops, so that the
            element may be disabled.
        patient: whether to wait for obstacles that may disappear.

    Raises:
        StaleRef: the element is gone.
        NotInteractable: the element has no size, is hidden or is disabled.
        Obscured: something covers the element; the error names the cover.
    """

    async def attempt(ref: Ref, world: ExecutionContext) -> Aim:
        return await _aim_at(call, ref, world, presses=presses, patient=patient)

    _, result = await healing(call, ref, attempt)
    return cast("Aim", result)


async def _aim_at(
    call: Call, ref: Ref, world: ExecutionContext, *, presses: int | None, patient: bool
) -> Aim:
    try:
        owners = await owners_of(call, ref.frame_id)
        arguments = (ref.local_id, presses, not owners)
        hit = await call_walker(call.race, world, "aim", *arguments)
        if hit.get("reason") == "drawn":
            hit = await aim_at_drawn(
                call.race, world, ref.local_id, hit["node"], presses, expects=not owners
            )
        elif patient:
            hit = await wait_for_obstacle(call.race, world, hit, "aimLater", *arguments)
        _check(call.task, ref, world, hit)
        name = hit.get("name", "")
        receiver = ""
        if hit.get("by"):
            receiver = _name_of(describe_element(call.task, ref, world, hit["by"]))
        around, scrolled = world, hit.get("scrolled", False)
        for around, local_id in reversed(owners):
            through = (local_id, hit["x"], hit["y"])
            hit = await call_walker(call.race, around, "aimThrough", *through)
            if patient:
                hit = await wait_for_obstacle(call.race, around, hit, "aimThroughLater", *through)
            _check(call.task, ref, around, hit)
            scrolled = scrolled or hit.get("scrolled", False)
        if scrolled and owners:
            # The browser uses the last painted image to find the frame under a point, so wait until
            # the page is painted.
            await call_walker(call.race, around, "drawn")
        worlds = (world, *(owner.world for owner in reversed(owners)))
        if presses and owners:  # every document passed, so the presses will be sent
            local_ids = [ref.local_id, *(None for _ in owners)]
            pending = [
                start(call.race, one, "pressExpected", local_id, presses)
                for one, local_id in zip(worlds, local_ids, strict=True)
            ]
            for one in pending:
                await value_of(call.race, one)
        return Aim(Point(float(hit["x"]), float(hit["y"])), worlds, receiver, name)
    except WorldGone as error:
        raise stale(ref, "its document was replaced during the action") from error


async def wait_for_obstacle(
    race: Race, world: ExecutionContext, hit: dict[str, Any], function: str, *arguments: Any
) -> dict[str, Any]:
    """Wait for an obstacle that may disappear, and return the last hit.

    ``function`` is the walker function that waits. Its last two arguments are the time to wait, in
    milliseconds, and whether this is the last wait.
    """
    began, is_final = time.monotonic(), True
    limit_ms = race.budget.remaining_ms() * _PATIENCE_SHARE
    while "obstacle" in hit:
        waited_ms = (time.monotonic() - began) * 1000
        frame = race.supervisor.state.frames.get(world.frame_id)
        requests = frame is not None and "networkIdle" not in frame.lifecycle
        patience = patience_ms(obstacle_of(hit), waited_ms, requests=requests)
        left_ms = min(patience, limit_ms - waited_ms)
        if left_ms <= 0 and is_final:
            break
        is_final = left_ms <= SLICE_MS
        slice_ms = max(0, round(min(left_ms, SLICE_MS)))
        hit = await call_walker(race, world, function, *arguments, slice_ms, is_final)
    return hit


async def box(call: Call, ref: Ref) -> Box:
    """Return an element's ``x, y, width, height`` in the tab's viewport, in CSS pixels."""
    _, (x, y, width, height) = await healing(
        call, ref, lambda ref, world: _box_in_tab(call, ref, world)
    )
    return x, y, width, height


async def _box_in_tab(call: Call, ref: Ref, world: ExecutionContext) -> Box:
    try:
        owners = await owners_of(call, ref.frame_id)
        for owner in owners:
            await call_walker(call.race, owner.world, "revealedBox", owner.local_id)
        own = await call_walker(call.race, world, "revealedBox", ref.local_id)
        if own is None:
            raise ElementGone
        in_tab = (own["x"], own["y"], own["width"], own["height"])
        for owner in reversed(owners):
            frame = await call_walker(call.race, owner.world, "frameBox", owner.local_id)
            in_tab = outside_frame(in_tab, frame)
        return in_tab
    except WorldGone as error:
        raise stale(ref, "its document was replaced during the action") from error


def outside_frame(box: Box, frame: dict[str, float]) -> Box:
    """Convert a box from a frame's viewport to the parent document's viewport."""
    x, y, width, height = box
    across, down = frame["scaleX"], frame["scaleY"]
    return (
        frame["contentX"] + x * across,
        frame["contentY"] + y * down,
        width * across,
        height * down,
    )


_PROBLEMS = {
    "hidden": "is hidden",
    "zero_size": "has no size",
    "disabled": "is disabled",
    "outside": "can't be scrolled into view",
    "moving": "is moving",
    "clipped": "is clipped by a container: open the container first",
    "inert": "is inert: the page currently blocks interaction with it",
    "unready": "ignores clicks at the moment, because the browser does not trust its place or look",
    "pointer_locked": "gets no clicks, because the page has locked the mouse pointer: press Escape "
    "to release it",
    "mouse_proof": "ignores the mouse (pointer-events: none)",
}


def _check(task: Task, ref: Ref, world: ExecutionContext, hit: dict[str, Any]) -> None:
    if hit["ok"]:
        return
    reason = hit["reason"]
    if reason == "gone":
        raise ElementGone
    if reason == "obscured":
        raise obscured_error(task, ref, world, hit["by"])
    why = f" ({token(hit['why'])})" if hit.get("why") else ""
    raise not_interactable_error(ref, _PROBLEMS[reason] + why, reason)


def not_interactable_error(ref: Ref, why: str, reason: str) -> NotInteractable:
    """Return the error for an element that a person could not use at the moment."""
    return NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) {why}.",
        "Take a new snapshot: another step may be needed first.",
        ref=ref.ref,
        reason=reason,
    )


def obscured_error(
    task: Task,
    ref: Ref,
    world: ExecutionContext,
    element: dict[str, Any],
    *,
    problem: str = "is covered by",
) -> Obscured:
    """Return the error for a covered element. The error lists the cover and its buttons."""
    cover = describe_element(task, ref, world, element)
    buttons = [
        describe_element(task, ref, world, one) for one in buttons_to_list(element["buttons"])
    ]
    closer = next((one for one in buttons if closes(one)), None)
    hint, has = (
        "Close or move the covering element (such as a banner or a dialog on the page), or scroll.",
        "contains",
    )
    if closer is not None:
        hint = (
            f"Close the covering element with {closer['ref']} ({closer['role']} "
            f"{closer['name'][:60]!r})."
        )
        has = "also contains"
    in_it = ", ".join(
        f"{one['ref']} ({one['role']} {one['name'][:60]!r})" for one in buttons if one is not closer
    )
    return Obscured(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) {problem} {_name_of(cover)}.",
        hint + (f" The covering element {has} {in_it}." if in_it else ""),
        ref=ref.ref,
        by={**cover, "buttons": buttons},
    )


def describe_element(
    task: Task, ref: Ref, world: ExecutionContext, element: dict[str, Any]
) -> dict[str, Any]:
    """Assign a ref to an element and return its description."""
    role, name = element["role"], element["name"]
    ref_id = task.refs.assign(
        world.unique_id,
        element["id"],
        role=role or "generic",
        name=name,
        tab_id=ref.tab_id,
        frame_id=world.frame_id,
    )
    return {"ref": ref_id, "role": role, "name": name, "tag": element["tag"]}


def _name_of(element: dict[str, Any]) -> str:
    name = f" {element['name'][:200]!r}" if element["name"] else ""
    return f"{element['role'] or token(element['tag'])}{name} ({element['ref']})"
