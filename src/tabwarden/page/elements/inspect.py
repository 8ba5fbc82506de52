"""Inspect: the facts of an element, in the frame of the element."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.page.elements.actionability import owners_of, shown_as
from tabwarden.page.elements.boxes import boxes_in_view, boxes_of
from tabwarden.page.elements.element import element_of
from tabwarden.page.elements.heal import Gone, healing
from tabwarden.page.task import ActionSpec, Call, Done, Ref, stale
from tabwarden.page.walker import WorldGone, call_walker, listeners_of
from tabwarden.supervisor import ExecutionContext

INSPECT = ActionSpec(name="inspect", refreshes=False, reads=True, acts=False)

STYLES = (
    "display", "visibility", "opacity", "position", "z-index", "overflow", "pointer-events",
    "cursor", "color", "background-color", "font-size", "font-weight",
)  # fmt: skip
"""The computed styles that a caller gets who asks for none."""
_MOST_STYLES = 100
_STYLE = re.compile(r"-{0,2}[A-Za-z_][\w-]{0,100}\Z")


def checked_styles(styles: Any) -> list[str]:
    """Check the names of computed styles. Raise ``InvalidArgument`` for one that is not a name."""
    if not isinstance(styles, Sequence) or isinstance(styles, str) or len(styles) > _MOST_STYLES:
        raise InvalidArgument(
            f"styles must be a list of at most {_MOST_STYLES} names.",
            "For example: ['color', 'z-index'].",
            field="styles",
        )
    for name in styles:
        if not isinstance(name, str) or not _STYLE.match(name):
            raise InvalidArgument(
                f"{str(name)[:100]!r} is not the name of a CSS property.",
                "For example: background-color, or --main for a variable of the page.",
                field="styles",
            )
    return list(styles) or list(STYLES)


async def inspect(call: Call, named: str, styles: list[str]) -> Done:
    """Return an element's facts as ``results.Inspected``, without scrolling or changing the page.

    Raises:
        StaleRef, UnknownRef: the element does not exist.
    """
    found = await element_of(call, named, hidden=True)
    try:
        ref, facts = await healing(call, found, lambda ref, world: _facts(call, ref, world, styles))
        world = await call.task.worlds.of(call.race, ref.frame_id)
        listeners = await listeners_of(call.race, world, ref.local_id)
        await owners_of(call, ref.frame_id)
    except WorldGone as gone:
        raise stale(found, "its document was replaced during the action") from gone
    by = facts.pop("by")
    number = int(ref.ref[1:])
    box = (await boxes_of(call, [number])).get(ref.ref)
    seen = ref.ref in await boxes_in_view(call, [number])
    return Done(
        {
            "ref": ref.ref,
            "frame_id": ref.frame_id,
            **facts,
            "covered_by": shown_as(call.task, ref, world, by) if by else None,
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
