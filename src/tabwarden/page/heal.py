"""Heal: a ref whose element is gone names what that was rendered again as, if that is sure.

The walker decides (``js/heal.js``); what is not sure is refused, and what looks nearest is named by
refs that can be used at once.
"""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable
from typing import Any

from tabwarden.errors import BudgetExceeded, FrameNotFound, TargetCrashed
from tabwarden.page.refs import Ref, stale
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call, element
from tabwarden.protocol import dom
from tabwarden.supervisor import CommandRefused, ExecutionContext, Interrupted, Race

__all__ = ["Gone", "heal", "healing", "locate", "node_of"]

_NEAREST = 3
_LEAST_ALIKE = 0.5
_LOOK_MS = 1_000.0
"""How long the error for a ref may look for what is near."""


class Gone(Exception):
    """The element of a ref is not in the page (any more), and nothing was done yet."""


async def locate(task: Task, race: Race, ref: Ref) -> ExecutionContext:
    """The world that knows a ref's element.

    Raises:
        StaleRef: its document or frame is gone.
    """
    if ref.frame_id not in task.state.frames:
        raise stale(ref, "its frame is gone")
    world = task.state.worlds.get(ref.frame_id)
    if world is None or world.unique_id != ref.world_id:
        near = await _nearest_now(task, race, ref)
        raise stale(ref, "its page was left or loaded again", near)
    return world


async def healing(
    task: Task, race: Race, ref: Ref, attempt: Callable[[Ref, ExecutionContext], Awaitable[Any]]
) -> tuple[Ref, Any]:
    """What ``attempt(ref, world)`` gives, and the ref that it was given for; it is tried once more
    with a ref that was healed when the first try raises ``Gone``.

    Raises:
        StaleRef: there is no such element, or no longer.
    """
    ref = task.refs.now(ref)
    world = await locate(task, race, ref)
    try:
        return ref, await attempt(ref, world)
    except Gone:
        ref = await heal(task, race, ref)
    try:
        return ref, await attempt(ref, world)
    except Gone:
        raise stale(ref, "it is no longer in the page") from None


async def heal(task: Task, race: Race, ref: Ref) -> Ref:
    """The same ref, naming the element that stands there now in the place of its own.

    Raises:
        StaleRef: no element does for sure; the error names the nearest.
    """
    world = await locate(task, race, ref)
    try:
        found = await call(race, world, "heal", ref.local_id, ref.role, ref.name)
    except WorldGone as gone:
        raise stale(ref, "its document was replaced") from gone
    if "id" not in found:
        unsure = ", and nothing there is surely the same" if found["alike"] else ""
        near = _nearest(task, ref, world, found["near"], found["around"])
        raise stale(ref, f"it is no longer in the page{unsure}", near)
    if found["id"] == ref.local_id:
        return ref
    healed = task.refs.move(ref, found["id"])
    task.handles.drop(ref.ref)
    race.notes.append(f"{ref.ref} was rendered again and found by its name.")
    await node_of(task, race, healed, world)
    return task.refs.now(healed)


async def node_of(task: Task, race: Race, ref: Ref, world: ExecutionContext) -> int:
    """The ``backendNodeId`` of a ref's element.

    Raises:
        Gone: it is not in the page.
    """
    try:
        object_id = await element(race, world, ref.local_id)
        if object_id is None:
            raise Gone
        described = await race.call(dom.DescribeNode(object_id=object_id), world.session_id)
    except WorldGone as gone:
        raise stale(ref, "its document was replaced") from gone
    except CommandRefused as refused:
        raise Gone from refused
    node_id = described.node.backend_node_id
    task.refs.learn(ref, node_id)
    return node_id


async def _nearest_now(task: Task, race: Race, ref: Ref) -> list[dict[str, Any]]:
    """What is nearest in the document that stands in a ref's frame now; nothing when that does not
    answer soon."""
    budget = race.budget.child(at_most_ms=_LOOK_MS)
    try:
        with Race(task.supervisor, budget, race.tab_id) as inner:
            world = await task.worlds.of(inner, ref.frame_id)
            found = await call(inner, world, "nearest", ref.role, ref.name)
    except (BudgetExceeded, FrameNotFound, Interrupted, TargetCrashed, WorldGone):
        return []
    return _nearest(task, ref, world, found["near"], "")


def _nearest(
    task: Task, ref: Ref, world: ExecutionContext, near: list[dict[str, Any]], around: str
) -> list[dict[str, Any]]:
    def likeness(one: dict[str, Any]) -> tuple[float, float]:
        beside = _alike(one["beside"], around) if around else 0.0
        return _alike(one["name"], ref.name), beside

    alike = [(likeness(one), one) for one in near]
    alike = [one for one in alike if one[0][0] >= _LEAST_ALIKE]
    alike.sort(key=lambda one: one[0], reverse=True)
    return [
        {
            "ref": task.refs.assign(
                world.unique_id,
                one["id"],
                role=ref.role,
                name=one["name"],
                tab_id=ref.tab_id,
                frame_id=ref.frame_id,
            ),
            "role": ref.role,
            "name": one["name"],
            "frame_id": ref.frame_id,
            "beside": one["beside"],
        }
        for _, one in alike[:_NEAREST]
    ]


def _alike(a: str, b: str) -> float:
    return difflib.SequenceMatcher(None, a.lower()[:200], b.lower()[:200]).ratio()
