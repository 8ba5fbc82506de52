"""Pictures: what a screenshot shows, so that its points can be found again."""

from __future__ import annotations

import msgspec

from tabwarden.protocol import page


class View(msgspec.Struct, frozen=True):
    """Where a tab is scrolled to, and its size, in CSS pixels."""

    x: float
    y: float
    """The page's point at the left top corner of what is visible."""
    width: float
    height: float

    @classmethod
    def of(cls, metrics: page.GetLayoutMetricsResult) -> View:
        seen = metrics.css_visual_viewport  # smaller than the viewport after a pinch
        return cls(seen.page_x, seen.page_y, seen.client_width, seen.client_height)


class TakenPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A screenshot that the agent has seen."""

    id: str
    document: str
    """The tab's document at that time."""
    width: int
    height: int
    """In pixels of the picture."""
    x: float
    y: float
    """The page's point at the picture's left top corner, in CSS pixels."""
    scale: float
    """Pixels of the picture per CSS pixel."""
    of_page: bool
    """Whether it shows more than the viewport. Then its points stay valid after a scroll."""
    view: View
