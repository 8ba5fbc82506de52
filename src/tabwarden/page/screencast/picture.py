"""Picture: one image of a tab, and which part of the page it shows."""

from __future__ import annotations

import base64
import time

import msgspec

from tabwarden.protocol import decode_event, page


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """One image of a tab's viewport."""

    tab_id: str
    number: int
    """Counts the tab's pictures from 1."""
    data: bytes
    """A JPEG file."""
    width: float
    height: float
    """The size of the viewport in CSS pixels; the image itself may be smaller."""
    top: float
    """Where the viewport begins in the image, in CSS pixels."""
    scale: float
    """How far the page is zoomed in (pinch zoom)."""
    scroll_x: float
    scroll_y: float
    taken_at: float | None
    """When the browser took it, in wall-clock seconds since the epoch."""

    def age_s(self, most_s: float) -> float:
        """Return how many seconds ago the browser took it, at most ``most_s``."""
        return 0.0 if self.taken_at is None else min(max(time.time() - self.taken_at, 0.0), most_s)


def picture_of(params: msgspec.Raw | bytes, tab_id: str, number: int) -> tuple[Picture, int]:
    """Decode ``Page.screencastFrame``. Return the picture, and the number to acknowledge."""
    frame = decode_event(page.ScreencastFrame, params)
    about = frame.metadata
    taken_at = about.timestamp
    picture = Picture(
        tab_id=tab_id,
        number=number,
        data=base64.b64decode(frame.data),
        width=about.device_width,
        height=about.device_height,
        top=about.offset_top,
        scale=about.page_scale_factor,
        scroll_x=about.scroll_offset_x,
        scroll_y=about.scroll_offset_y,
        taken_at=taken_at if isinstance(taken_at, float | int) else None,
    )
    return picture, frame.session_id
