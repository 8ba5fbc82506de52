"""The part of a page that a screenshot shows, scaled to stay within the limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from tabwarden.errors import InvalidArgument
from tabwarden.page.elements import ElementGone, healing, not_interactable_error, owners_of
from tabwarden.page.task import Call, Ref, stale
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.tabs import ExecutionContext

LARGEST_SIDE = 16_384
"""Chromium's limit for a captured surface, in pixels."""
_LEAST_SCALE = 0.5
"""The minimum scale. Smaller text would be unreadable, so a region that needs a smaller scale is
cropped."""


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


def checked_clip(clip: Mapping[str, Any]) -> Region:
    """Convert a caller's clip. Raise ``InvalidArgument`` unless it has four valid numbers."""
    sides = ("x", "y", "width", "height")
    good = (
        isinstance(clip, Mapping)
        and set(clip) == set(sides)
        and all(
            isinstance(n, int | float) and not isinstance(n, bool) and math.isfinite(n)
            for n in clip.values()
        )
    )
    if not good or clip["width"] < 1 or clip["height"] < 1:
        raise InvalidArgument(
            f"{str(clip)[:200]} is not a valid clip.",
            "Give {x, y, width, height} in CSS pixels, with width and height of at least 1.",
            field="clip",
        )
    x, y, width, height = (float(clip[side]) for side in sides)
    return Region(x, y, width, height)


def fitted(region: Region, max_pixels: int | None) -> tuple[Region, str]:
    """Scale a region down to ``max_pixels``. Return the region and a note.

    If half size is still too large, also crop the region.
    """
    # Chromium rounds the sides up to whole pixels.
    most = min((max_pixels or math.inf) * 0.99, LARGEST_SIDE**2)
    scale = min(
        region.scale,
        math.sqrt(most / (region.width * region.height)) / region.density,
        (LARGEST_SIDE - 1) / max(region.width, region.height) / region.density,
    )
    if scale >= region.scale:
        return region, ""
    least = min(region.scale, _LEAST_SCALE * min(1.0, 1 / region.density))
    if scale >= least:
        return region._replace(scale=scale), f"The image is scaled to {scale:.0%}."
    side = LARGEST_SIDE / least / region.density
    width = min(region.width, side)
    height = min(region.height, side, most / width / (least * region.density) ** 2)
    cut = region._replace(width=width, height=max(1.0, math.floor(height)), scale=least)
    return cut, (
        f"The image is scaled to {least:.0%} and cropped: it shows {cut.width:.0f} x "
        f"{cut.height:.0f} of {region.width:.0f} x {region.height:.0f} CSS pixels, starting at "
        f"({cut.x:.0f}, {cut.y:.0f}) on the page. To get the rest, take a full-page screenshot "
        f"with a clip that starts at ({cut.x:.0f}, {cut.y + cut.height:.0f})."
    )


async def of_element(call: Call, ref: Ref) -> tuple[Region, str]:
    """Scroll an element into view. Return its visible part, with a note if the rest is hidden.

    Raises:
        StaleRef: the element is gone.
        NotInteractable: no part of the element is visible.
    """
    _, region_and_note = await healing(call, ref, lambda ref, world: _of(call, ref, world))
    return cast("tuple[Region, str]", region_and_note)


async def _of(call: Call, ref: Ref, world: ExecutionContext) -> tuple[Region, str]:
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
    return _on_page(seen, element["page"]), note


def _outwards(inner: Region, outer: Mapping[str, Any]) -> Region:
    """Convert a region in an iframe's document to a region in the parent document."""
    x, y, *_ = outer["content"]
    across, down = outer["scales"]
    return Region(
        x + inner.x * across, y + inner.y * down, inner.width * across, inner.height * down
    )


def _on_page(seen: Region, top: Mapping[str, float]) -> Region:
    view = Region(0, 0, top["width"], top["height"])
    inside = seen.within(view)
    return seen._replace(
        x=seen.x + top["left"],
        y=seen.y + top["top"],
        density=top["density"],
        beyond=(inside.width, inside.height) != (seen.width, seen.height),
    )
