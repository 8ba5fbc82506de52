"""Read all frames of a tab concurrently, each in its own isolated world."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from tabwarden.errors import BudgetExceeded, FrameNotFound, TargetCrashed
from tabwarden.page.elements.carousels import learn_carousels
from tabwarden.page.elements.closed import open_closed
from tabwarden.page.elements.each_frame import frame_ms, in_each_frame
from tabwarden.page.elements.timing import FRAME_MS
from tabwarden.page.task import Call, Iframes, Task
from tabwarden.page.walker import (
    DocumentKind,
    Layers,
    Nodes,
    WalkerFailed,
    WorldGone,
    call_walker,
    decode,
    document_kind,
    element,
    start,
    value_of,
)
from tabwarden.protocol import dom, runtime
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext, Tab
from tabwarden.supervisor.runtime import CommandRefused, Interrupted, Race

_DOCUMENTS = 10
"""A frame whose document was replaced this many times in a row counts as unreadable."""
CLOSED_LEVELS = 5
"""How many levels of nested closed shadow roots a walk reads."""
RESTLESS = "its document keeps being replaced"
SILENT = "its scripts do not respond"
SLOW = "reading it takes longer than this call allows. Allow more time, or read one frame"


Ask = Callable[[str], tuple[Any, ...]]


class WalkResult(msgspec.Struct):
    world: ExecutionContext
    nodes: Nodes
    owners: dict[int, str]
    """Maps the walker's ID of each iframe element to the ``frame_id`` of the frame inside."""
    cut: bool
    """Whether the walker left out elements that are nested too deeply."""
    view: list[int]
    """The ranges of nodes in the frame's viewport: ``[from, to, from, to, ...]``."""
    layers: Layers | None
    title: str
    """The document's title; may be empty."""
    kind: DocumentKind


async def walk_all(
    call: Call,
    root: str,
    ask: Ask = lambda _: ("snapshot",),
    *,
    patient: bool = False,
) -> dict[str, WalkResult | str]:
    """Read all frames concurrently. If a frame can't be read in time, its value is the reason.

    ``ask(frame_id)`` returns the walker function to call in that frame, and its arguments.
    ``patient`` gives a frame more time once the walker has begun to read it, because that frame
    does not hang.
    """
    limit_ms = frame_ms(call.race, math.inf if patient else FRAME_MS)
    begun: set[str] | None = set() if patient else None
    whole = call.race.budget.child(at_most_ms=frame_ms(call.race, math.inf))

    async def walk(frame_id: str) -> WalkResult | str:
        budget = whole.child(at_most_ms=limit_ms)
        is_late = budget.remaining_ms() < limit_ms / 2  # other frames took the time
        try:
            with Race(call.task.supervisor, budget, call.tab.tab_id) as inner:
                return await _walk(call, inner, frame_id, *ask(frame_id), begun=begun)
        except BudgetExceeded:
            if is_late or frame_id in (begun or ()):
                return SLOW
            return _why_silent(call.task, call.tab)
        except WorldGone as error:
            return str(error)
        except FrameNotFound:
            return "the frame is gone"
        except (Interrupted, TargetCrashed):
            return "another operation interrupted the reading: try again"

    return await in_each_frame(call, root, walk, silent=SILENT)


def _why_silent(task: Task, tab: Tab) -> str:
    top = task.state.top_frame(tab.tab_id)
    if top is not None and top.navigating:
        return "it is navigating, and the server has not responded"
    return SILENT


async def _walk(
    call: Call,
    race: Race,
    frame_id: str,
    function: str = "snapshot",
    *arguments: Any,
    begun: set[str] | None = None,
) -> WalkResult:
    """Read one frame. If its document is replaced meanwhile, read the new document instead."""
    task, why, documents = call.task, "", set[str]()
    for _ in range(_DOCUMENTS):
        frame = task.state.frames.get(frame_id)
        documents.add(frame.loader_id if frame is not None else "")
        try:
            world = await task.worlds.of(race, frame_id)
            if begun is None:
                reply = await call_walker(race, world, function, *arguments)
            else:
                reply = await _walk_after_probe(race, world, begun, function, *arguments)
            read = decode(reply)
            for _ in range(CLOSED_LEVELS):
                if not read.suspects or not await open_closed(race, world):
                    break
                read = decode(await call_walker(race, world, function, *arguments))
            if read.carousels and await learn_carousels(race, world):
                read = decode(await call_walker(race, world, function, *arguments))
            if function == "snapshot" and await task.click_listeners.learn(race, world, reply):
                read = decode(await call_walker(race, world, function, *arguments))
            owners = await _owners(call, race, world, read.nodes.iframes())
            reads: Literal["outline", "text"] = "text" if function == "readable" else "outline"
            kind = await document_kind(race, frame_id, read.kind, reads)
            nodes = read.nodes.with_embeds(owners)
            return WalkResult(
                world, nodes, owners, read.cut, read.view, read.layers, read.title, kind
            )
        except WorldGone as error:
            why, frame = str(error), task.state.frames.get(frame_id)
            stays = frame is not None and not frame.navigating and frame.loader_id in documents
            if stays and isinstance(error, WalkerFailed):
                raise
            await race.until(lambda state: _is_there(state, frame_id))
    raise WorldGone(RESTLESS if len(documents) > 1 else why)


