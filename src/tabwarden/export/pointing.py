"""Convert points on a screenshot, for the mouse and fingers, to points in the viewport.

A script has no screenshot. So a click, hover or drag becomes a call on the element that was at the
point. All other calls get points in CSS pixels of the viewport.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

import msgspec

from tabwarden.export.calls import RecordedCall

_OF_PICTURE = ("x", "y", "to_x", "to_y", "path", "pixels", "picture_width", "direction", "distance")
_ON_ELEMENTS = {"click": "click", "move": "hover", "drag": "drag"}
"""For each mode of ``mouse``, the action that does the same with an element."""
Way = list[tuple[float, float]]


def is_lost(call: RecordedCall) -> bool:
    """Whether the trace lacks the viewport points of a call."""
    return not call.points and call.arguments.get("pixels") != "css"


def at_elements(call: RecordedCall, *, is_held: bool) -> RecordedCall:
    """Return a call of ``mouse`` as a click, hover or drag on an element if possible. Otherwise,
    return it with its points in CSS pixels.

    Args:
        call: a call of ``mouse`` that is not lost.
        is_held: whether a button is down before the call.
    """
    arguments = call.arguments
    mode = str(arguments.get("mode"))
    is_plain = not arguments.get("hold_ms") and not arguments.get("path") and not is_held
    if mode == "move" and arguments.get("modifiers"):
        is_plain = False
    if not is_plain or mode not in _ON_ELEMENTS:
        return in_css_pixels(call)
    way = call.points or _way_of(arguments)
    names = ("from_x", "from_y", "to_x", "to_y") if mode == "drag" else ("x", "y")
    points = dict(zip(names, chain(way[0], way[-1]), strict=False))
    more = {name: one for name, one in arguments.items() if name not in (*_OF_PICTURE, "mode")}
    return msgspec.structs.replace(
        call, action=_ON_ELEMENTS[mode], arguments={**more, **points}, points=[]
    )


def in_css_pixels(call: RecordedCall) -> RecordedCall:
    """Return a call of ``mouse`` or ``touch`` with all points in CSS pixels."""
    arguments = call.arguments
    way = call.points or _way_of(arguments)
    others = {name: one for name, one in arguments.items() if name not in _OF_PICTURE}
    if arguments.get("ref") and arguments.get("direction"):
        others |= {name: arguments[name] for name in ("direction", "distance") if name in arguments}
    elif way[1:]:
        others |= {"to_x": way[-1][0], "to_y": way[-1][1]}
    if way and not arguments.get("ref"):
        others |= {"x": way[0][0], "y": way[0][1]}
    if way[2:]:
        others["path"] = [list(one) for one in way[1:-1]]
    return msgspec.structs.replace(call, arguments={**others, "pixels": "css"}, points=way)


def _way_of(arguments: Mapping[str, Any]) -> Way:
    """Return the points in a call's arguments, ordered from start to end."""
    ends = [(arguments.get("x"), arguments.get("y")), *(arguments.get("path") or ())]
    ends.append((arguments.get("to_x"), arguments.get("to_y")))
    return [(float(x), float(y)) for x, y in ends if x is not None and y is not None]
