"""The buttons and markers of CSS carousels (``::scroll-button``, ``::scroll-marker``).

The browser draws them for an element, and no script can see them. The walker lists the elements
that may have some (``js/accessibility/carousels.js``). ``DOM.describeNode`` says what the browser
draws for an element, and ``DOM.getBoxModel`` where. A page without carousels costs nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from tabwarden.page.elements.closed import listed_elements, release_listed
from tabwarden.page.walker import WorldGone, call_walker, element
from tabwarden.protocol import accessibility, dom
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import CommandRefused, Race

_DRAWN = ("scroll-button", "scroll-marker-group", "scroll-marker")
_SELECTED_MS = 500.0
"""How long the browser may take to tell which markers are selected. It first builds its
accessibility tree: 50 to 70 ms for 6,000 elements (Chromium 153, 156), seconds for huge pages."""


async def learn_carousels(race: Race, world: ExecutionContext) -> bool:
    """Tell the walker what the browser draws for the listed elements. Return whether that differs
    from what the walker knew."""
    try:
        parts = await listed_elements(race, world, "carouselParts")
        drawn = await asyncio.gather(*(_drawn(race, world, part) for part in parts))
    except CommandRefused as refused:
        raise WorldGone from refused
    release_listed(race, world)
    reply = await call_walker(race, world, "learnCarousels", drawn)
    if not reply["tabs"]:
        return bool(reply["isNew"])
    asked = [
        race.start(accessibility.QueryAXTree(backend_node_id=group, role="tab"), world.session_id)
        for group in reply["tabs"]
    ]
    selected: list[int] = []
    for one in asked:
        if await race.answered(one, at_most_ms=_SELECTED_MS):
            try:
                selected += _selected((await race.result(one)).nodes)
            except CommandRefused:
                continue
    is_new = await call_walker(race, world, "selectMarkers", selected)
    return bool(is_new or reply["isNew"])


async def _drawn(race: Race, world: ExecutionContext, part: str) -> list[tuple[str, str, int]]:
    try:
        described = await race.call(dom.DescribeNode(object_id=part, depth=0), world.session_id)
    except CommandRefused:  # the element was garbage-collected in the meantime
        return []
    return [
        (one.pseudo_type, one.node_name.partition("(")[2].rstrip(")"), one.backend_node_id)
        for one in described.node.pseudo_elements or ()
        if one.pseudo_type in _DRAWN
    ]


def _selected(nodes: list[accessibility.AXNode]) -> Iterator[int]:
    for node in nodes:
        states = {one.name: one.value.value for one in node.properties or ()}
        if states.get("selected") is True and node.backend_dom_node_id is not None:
            yield node.backend_dom_node_id


async def aim_at_drawn(
    race: Race,
    world: ExecutionContext,
    local_id: int,
    node: int,
    presses: int | None,
    expects: bool,
) -> dict[str, Any]:
    """Scroll a control that the browser draws into view, and return the walker's hit on it."""
    try:
        owner = await element(race, world, local_id)
        if owner is None:
            return {"ok": False, "reason": "gone"}
        await race.call(dom.ScrollIntoViewIfNeeded(backend_node_id=node), world.session_id)
        around, box = await asyncio.gather(
            race.call(dom.GetBoxModel(object_id=owner), world.session_id),
            race.call(dom.GetBoxModel(backend_node_id=node), world.session_id),
        )
    except CommandRefused:  # the browser does not draw it any more
        return {"ok": False, "reason": "hidden"}
    corner, quad = around.model.border, box.model.border
    across = (quad[0] + quad[4]) / 2 - min(corner[0::2])
    down = (quad[1] + quad[5]) / 2 - min(corner[1::2])
    hit: dict[str, Any] = await call_walker(
        race, world, "aimDrawn", local_id, across, down, presses, expects
    )
    return hit
