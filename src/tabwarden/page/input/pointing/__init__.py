"""Pointing: mouse and touch, on an element or on a point: click, hover, drag, scroll, swipe.

``press_guard`` blocks a mouse press that would hit any element but the intended one.

To change:

- which point of the page a point on a screenshot means: ``picture_points.py``;
  ``TabMemory.picture`` keeps what the last screenshot of each tab shows
"""

from tabwarden.page.input.pointing import drag, mouse, pointer, scroll, touch, viewport
from tabwarden.page.input.pointing.drag import listen_for_drag
from tabwarden.page.input.pointing.mouse import click, click_at, point_of

__all__ = [
    "click",
    "click_at",
    "drag",
    "listen_for_drag",
    "mouse",
    "point_of",
    "pointer",
    "scroll",
    "touch",
    "viewport",
]
