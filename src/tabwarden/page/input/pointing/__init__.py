"""Mouse and touch actions on an element or a point: click, hover, drag, scroll, swipe.

``press_guard`` blocks a mouse press that would hit another element than the intended one.

To change:

- how a point on a screenshot maps to the page: ``picture_points.py``; ``TabMemory.picture``
  describes each tab's last screenshot
- how a click happens: ``mouse.py``; ``page/elements/actionability.py`` and
  ``page/walker/js/input/aim.js`` find the point and any cover, ``press_guard.py`` and
  ``oopif_hit_check.py`` stop a press on another element
- when the end of a list is reached, and how far ``scroll`` went: ``scroll.py``;
  ``page/walker/js/input/wheel.js`` and ``page/walker/js/geometry/scrolling.js`` measure
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
