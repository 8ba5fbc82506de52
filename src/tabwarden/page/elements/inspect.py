"""Inspect: read an element's properties and state, in its own frame."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from tabwarden.errors import InvalidArgument
from tabwarden.page.elements.actionability import describe_element
from tabwarden.page.elements.boxes import boxes_in_view, boxes_of
from tabwarden.page.elements.element import element_of
from tabwarden.page.elements.heal import ElementGone, healing
from tabwarden.page.elements.walk import owners_of
from tabwarden.page.task import Call, Done, OneRef, Ref, card, stale
from tabwarden.page.walker import WorldGone, call_walker, listeners_of
from tabwarden.results import Inspected
from tabwarden.supervisor.core.state.tabs import ExecutionContext

STYLES = (
    "display", "visibility", "opacity", "position", "z-index", "overflow", "pointer-events",
    "cursor", "color", "background-color", "font-size", "font-weight",
)  # fmt: skip
"""The computed styles to return if the caller lists none."""
_STYLE = re.compile(r"-{0,2}[A-Za-z_][\w-]{0,100}\Z")


@card(
    "inspect",
    about="Get an element's attributes, states, computed styles, box, listeners and visibility.",
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
            description="CSS property names. Default: the most useful properties.", max_length=100
        ),
    ] = (),
) -> Done:
    """Read an element's tag, role, name, text, attributes, states, computed styles and box,
    whether a person can see it (if not, the reason), and the events it listens to. Nothing is
    scrolled.

    Args:
        ref: the element, from a snapshot; it may be hidden.
        styles: CSS property names; by default the most useful properties.

    Raises:
        StaleRef, UnknownRef: the element does not exist.
        InvalidArgument: a style is not the name of a CSS property.
    """
    for name in styles:
        if not _STYLE.match(name):
            raise InvalidArgument(
                f"{name[:100]!r} is not the name of a CSS property.",
                "For example: background-color, or --main for a custom property that the page "
                "defines.",
                field="styles",
            )
    properties = list(styles) or list(STYLES)
    element = await element_of(call, ref, hidden=True)
    try:
        element, description = await healing(
            call, element, lambda ref, world: _describe(call, ref, world, properties)
        )
        world = await call.task.worlds.of(call.race, element.frame_id)
        listeners = await listeners_of(call.race, world, element.local_id)
        await owners_of(call, element.frame_id)
    except WorldGone as error:
        raise stale(element, "its document was replaced during the action") from error
    cover = description.pop("by")
    number = int(element.ref[1:])
    box = (await boxes_of(call, [number])).get(element.ref)
    in_viewport = element.ref in await boxes_in_view(call, [number])
    return Done(
        {
            "ref": element.ref,
            "frame_id": element.frame_id,
            **description,
            "covered_by": describe_element(call.task, element, world, cover) if cover else None,
            "box": None if box is None else [round(side, 1) for side in box],
            "in_viewport": in_viewport,
            "listeners": listeners if listeners is None else sorted(listeners),
        }
    )


async def _describe(
    call: Call, ref: Ref, world: ExecutionContext, styles: list[str]
) -> dict[str, Any]:
    description: dict[str, Any] | None = await call_walker(
        call.race, world, "facts", ref.local_id, styles
    )
    if description is None:
        raise ElementGone
    return description
