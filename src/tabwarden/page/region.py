"""Region: which part of a page a picture shows, and how much smaller, to stay within bounds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple, cast

from tabwarden.errors import InvalidArgument, NotInteractable
from tabwarden.page.aim import owners_of
from tabwarden.page.heal import Gone, healing
from tabwarden.page.refs import Ref, stale
from tabwarden.page.task import Task
from tabwarden.page.worlds import WorldGone, call
from tabwarden.protocol import page
from tabwarden.supervisor import ExecutionContext, Race

__all__ = ["LARGEST_SIDE", "Region", "checked_clip", "fitted", "of_element"]

LARGEST_SIDE = 16_384
"""Pixels: Chromium's own limit for a captured surface."""
_LEAST_SCALE = 0.5
"""Smaller than this nobody can read a page: it is cut instead."""


class Region(NamedTuple):
    """A rectangle of the whole page in CSS pixels, and the pixels that the screen has for one."""

    x: float
    y: float
    width: float
    height: float
    density: float = 1.0
    scale: float = 1.0
    beyond: bool = True
    """Whether some of it lies outside the viewport."""

    @property
    def pixels(self) -> float:
        """How many the picture has."""
        return self.width * self.height * (self.density * self.scale) ** 2

    def viewport(self) -> page.Viewport:
        """The same for ``Page.captureScreenshot``."""
        return page.Viewport(
            x=self.x, y=self.y, width=self.width, height=self.height, scale=self.scale
        )

    def within(self, other: Region) -> Region:
        """The part of it that lies in another."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        return self._replace(x=x, y=y, width=max(0.0, right - x), height=max(0.0, bottom - y))


def checked_clip(clip: Mapping[str, Any]) -> Region:
    """A clip as a caller gave it.

    Raises:
        InvalidArgument: not four such numbers.
    """
    sides = ("x", "y", "width", "height")
    good = (
        isinstance(clip, Mapping)
        and set(clip) == set(sides)
        and all(
            isinstance(n, int | float) and not isinstance(n, bool) and math.isfinite(n)
            for n in clip.values()
        )
    )
    if not good or clip["width"] < 1 or clip["height"] < 1 or min(clip["x"], clip["y"]) < 0:
        raise InvalidArgument(
            f"clip can't be {str(clip)[:200]}.",
            "Give {x, y, width, height} in CSS pixels; width and height at least 1.",
            field="clip",
        )
    x, y, width, height = (float(clip[side]) for side in sides)
    return Region(x, y, width, height)


def fitted(region: Region, max_pixels: int | None) -> tuple[Region, str]:
    """A region scaled down, and below half its size cut, to so many pixels; what to say of it."""
    # Sides are rounded up to whole pixels.
    most = min((max_pixels or math.inf) * 0.99, LARGEST_SIDE**2)
    scale = min(
        region.scale,
        math.sqrt(most / (region.width * region.height)) / region.density,
        (LARGEST_SIDE - 1) / max(region.width, region.height) / region.density,
    )
    if scale >= region.scale:
        return region, ""
    least = _LEAST_SCALE * min(1.0, region.scale / region.density)
    if scale >= least:
        return region._replace(scale=scale), f"It is scaled to {scale:.0%}."
    side = LARGEST_SIDE / least / region.density
    width = min(region.width, side)
    height = min(region.height, side, most / width / (least * region.density) ** 2)
    cut = region._replace(width=width, height=max(1.0, math.floor(height)), scale=least)
    return cut, (
        f"It is scaled to {least:.0%} and cut: it shows {cut.width:.0f} x {cut.height:.0f} of "
        f"{region.width:.0f} x {region.height:.0f} CSS pixels, from ({cut.x:.0f}, {cut.y:.0f}) of "
        "the page. For more: full_page=true with a clip of that page "
        f"({{'x': {cut.x:.0f}, 'y': {cut.y + cut.height:.0f}, ...}})."
    )


async def of_element(task: Task, race: Race, ref: Ref) -> tuple[Region, str]:
    """What can be seen of an element, scrolled into view; frames and boxes around it cut it off.

    Raises:
        StaleRef: it is gone.
        NotInteractable: nothing of it is shown.
    """
    _, found = await healing(task, race, ref, lambda ref, world: _of(task, race, ref, world))
    return cast("tuple[Region, str]", found)


async def _of(task: Task, race: Race, ref: Ref, world: ExecutionContext) -> tuple[Region, str]:
    try:
        owners = await owners_of(task, race, ref.frame_id)
        for owner in owners:
            await call(race, owner.world, "shownPart", owner.local_id)
        found = await call(race, world, "shownPart", ref.local_id)
        if found is None:
            raise Gone
        whole, seen = Region(*found["whole"]), Region(*found["seen"])
        for owner in reversed(owners):
            outer = await call(race, owner.world, "shownPart", owner.local_id)
            if outer is None:
                raise WorldGone
            inside = Region(*outer["content"]).within(Region(*outer["seen"]))
            whole = _outwards(whole, outer)
            seen = _outwards(seen, outer).within(inside)
            found = outer
    except WorldGone as gone:
        raise stale(ref, "its document was replaced while it was measured") from gone
    if min(seen.width, seen.height) < 1:
        raise NotInteractable(
            f"Nothing of {ref.ref} ({ref.role} {ref.name[:200]!r}) is shown.",
            "Take a new snapshot: something else may have to be done first.",
            ref=ref.ref,
            reason="hidden" if min(whole.width, whole.height) < 1 else "outside",
        )
    part = seen.width * seen.height / (whole.width * whole.height)
    note = (
        ""
        if part > 0.995
        else (
            f"Only {part:.0%} of it is shown: what it stands in cuts it off, or has to be scrolled."
        )
    )
    return _on_page(seen, found["page"]), note


def _outwards(inner: Region, outer: Mapping[str, Any]) -> Region:
    """From an iframe's document to the one that it stands in."""
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
