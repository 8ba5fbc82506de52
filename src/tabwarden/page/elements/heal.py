"""After a page has re-rendered an element, find the new version of the element if the match is
certain.

The walker decides whether the match is certain (``js/find/heal.js``). If the match is not certain,
the error lists the most similar elements, with refs that the agent can use at once.
"""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable
from typing import Any

from tabwarden.errors import BudgetExceeded, FrameNotFound, TargetCrashed
from tabwarden.page.elements.element import element_of
from tabwarden.page.elements.locators import note_locators
from tabwarden.page.elements.timing import SUGGEST_MS
from tabwarden.page.task import Call, Ref, Task, stale
from tabwarden.page.walker import WorldGone, call_walker, element
from tabwarden.protocol import dom
from tabwarden.supervisor.core.handlers import descendants
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import CommandRefused, Interrupted, Race

_MAX_SUGGESTIONS = 3
_LEAST_ALIKE = 0.5
_TRIES = 4


class ElementGone(Exception):
    """The ref's element is no longer in the page. The action has not changed the page yet."""


async def locate(call: Call, ref: Ref) -> ExecutionContext:
    """Return the world of the ref's element. Raise ``StaleRef`` if the document is gone."""
    if ref.frame_id not in call.state.frames:
        raise stale(ref, "its frame is gone")
    world = call.state.worlds.get(ref.frame_id)
    if world is None or world.unique_id != ref.world_id:
        near = await _nearest_now(call, ref)
        raise stale(ref, "its page was closed or reloaded, or navigated away", near)
    return world


async def healing(
    call: Call, ref: Ref, attempt: Callable[[Ref, ExecutionContext], Awaitable[Any]]
) -> tuple[Ref, Any]:
    """Return the ref and the result of ``attempt(ref, world)``.

    If the attempt raises ``ElementGone``, heal the ref, or search for its selector, and try again.

    Raises:
        StaleRef: the element no longer exists.
    """
    selector = ref.selector
    for _ in range(_TRIES):
        ref = call.task.refs.now(ref)
        world = await locate(call, ref)
        try:
            return ref, await attempt(ref, world)
        except ElementGone:
            ref = await (element_of(call, selector, hidden=True) if selector else heal(call, ref))
    raise stale(ref, "the page keeps re-rendering it")


async def heal(call: Call, ref: Ref) -> Ref:
    """Make a ref point to the element that replaced its old element, and return the updated ref.

    Raises:
        StaleRef: no element matches with certainty; the error lists the most similar elements.
    """
    world = await locate(call, ref)
    try:
        reply = await call_walker(call.race, world, "heal", ref.local_id, ref.role, ref.name)
    except WorldGone as error:
        raise stale(ref, "its document was replaced") from error
    if "id" not in reply:
        unsure = ", and no similar element is a certain match" if reply["alike"] else ""
        near = _nearest(call.task, ref, world, reply["near"], reply["around"])
        raise stale(ref, f"it is no longer in the page{unsure}", near)
    if reply["id"] == ref.local_id:
        return ref
    healed = call.task.refs.move(ref, reply["id"])
    call.task.handles.drop(ref.ref)
    note = f"{ref.ref} was re-rendered. Tabwarden found the new element by its name."
    if note not in call.race.notes:
        call.race.notes.append(note)
    await node_of(call, healed, world)
    if call.task.wants_locators:
        await note_locators(call, healed, healed.ref)
    return call.task.refs.now(healed)


async def node_of(call: Call, ref: Ref, world: ExecutionContext) -> int:
    """Store and return the ``backendNodeId`` of a ref's element, or raise ``ElementGone``."""
    try:
        object_id = await element(call.race, world, ref.local_id)
        if object_id is None:
            raise ElementGone
        description = await call.race.call(dom.DescribeNode(object_id=object_id), world.session_id)
    except WorldGone as error:
        raise stale(ref, "its document was replaced") from error
    except CommandRefused as error:
        raise ElementGone from error
    node_id = description.node.backend_node_id
    call.task.refs.learn(ref, node_id)
    return node_id


async def nearest_to(call: Call, role: str, name: str) -> list[dict[str, Any]]:
    """Return the tab's elements that are most similar to this role and name."""
    top = call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    similar: list[dict[str, Any]] = []
    for frame_id in [top, *descendants(call.state, [top])]:
        world = call.state.worlds.get(frame_id)
        if world is not None:
            place = (call.tab.tab_id, frame_id, world.unique_id)
            similar += await _nearest_now(call, Ref("", role, name, *place, local_id=0))
    return sorted(similar, key=lambda one: -_alike(one["name"], name))[:_MAX_SUGGESTIONS]


async def _nearest_now(call: Call, ref: Ref) -> list[dict[str, Any]]:
    """Return the most similar elements in the frame's new document, if the document responds in
    time."""
    budget = call.race.budget.child(at_most_ms=SUGGEST_MS)
    try:
        with Race(call.task.supervisor, budget, call.race.tab_id) as inner:
            world = await call.task.worlds.of(inner, ref.frame_id)
            reply = await call_walker(inner, world, "nearest", ref.role, ref.name)
    except (BudgetExceeded, FrameNotFound, Interrupted, TargetCrashed, WorldGone):
        return []
    return _nearest(call.task, ref, world, reply["near"], "")


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
        for _, one in alike[:_MAX_SUGGESTIONS]
    ]


def _alike(a: str, b: str) -> float:
    return difflib.SequenceMatcher(None, a.lower()[:200], b.lower()[:200]).ratio()
