"""Aim: from a ref to a point of the tab's viewport that really hits its element.

Frames are crossed one by one: each iframe on the way is scrolled into view, and the point is
tested in each document, so nothing that covers the element in any of them is clicked instead.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tabwarden.errors import NotInteractable, Obscured
from tabwarden.page.refs import Ref, stale
from tabwarden.page.task import Task
from tabwarden.page.walk import find_owners
from tabwarden.page.worlds import WorldGone, call
from tabwarden.supervisor import ExecutionContext, Race

__all__ = ["Point", "aim", "locate", "owners_of"]


class Point(NamedTuple):
    """Where to point the mouse: CSS pixels of the tab's viewport."""

    x: float
    y: float


class _Owner(NamedTuple):
    """An iframe element on the way to a frame: whose document it stands in, and its id there."""

    world: ExecutionContext
    local_id: int


async def locate(task: Task, race: Race, ref: Ref) -> ExecutionContext:
    """The world that knows a ref's element.

    Raises:
        StaleRef: its document or frame is gone.
    """
    if ref.frame_id not in task.state.frames:
        raise stale(ref, "its frame is gone")
    world = task.state.worlds.get(ref.frame_id)
    if world is None or world.unique_id != ref.world_id:
        raise stale(ref, "its page was left or loaded again")
    return world


async def aim(task: Task, race: Race, ref: Ref) -> Point:
    """Scroll a ref's element into view and find a point that hits it.

    Raises:
        StaleRef: the element is gone.
        NotInteractable: it has no size, is hidden or disabled.
        Obscured: something covers it; the error names what.
    """
    world = await locate(task, race, ref)
    try:
        owners = await owners_of(task, race, ref.frame_id)
        hit = _hit(await call(race, world, "aim", ref.local_id), ref)
        last, scrolled = world, hit.get("scrolled", False)
        for last, local_id in reversed(owners):
            hit = _hit(await call(race, last, "aimThrough", local_id, hit["x"], hit["y"]), ref)
            scrolled = scrolled or hit.get("scrolled", False)
        if scrolled and owners:
            # The browser finds the frame under a point by what was last drawn.
            await call(race, last, "drawn")
        return Point(float(hit["x"]), float(hit["y"]))
    except WorldGone as gone:
        raise stale(ref, "its document was replaced while it was aimed at") from gone


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
}


def _hit(found: dict[str, Any], ref: Ref) -> dict[str, Any]:
    if found["ok"]:
        return found
    reason = found["reason"]
    if reason == "gone":
        raise stale(ref, "it is no longer in the page")
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
