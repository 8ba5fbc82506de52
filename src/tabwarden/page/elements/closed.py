"""Closed shadow roots. Scripts can't reach them, but the browser can pass them to the walker.

The walker lists elements that may have a closed root (``js/dom/closed_root_suspects.js``).
``DOM.describeNode`` shows whether an element has one, and ``DOM.resolveNode`` makes the root
available in the walker's world.
"""

from __future__ import annotations

import asyncio

from tabwarden.page.walker import WorldGone
from tabwarden.protocol import dom, runtime
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import CommandRefused, Race

_GROUP = "tabwarden-suspects"
_HAND_OVER = "function () { __tabwarden.opened(this); }"


async def open_closed(race: Race, world: ExecutionContext) -> bool:
    """Pass the closed shadow roots of suspected elements to the walker. Return False if there are
    none."""
    try:
        hosts = await listed_elements(race, world, "suspected")
        roots = await asyncio.gather(*(_closed_root(race, world, host) for host in hosts))
        closed_roots = [root for root in roots if root is not None]
        await asyncio.gather(*(_hand_over(race, world, root) for root in closed_roots))
    except CommandRefused as refused:
        raise WorldGone from refused
    release_listed(race, world)
    return bool(closed_roots)


def release_listed(race: Race, world: ExecutionContext) -> None:
    race.start(runtime.ReleaseObjectGroup(object_group=_GROUP), world.session_id)


async def listed_elements(race: Race, world: ExecutionContext, function: str) -> list[str]:
    """Return the remote object ids of the elements that a walker function lists."""
    listing = runtime.Evaluate(
        expression=f"__tabwarden.{function}()",
        unique_context_id=world.unique_id,
        object_group=_GROUP,
        silent=True,
    )
    list_id = (await race.call(listing, world.session_id)).result.object_id
    if list_id is None:
        return []
    asking = runtime.GetProperties(object_id=list_id, own_properties=True)
    properties = (await race.call(asking, world.session_id)).result
    return [
        one.value.object_id
        for one in properties
        if one.name.isdigit() and one.value is not None and one.value.object_id is not None
    ]


async def _closed_root(race: Race, world: ExecutionContext, host: str) -> int | None:
    try:
        description = await race.call(dom.DescribeNode(object_id=host), world.session_id)
    except CommandRefused:  # the element was garbage-collected in the meantime
        return None
    for root in description.node.shadow_roots or ():
        if root.shadow_root_type == "closed":
            return root.backend_node_id
    return None


async def _hand_over(race: Race, world: ExecutionContext, root: int) -> None:
    resolving = dom.ResolveNode(
        backend_node_id=root, execution_context_id=world.context_id, object_group=_GROUP
    )
    resolved = (await race.call(resolving, world.session_id)).object
    call = runtime.CallFunctionOn(
        function_declaration=_HAND_OVER, object_id=resolved.object_id or "", silent=True
    )
    await race.call(call, world.session_id)
