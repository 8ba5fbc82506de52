"""Find a ref's element, the element's position on the screen, and any element that covers it.

``find`` and ``element`` turn queries and refs into elements. ``heal`` finds an element again after
the page has re-rendered it. ``aim`` returns a point where the mouse hits the element.

To change:

- how long an action waits for a covered or disabled element: ``obstacles.py`` decides,
  ``actionability.py`` waits; ``page/walker/js/input/aim.js`` finds the cover, and
  ``page/walker/js/input/obstacle.js`` describes it
"""

from tabwarden.page.elements.actionability import (
    Aim,
    Box,
    Point,
    aim,
    box,
    not_interactable_error,
    obscured_error,
    wait_for_obstacle,
)
from tabwarden.page.elements.boxes import boxes_in_view, boxes_of
from tabwarden.page.elements.closed import open_closed
from tabwarden.page.elements.each_frame import frame_ms, in_each_frame
from tabwarden.page.elements.element import element_of
from tabwarden.page.elements.heal import ElementGone, heal, healing, locate, node_of
from tabwarden.page.elements.hit_test import (
    hit_begun,
    hit_ended,
    middle,
    name_of_point,
    note_offset,
    note_point,
    ref_at,
    spots,
)
from tabwarden.page.elements.locators import note_locators
from tabwarden.page.elements.recorded import RecordedElement, ReplayMatch, find_recorded
from tabwarden.page.elements.selectors import is_selector, selector_of
from tabwarden.page.elements.shown_part import Region, shown_part
from tabwarden.page.elements.walk import (
    RESTLESS,
    SILENT,
    SLOW,
    WalkResult,
    owners_of,
    walk_all,
)

__all__ = [
    "RESTLESS",
    "SILENT",
    "SLOW",
    "Aim",
    "Box",
    "ElementGone",
    "Point",
    "RecordedElement",
    "Region",
    "ReplayMatch",
    "WalkResult",
    "aim",
    "box",
    "boxes_in_view",
    "boxes_of",
    "element_of",
    "find",
    "find_recorded",
    "frame_ms",
    "heal",
    "healing",
    "hit_begun",
    "hit_ended",
    "in_each_frame",
    "inspect",
    "is_selector",
    "locate",
    "middle",
    "name_of_point",
    "node_of",
    "not_interactable_error",
    "note_locators",
    "note_offset",
    "note_point",
    "obscured_error",
    "open_closed",
    "owners_of",
    "ref_at",
    "selector_of",
    "shown_part",
    "spots",
    "wait_for_obstacle",
    "walk_all",
]
