"""Aim: from a ref to a point of the tab's viewport that really hits its element.

Frames are crossed one by one: each iframe on the way is scrolled into view, and the point is
tested in each document, so nothing that covers the element in any of them is clicked instead.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tabwarden.errors import NotInteractable, Obscured
from tabwarden.page.heal import Gone, healing, locate
from tabwarden.page.refs import Ref, stale
from tabwarden.page.task import Task
from tabwarden.page.walk import find_owners
from tabwarden.page.worlds import WorldGone, call
from tabwarden.supervisor import ExecutionContext, Race

__all__ = ["Point", "aim", "box", "locate"]


class Point(NamedTuple):
    """Where to point the mouse: CSS pixels of the tab's viewport."""

    x: float
    y: float


class _Owner(NamedTuple):
    """An iframe element on the way to a frame: whose document it stands in, and its id there."""

    world: ExecutionContext
    local_id: int


async def aim(task: Task, race: Race, ref: Ref) -> Point:
    """Scroll a ref's element into view and find a point that hits it.

    Raises:
        StaleRef: the element is gone.
        NotInteractable: it has no size, is hidden or disabled.
        Obscured: something covers it; the error names what.
    """
    _, point = await healing(task, race, ref, lambda ref, world: _aimed(task, race, ref, world))
    return Point(*point)


async def _aimed(task: Task, race: Race, ref: Ref, world: ExecutionContext) -> tuple[float, float]:
    try:
        owners = await _owners_of(task, race, ref.frame_id)
        hit = _hit(await call(race, world, "aim", ref.local_id), ref)
        last, scrolled = world, hit.get("scrolled", False)
        for last, local_id in reversed(owners):
            hit = _hit(await call(race, last, "aimThrough", local_id, hit["x"], hit["y"]), ref)
            scrolled = scrolled or hit.get("scrolled", False)
        if scrolled and owners:
            # The browser finds the frame under a point by what was last drawn.
            await call(race, last, "drawn")
        return float(hit["x"]), float(hit["y"])
    except WorldGone as gone:
        raise stale(ref, "its document was replaced while it was aimed at") from gone


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
        owners = await _owners_of(task, race, ref.frame_id)
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


async def _owners_of(task: Task, race: Race, frame_id: str) -> list[_Owner]:
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
}


def _hit(found: dict[str, Any], ref: Ref) -> dict[str, Any]:
    if found["ok"]:
        return found
    reason = found["reason"]
    if reason == "gone":
        raise Gone
    if reason == "obscured":
        raise _obscured(ref, found["by"])
    raise NotInteractable(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) {_MISSES[reason]}.",
        "Take a new snapshot: something else may have to be done first.",
        ref=ref.ref,
        reason=reason,
    )


def _obscured(ref: Ref, by: dict[str, Any]) -> Obscured:
    name = f" {by['name'][:200]!r}" if by.get("name") else ""
    return Obscured(
        f"{ref.ref} ({ref.role} {ref.name[:200]!r}) is covered by {by.get('role') or by['tag']}"
        f"{name}.",
        "Close or move what covers it (a banner, a dialog of the page), or scroll.",
        ref=ref.ref,
        by=by,
    )
