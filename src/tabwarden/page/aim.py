"""Aim: from a ref to a point of the tab's viewport that really hits its element.

Frames are crossed one by one: each iframe on the way is scrolled into view, and the point is
tested in each document, so nothing that covers the element in any of them is clicked instead.
What may pass (something covers it, it is disabled, it slides in) is waited for, for a moment.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from tabwarden.errors import NotInteractable, Obscured
from tabwarden.page.heal import Gone, healing, locate
from tabwarden.page.line import token
from tabwarden.page.refs import Ref, stale
from tabwarden.page.task import Task
from tabwarden.page.walk import find_owners
from tabwarden.page.worlds import WorldGone, call, start, value_of
from tabwarden.supervisor import ExecutionContext, Race

__all__ = ["Aimed", "Point", "aim", "box", "locate", "obscured", "owners_of"]

_PASSING = {"obscured", "disabled", "moving", "outside", "zero_size", "mouse_proof"}
_PATIENCE_MS = 1_000.0
"""How long what may pass is waited for: a cover that fades, a button that a check enables."""
_PATIENCE_SHARE = 0.3


class Point(NamedTuple):
    """Where to point the mouse: CSS pixels of the tab's viewport."""

    x: float
    y: float


class Aimed(NamedTuple):
    """Where an element is hit."""

    point: Point
    worlds: tuple[ExecutionContext, ...]
    """Of its own frame, and of each around it."""
    taken_by: str = ""
    """What in it takes a press, where it has no spot of its own: role, name and ref."""
    name: str = ""
    """What the element is called now, in short, if it is to be pressed."""


class _Owner(NamedTuple):
    """An iframe element on the way to a frame: whose document it stands in, and its id there."""

    world: ExecutionContext
    local_id: int


async def aim(task: Task, race: Race, ref: Ref, *, presses: int = 0, patient: bool = True) -> Aimed:
    """Scroll a ref's element into view and find a point that hits it.

    Args:
        task, race: whose.
        ref: the element.
        presses: so many are to follow, on it and on nothing in it that takes clicks for itself;
            one that lands elsewhere is kept from the page (``press.landed``).
        patient: wait for what may pass.

    Raises:
        StaleRef: the element is gone.
        NotInteractable: it has no size, is hidden or disabled.
        Obscured: something covers it; the error names what.
    """

    async def aimed(ref: Ref, world: ExecutionContext) -> Aimed:
        return await _aimed(task, race, ref, world, presses=presses, patient=patient)

    _, found = await healing(task, race, ref, aimed)
    return cast("Aimed", found)


async def _aimed(
    task: Task, race: Race, ref: Ref, world: ExecutionContext, *, presses: int, patient: bool
) -> Aimed:
    try:
        owners = await owners_of(task, race, ref.frame_id)
        how = (ref.local_id, presses, not owners)
        hit = await call(race, world, "aim", *how)
        if patient and hit.get("reason") in _PASSING:
            hit = await call(race, world, "aimLater", *how, _patience(race))
        _check(task, ref, world, hit)
        name = hit.get("name", "")
        taken_by = _named(_shown(task, ref, world, hit["by"])) if hit.get("by") else ""
        around, scrolled = world, hit.get("scrolled", False)
        for around, local_id in reversed(owners):
            through = (local_id, hit["x"], hit["y"])
            hit = await call(race, around, "aimThrough", *through)
            if patient and hit.get("reason") in _PASSING:
                hit = await call(race, around, "aimThroughLater", *through, _patience(race))
            _check(task, ref, around, hit)
            scrolled = scrolled or hit.get("scrolled", False)
        if scrolled and owners:
            # The browser finds the frame under a point by what was last drawn.
            await call(race, around, "drawn")
        worlds = (world, *(owner.world for owner in reversed(owners)))
        if presses and owners:  # once it is sure that there will be a press
            meant = [ref.local_id, *(None for _ in owners)]
            told = [
                start(race, one, "pressExpected", local_id, presses)
                for one, local_id in zip(worlds, meant, strict=True)
            ]
            for one in told:
                await value_of(race, one)
        return Aimed(Point(float(hit["x"]), float(hit["y"])), worlds, taken_by, name)
    except WorldGone as gone:
        raise stale(ref, "its document was replaced while it was aimed at") from gone


def _patience(race: Race) -> float:
    return round(min(_PATIENCE_MS, race.budget.remaining_ms() * _PATIENCE_SHARE))


