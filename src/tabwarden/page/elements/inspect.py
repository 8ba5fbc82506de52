"""Inspect: the facts of an element, in the frame of the element."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from tabwarden.errors import InvalidArgument
from tabwarden.page.elements.actionability import shown_as
from tabwarden.page.elements.boxes import boxes_in_view, boxes_of
from tabwarden.page.elements.element import element_of
from tabwarden.page.elements.heal import Gone, healing
from tabwarden.page.elements.walk import owners_of
from tabwarden.page.task import Call, Done, OneRef, Ref, card, stale
from tabwarden.page.walker import WorldGone, call_walker, listeners_of
from tabwarden.results import Inspected
from tabwarden.supervisor.core.state.tabs import ExecutionContext

STYLES = (
    "display", "visibility", "opacity", "position", "z-index", "overflow", "pointer-events",
    "cursor", "color", "background-color", "font-size", "font-weight",
)  # fmt: skip
"""The computed styles that a caller gets who asks for none."""
_STYLE = re.compile(r"-{0,2}[A-Za-z_][\w-]{0,100}\Z")


@card(
    "inspect",
    about="Tell an element's attributes, states, computed styles, box, listeners and visibility.",
    permission="read",
    group="pages",
    gives=Inspected,
    shows=False,
    read_only=True,
    refreshes=False,
    reads=True,
    acts=False,
)
async def inspect(
    call: Call,
    ref: OneRef,
    *,
    styles: Annotated[
        Sequence[str],
        Field(
            description="Names of CSS properties. Default: the most telling ones.", max_length=100
        ),
    ] = (),
) -> Done:
    """Tell an element's facts, without scrolling: tag, role, name, text, attributes, states,
    computed styles, box, whether a person sees it and why not, and which events it listens to.

    Args:
        ref: the element, from a snapshot; it may be hidden.
        styles: names of CSS properties; by default a few that explain most.

    Raises:
        StaleRef, UnknownRef: the element does not exist.
        InvalidArgument: a style is not the name of a CSS property.
    """
    for name in styles:
        if not _STYLE.match(name):
            raise InvalidArgument(
                f"{name[:100]!r} is not the name of a CSS property.",
                "For example: background-color, or --main for a variable of the page.",
                field="styles",
            )
    asked = list(styles) or list(STYLES)
    found = await element_of(call, ref, hidden=True)
    try:
        found, facts = await healing(
            call, found, lambda ref, world: _facts(call, ref, world, asked)
        )
        world = await call.task.worlds.of(call.race, found.frame_id)
        listeners = await listeners_of(call.race, world, found.local_id)
        await owners_of(call, found.frame_id)
    except WorldGone as gone:
        raise stale(found, "its document was replaced during the action") from gone
    by = facts.pop("by")
    number = int(found.ref[1:])
    box = (await boxes_of(call, [number])).get(found.ref)
    seen = found.ref in await boxes_in_view(call, [number])
    return Done(
        {
            "ref": found.ref,
            "frame_id": found.frame_id,
            **facts,
            "covered_by": shown_as(call.task, found, world, by) if by else None,
            "box": None if box is None else [round(side, 1) for side in box],
            "in_viewport": seen,
            "listeners": listeners if listeners is None else sorted(listeners),
        }
    )


async def _facts(
    call: Call, ref: Ref, world: ExecutionContext, styles: list[str]
) -> dict[str, Any]:
    facts: dict[str, Any] | None = await call_walker(
        call.race, world, "facts", ref.local_id, styles
    )
    if facts is None:
        raise Gone
    return facts
