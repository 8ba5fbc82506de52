"""Scroll an element into view, and find its visible part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from tabwarden.page.elements.actionability import not_interactable_error
from tabwarden.page.elements.heal import ElementGone, healing
from tabwarden.page.elements.walk import owners_of
from tabwarden.page.task import Call, Ref, stale
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.tabs import ExecutionContext


class Region(NamedTuple):
    """A rectangle on the page, in CSS pixels. ``density`` is device pixels per CSS pixel."""

    x: float
    y: float
    width: float
    height: float
    density: float = 1.0
    scale: float = 1.0
    beyond: bool = True
    """Whether part of the region lies outside the viewport."""

    @property
    def pixels(self) -> float:
        return self.width * self.height * (self.density * self.scale) ** 2

    def viewport(self) -> page.Viewport:
        return page.Viewport(
            x=self.x, y=self.y, width=self.width, height=self.height, scale=self.scale
        )

    def within(self, other: Region) -> Region:
        """Return the part of this region that is inside ``other``."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        return self._replace(x=x, y=y, width=max(0.0, right - x), height=max(0.0, bottom - y))


class ShownPart(NamedTuple):
    region: Region
    """The part of the element that no container clips, in the page."""
    note: str
    """Says that the rest is hidden; otherwise empty."""
    is_in_view: bool
    """Whether at least a part of the region is in the viewport."""


async def shown_part(call: Call, ref: Ref) -> ShownPart:
    """Scroll an element into view, and return its visible part.

    Raises:
        StaleRef: the element is gone.
        NotInteractable: no part of the element is visible.
    """
    _, part = await healing(call, ref, lambda ref, world: _of(call, ref, world))
    return cast("ShownPart", part)


async def _of(call: Call, ref: Ref, world: ExecutionContext) -> ShownPart:
    try:
        owners = await owners_of(call, ref.frame_id)
        for owner in owners:
            await call_walker(call.race, owner.world, "shownPart", owner.local_id)
        element = await call_walker(call.race, world, "shownPart", ref.local_id)
        if element is None:
            raise ElementGone
        whole, seen = Region(*element["whole"]), Region(*element["seen"])
        for owner in reversed(owners):
            outer = await call_walker(call.race, owner.world, "shownPart", owner.local_id)
            if outer is None:
                raise WorldGone
            inside = Region(*outer["content"]).within(Region(*outer["seen"]))
            whole = _outwards(whole, outer)
            seen = _outwards(seen, outer).within(inside)
            element = outer
    except WorldGone as gone:
        raise stale(ref, "its document was replaced during the action") from gone
    if min(seen.width, seen.height) < 1:
        reason = "hidden" if min(whole.width, whole.height) < 1 else "outside"
        raise not_interactable_error(ref, "has no visible part", reason)
    part = seen.width * seen.height / (whole.width * whole.height)
    note = (
        ""
        if part > 0.995
        else (
            f"Only {part:.0%} of the element is visible, because a container clips it. "
            "Scrolling the container may help."
        )
    )
    page_now = element["page"]
    inside = seen.within(Region(0, 0, page_now["width"], page_now["height"]))
    region = seen._replace(
        x=seen.x + page_now["left"],
        y=seen.y + page_now["top"],
        density=page_now["density"],
        beyond=(inside.width, inside.height) != (seen.width, seen.height),
    )
    return ShownPart(region, note, min(inside.width, inside.height) >= 1)


def _outwards(inner: Region, outer: Mapping[str, Any]) -> Region:
    """Convert a region in an iframe's document to a region in the parent document."""
    x, y, *_ = outer["content"]
    across, down = outer["scales"]
    return Region(
        x + inner.x * across, y + inner.y * down, inner.width * across, inner.height * down
    )
