"""Find the refs of elements in a trace, if the elements still exist."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import msgspec

from tabwarden.errors import BudgetExceeded, FrameNotFound, TargetCrashed
from tabwarden.page.task import Call
from tabwarden.page.walker import WorldGone
from tabwarden.protocol import dom, runtime
from tabwarden.supervisor.runtime import CommandRefused, Interrupted, Race

_NAMING_MS = 2_000.0
"""How long the page may take to describe the elements that appear in the findings."""
_GROUP = "tabwarden-devtools"
_DESCRIBE = """function () {
  const element = this.nodeType === 1 ? this : this.parentElement;
  return element && element.isConnected ? __tabwarden.described(element) : null;
}"""


class Element(msgspec.Struct, omit_defaults=True):
    """An element in a trace. It has a ref if the page still contains it."""

    node: str
    """The element's tag and id, such as ``IMG id='hero'``."""
    ref: str = ""
    role: str = ""
    name: str = ""


ElementKey = tuple[str, int]
"""The element's frame id and ``backendNodeId``."""


async def find_refs(call: Call, elements: Iterable[tuple[ElementKey, Element]]) -> None:
    """Add the elements' refs, roles and names. Give up if the page does not respond soon."""
    budget = call.race.budget.child(at_most_ms=_NAMING_MS)
    try:
        with Race(call.task.supervisor, budget, call.tab.tab_id) as inner:
            within = call.within(inner)
            await asyncio.gather(*(_name(within, key, one) for key, one in elements))
    except (BudgetExceeded, Interrupted, TargetCrashed):
        call.race.raise_if_ended()


async def _name(call: Call, key: ElementKey, element: Element) -> None:
    frame_id, node_id = key
    try:
        world = await call.task.worlds.of(call.race, frame_id)
        node = await call.race.call(
            dom.ResolveNode(
                backend_node_id=node_id, execution_context_id=world.context_id, object_group=_GROUP
            ),
            world.session_id,
        )
        command = runtime.CallFunctionOn(
            function_declaration=_DESCRIBE,
            object_id=node.object.object_id or "",
            return_by_value=True,
            silent=True,
        )
        described = (await call.race.call(command, world.session_id)).result.value
    except (CommandRefused, FrameNotFound, WorldGone):  # the element is no longer in the page
        return
    if isinstance(described, dict):
        element.role, element.name = described["role"], described["name"]
        element.ref = call.task.refs.assign(
            world.unique_id,
            described["id"],
            role=element.role,
            name=element.name,
            tab_id=call.tab.tab_id,
            frame_id=frame_id,
        )
