"""Tell the walker which elements listen for clicks.

Scripts can't list an element's listeners. ``DOMDebugger.getEventListeners`` lists all listeners in
a document with one command (2 ms for 2,000 elements), even in shadow roots. The command does not
report which of a container's children a delegated handler serves. ``delegated_handlers.py`` finds
these children at the same time.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

import msgspec

from tabwarden.page.walker.delegated_handlers import DelegatedHandlers
from tabwarden.page.walker.worlds import element
from tabwarden.protocol import dom, dom_debugger, runtime
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import CommandRefused, Race

_CLICKS = frozenset({"click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup"})
_GROUP = "tabwarden-listeners"
_MOST = 1_000
"""How many elements are passed to the walker after a walk. Further elements are passed after the
next walk."""
_TELL = "(...elements) => __tabwarden.listen(elements)"
_LISTING_MS = 1_000
_REST = 20
"""A limit for these requests while a document looks the same: at most 1/20 of the time."""


class _Document(msgspec.Struct):
    object_id: str
    delegated: DelegatedHandlers
    known_ids: set[int] = msgspec.field(default_factory=set)
    """The backend ids that we have passed to the walker."""
    walk_hash: int = 0
    """A hash of the walker's reply at the last request."""
    rests_until: float = 0.0


class ClickListeners:
    """For each document, the elements with click listeners that the walker already knows."""

    def __init__(self) -> None:
        self._documents: dict[str, _Document] = {}
        """Maps a world's ``unique_id`` to its document."""

    def forget(self, worlds: Iterable[str]) -> None:
        """Forget the documents of these worlds."""
        for world in worlds:
            self._documents.pop(world, None)

    async def learn(self, race: Race, world: ExecutionContext, walked: str) -> bool:
        """Pass new elements with click listeners to the walker. Return whether these elements may
        change the outline.

        Args:
            walked: the walker's last reply. While the reply stays the same, listeners are seldom
                requested, because a script seldom adds listeners without changing the page.

        A browser that can't list listeners, such as Firefox, reports none.
        """
        began = time.monotonic()
        try:
            document = await self._document(race, world)
            if hash(walked) == document.walk_hash and began < document.rests_until:
                return False
            command = dom_debugger.GetEventListeners(
                object_id=document.object_id, depth=-1, pierce=True
            )
            listing = race.start(command, world.session_id)
            delegated = document.delegated.ask(race)
            if not await race.answered(delegated, at_most_ms=_LISTING_MS):
                return False
            listeners = (await race.result(listing)).listeners
            await document.delegated.learn(race, delegated)
            ended = time.monotonic()
            document.walk_hash = hash(walked)
            document.rests_until = ended + (ended - began) * _REST
            ids = {one.backend_node_id for one in listeners if one.type in _CLICKS}
            ids |= document.delegated.known_ids
            new = sorted(node for node in ids - document.known_ids if node is not None)[:_MOST]
            document.known_ids.update(new)
            return bool(new) and await _pass_on(race, world, new)
        except CommandRefused:  # the document may be gone, but the caller detects that
            return False

    async def _document(self, race: Race, world: ExecutionContext) -> _Document:
        if world.unique_id not in self._documents:
            command = runtime.Evaluate(
                expression="document",
                unique_context_id=world.unique_id,
                silent=True,
            )
            reply = await race.call(command, world.session_id)
            object_id = await _object_in_page(race, world, reply.result.object_id or "")
            self._documents[world.unique_id] = _Document(
                object_id, DelegatedHandlers(object_id, world.session_id)
            )
        return self._documents[world.unique_id]


async def _object_in_page(race: Race, world: ExecutionContext, node: str) -> str:
    """Return the object of a document or an element in the page's main world.

    Chromium 156 crashed when it listed 2,000 listeners for an isolated world's object. If the
    object belonged to a group, Chromium would also send a handle for each handler.
    """
    described = await race.call(dom.DescribeNode(object_id=node), world.session_id)
    resolving = dom.ResolveNode(backend_node_id=described.node.backend_node_id)
    return (await race.call(resolving, world.session_id)).object.object_id or ""


async def listeners_of(race: Race, world: ExecutionContext, local_id: int) -> set[str] | None:
    """Return the types of events that an element itself listens for; None if unknown."""
    objects = [await element(race, world, local_id)]
    if objects[0] is None:
        return None
    try:
        objects.append(object_id := await _object_in_page(race, world, objects[0]))
        command = dom_debugger.GetEventListeners(object_id=object_id)
        return {one.type for one in (await race.call(command, world.session_id)).listeners}
    except CommandRefused:
        return None
    finally:
        for one in filter(None, objects):
            race.supervisor.send(runtime.ReleaseObject(object_id=one), world.session_id)


async def _pass_on(race: Race, world: ExecutionContext, nodes: list[int]) -> bool:
    group = f"{_GROUP}-{world.unique_id}"  # the frames in one session share their object groups
    resolving = [
        race.start(
            dom.ResolveNode(
                backend_node_id=node, execution_context_id=world.context_id, object_group=group
            ),
            world.session_id,
        )
        for node in nodes
    ]
    elements = []
    for one in resolving:
        try:
            elements.append((await race.result(one)).object.object_id)
        except CommandRefused:  # the element is gone, or is in another frame's document
            continue
    command = runtime.CallFunctionOn(
        function_declaration=_TELL,
        arguments=[runtime.CallArgument(object_id=one) for one in elements if one],
        unique_context_id=world.unique_id,
        return_by_value=True,
        silent=True,
    )
    try:
        return (await race.call(command, world.session_id)).result.value is True
    finally:
        race.supervisor.send(runtime.ReleaseObjectGroup(object_group=group), world.session_id)
