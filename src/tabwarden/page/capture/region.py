"""The part of a page that a screenshot shows, scaled to stay within the limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.page.elements import Region

LARGEST_SIDE = 16_384
"""Chromium's limit for a captured surface, in pixels."""
_LEAST_SCALE = 0.5
"""The minimum scale. Smaller text would be unreadable, so a region that needs a smaller scale is
cropped."""


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
