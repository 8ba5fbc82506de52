"""Pointing: the mouse and fingers at points of a picture, as calls with points of the viewport.

A script has no picture. So a click, a hover or a drag becomes one of the element that was there,
and everything else gets its points in CSS pixels of the viewport.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

import msgspec

from tabwarden.export.calls import RecordedCall

_OF_PICTURE = ("x", "y", "to_x", "to_y", "path", "pixels", "picture_width", "direction", "distance")
_ON_ELEMENTS = {"click": "click", "move": "hover", "drag": "drag"}
"""The actions that do the same on an element as a mode of the mouse at a point."""
Way = list[tuple[float, float]]


def is_lost(call: RecordedCall) -> bool:
    """Whether the trace does not say which points of the viewport a call means."""
    return not call.points and call.arguments.get("pixels") != "css"


def at_elements(call: RecordedCall, *, is_held: bool) -> RecordedCall:
    """Return a call of ``mouse`` as a click, a hover or a drag, or else with its points in CSS
    pixels.

    Args:
        call: a call of ``mouse`` that is not lost.
        is_held: whether a button is down before it.
    """
    given = call.arguments
    mode = str(given.get("mode"))
    is_plain = not given.get("hold_ms") and not given.get("path") and not is_held
    if mode == "move" and given.get("modifiers"):
        is_plain = False
    if not is_plain or mode not in _ON_ELEMENTS:
        return in_css_pixels(call)
    way = call.points or _way_of(given)
    names = ("from_x", "from_y", "to_x", "to_y") if mode == "drag" else ("x", "y")
    points = dict(zip(names, chain(way[0], way[-1]), strict=False))
    more = {name: one for name, one in given.items() if name not in (*_OF_PICTURE, "mode")}
    return msgspec.structs.replace(
        call, action=_ON_ELEMENTS[mode], arguments={**more, **points}, points=[]
    )


def in_css_pixels(call: RecordedCall) -> RecordedCall:
    """Return a call of ``mouse`` or ``touch`` with all of its points in CSS pixels."""
    given = call.arguments
    way = call.points or _way_of(given)
    told = {name: one for name, one in given.items() if name not in _OF_PICTURE}
    if given.get("ref") and given.get("direction"):
        told |= {name: given[name] for name in ("direction", "distance") if name in given}
    elif way[1:]:
        told |= {"to_x": way[-1][0], "to_y": way[-1][1]}
    if way and not given.get("ref"):
        told |= {"x": way[0][0], "y": way[0][1]}
    if way[2:]:
        told["path"] = [list(one) for one in way[1:-1]]
    return msgspec.structs.replace(call, arguments={**told, "pixels": "css"}, points=way)


def _way_of(given: Mapping[str, Any]) -> Way:
    """Return the points that a call names, from its start to its end."""
    ends = [(given.get("x"), given.get("y")), *(given.get("path") or ())]
    ends.append((given.get("to_x"), given.get("to_y")))
    return [(float(x), float(y)) for x, y in ends if x is not None and y is not None]