async def box(task: Task, race: Race, ref: Ref) -> tuple[float, float, float, float]:
    """Where an element stands in the tab's viewport: ``x, y, width, height`` in CSS pixels."""
    _, (x, y, width, height) = await healing(
        task, race, ref, lambda ref, world: _boxed(task, race, ref, world)
    )
    return x, y, width, height


async def _boxed(
    task: Task, race: Race, ref: Ref, world: ExecutionContext
) -> tuple[float, float, float, float]:
    try:
        owners = await owners_of(task, race, ref.frame_id)
        for owner in owners:
            await call(race, owner.world, "revealedBox", owner.local_id)
        own = await call(race, world, "revealedBox", ref.local_id)
        if own is None:
            raise Gone
        x, y, width, height = own["x"], own["y"], own["width"], own["height"]
        for owner in reversed(owners):
            frame = await call(race, owner.world, "frameBox", owner.local_id)
            x = frame["contentX"] + x * frame["scaleX"]
            y = frame["contentY"] + y * frame["scaleY"]
            width, height = width * frame["scaleX"], height * frame["scaleY"]
        return x, y, width, height
    except WorldGone as gone:
        raise stale(ref, "its document was replaced while it was measured") from gone


async def owners_of(task: Task, race: Race, frame_id: str) -> list[_Owner]:
    """The iframe elements from the top document down to a frame."""
    owners: list[_Owner] = []
    frame = task.state.frames.get(frame_id)
    while frame is not None and frame.parent_frame_id is not None:
        owners.append(await _owner(task, race, frame.frame_id, frame.parent_frame_id))
        frame = task.state.frames.get(frame.parent_frame_id)
    return owners[::-1]


async def _owner(task: Task, race: Race, frame_id: str, parent_frame_id: str) -> _Owner:
    world = await task.worlds.of(race, parent_frame_id)
    known = task.owners.get(frame_id)
    if known is None or known[1] != world.unique_id:
        await find_owners(task, race, parent_frame_id)
        known = task.owners.get(frame_id)
    if known is None or known[1] != world.unique_id:
        raise WorldGone
    return _Owner(world, known[2])


_MISSES = {
    "hidden": "is hidden",
    "zero_size": "has no size",
    "disabled": "is disabled",
    "outside": "can't be scrolled into view",
    "moving": "is moving",
    "mouse_proof": "lets the mouse through (pointer-events: none)",
}


def _check(task: Task, ref: Ref, world: ExecutionContext, found: dict[str, Any]) -> None:
    """Raise why there is no point that hits, if there is none."""
    if found["ok"]:
        return
    reason = found["reason"]
    if reason == "gone":
        raise Gone
    if reason == "obscured":
        raise obscured(task, ref, world, found["by"])
    raise NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) {_MISSES[reason]}.",
        "Take a new snapshot: something else may have to be done first.",
        ref=ref.ref,
        reason=reason,
    )


def obscured(
    task: Task,
    ref: Ref,
    world: ExecutionContext,
    by: dict[str, Any],
    *,
    how: str = "is covered by",
) -> Obscured:
    """The error for an element that another is in the way of; it names that, and its buttons."""
    cover = _shown(task, ref, world, by)
    buttons = [_shown(task, ref, world, one) for one in by["buttons"]]
    in_it = ", ".join(f"{one['ref']} ({one['role']} {one['name'][:60]!r})" for one in buttons)
    return Obscured(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) {how} {_named(cover)}.",
        "Close or move what covers it (a banner, a dialog of the page), or scroll."
        + (f" It has {in_it}." if in_it else ""),
        ref=ref.ref,
        by={**cover, "buttons": buttons},
    )


def _shown(
    task: Task, ref: Ref, world: ExecutionContext, element: dict[str, Any]
) -> dict[str, Any]:
    """What is in an element's way, or in it, with a ref."""
    role, name = element["role"], element["name"]
    given = task.refs.assign(
        world.unique_id,
        element["id"],
        role=role or "generic",
        name=name,
        tab_id=ref.tab_id,
        frame_id=world.frame_id,
    )
    return {"ref": given, "role": role, "name": name, "tag": element["tag"]}


def _named(element: dict[str, Any]) -> str:
    name = f" {element['name'][:200]!r}" if element["name"] else ""
    return f"{element['role'] or token(element['tag'])}{name} ({element['ref']})"