async def _walk_after_probe(
    race: Race, world: ExecutionContext, begun: set[str], function: str, *arguments: Any
) -> Any:
    """Read one frame. Send a probe first, and add the frame to ``begun`` when the probe returns.

    A page runs no scripts between two queued commands. Therefore, the walker has begun to read when
    the probe returns.
    """
    probe = race.start(runtime.Evaluate(expression="0", silent=True), world.session_id)
    pending = start(race, world, function, *arguments)
    if not await race.answered(probe, at_most_ms=FRAME_MS):
        raise race.budget.exceeded()
    begun.add(world.frame_id)
    return await value_of(race, pending)


def _is_there(state: SupervisorState, frame_id: str) -> bool:
    """Whether a frame has a parsed document or no longer exists."""
    frame = state.frames.get(frame_id)
    return frame is None or (not frame.navigating and frame.is_parsed)


async def _owners(
    call: Call, race: Race, world: ExecutionContext, iframes: list[int]
) -> dict[int, str]:
    """Map iframe elements to the frames inside them.

    An iframe keeps its frame until a script moves the element, which gives it a new frame. The
    browser reports the new frame before it replies to the walk. Therefore, this asks again only if
    it does not know an iframe, or if the document has a new frame.
    """
    if not iframes:
        return {}
    state = call.state
    children = {f.frame_id for f in state.frames.values() if f.parent_frame_id == world.frame_id}
    known = call.memory.iframes_in(world)
    inside = {one: child for one, child in known.inside.items() if child in children}
    is_new = not children <= known.children
    unknown = iframes if is_new else [one for one in iframes if one not in inside]
    inside |= await _owners_now(race, world, unknown)
    call.memory.iframes[world.frame_id] = Iframes(world.unique_id, frozenset(children), inside)
    return {one: inside[one] for one in iframes if one in inside}


async def _owners_now(race: Race, world: ExecutionContext, iframes: list[int]) -> dict[int, str]:
    """Map iframe elements to the frames inside them, using ``DOM.describeNode``."""

    async def node_of(local_id: int) -> dom.Node | None:
        object_id = await element(race, world, local_id)
        if object_id is None:
            return None
        try:
            description = await race.call(dom.DescribeNode(object_id=object_id), world.session_id)
        except CommandRefused:
            return None
        return description.node

    nodes_of = await asyncio.gather(*(node_of(local_id) for local_id in iframes))
    owners, unnamed = {}, {}
    for local_id, node in zip(iframes, nodes_of, strict=True):
        if node is not None and node.frame_id:
            owners[local_id] = node.frame_id
        elif node is not None:
            unnamed[node.backend_node_id] = local_id
    if unnamed:
        owners.update(await _owners_of_moving(race, world, unnamed, set(owners.values())))
    return owners


async def _owners_of_moving(
    race: Race, world: ExecutionContext, unnamed: Mapping[int, int], known_frames: set[str]
) -> dict[int, str]:
    """Map iframe elements to the frames inside them that are moving to another process.

    ``DOM.describeNode`` does not report such a frame, but ``DOM.getFrameOwner`` finds its element.
    """
    frames = race.supervisor.state.frames.values()
    moving = [
        f.frame_id
        for f in frames
        if f.parent_frame_id == world.frame_id and f.frame_id not in known_frames
    ]

    async def owner_of(frame_id: str) -> tuple[int | None, str]:
        try:
            owner = await race.call(dom.GetFrameOwner(frame_id=frame_id), world.session_id)
        except CommandRefused:
            return None, frame_id
        return unnamed.get(owner.backend_node_id), frame_id

    owners = await asyncio.gather(*(owner_of(frame_id) for frame_id in moving))
    return {local_id: frame_id for local_id, frame_id in owners if local_id is not None}


class Iframe(NamedTuple):
    """An iframe element, identified in the world of the document that contains it."""

    world: ExecutionContext
    local_id: int


async def owners_of(call: Call, frame_id: str) -> list[Iframe]:
    """Return the iframe elements around a frame, outermost first.

    Raises:
        WorldGone: a document was replaced meanwhile.
        FrameNotFound: a frame is gone.
    """
    owners: list[Iframe] = []
    frame = call.state.frames.get(frame_id)
    while frame is not None and (parent_id := frame.parent_frame_id) is not None:
        world = await call.task.worlds.of(call.race, parent_id)
        owner = call.memory.iframes_in(world).around(frame.frame_id)
        if owner is None:
            await _walk(call, call.race, parent_id)
            owner = call.memory.iframes_in(world).around(frame.frame_id)
        if owner is None:
            raise WorldGone
        owners.insert(0, Iframe(world, owner))
        frame = call.state.frames.get(parent_id)
    return owners


async def frame_in(call: Call, iframe: Iframe) -> str | None:
    """Return the id of the frame inside an iframe element, if any."""
    world, local_id = iframe
    frame_id = call.memory.iframes_in(world).inside.get(local_id)
    if frame_id not in call.state.frames:
        await _walk(call, call.race, world.frame_id)
        frame_id = call.memory.iframes_in(world).inside.get(local_id)
    return frame_id if frame_id in call.state.frames else None


async def frame_at(call: Call, root: str, path: Sequence[str]) -> str | None:
    """Follow a path of CSS selectors for iframes, starting at ``root``, and return the frame at its
    end.

    Return None if a selector does not match exactly one iframe.
    """
    frame_id: str | None = root
    for css in path:
        if frame_id is None:
            return None
        world = await call.task.worlds.of(call.race, frame_id)
        matches = await call_walker(call.race, world, "find", {"by": "css", "css": css}, 2)
        if matches.get("total") != 1:
            return None
        frame_id = await frame_in(call, Iframe(world, matches["elements"][0]["id"]))
    return frame_id
