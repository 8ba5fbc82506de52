"""The walker: Tabwarden's JavaScript in each frame's isolated world, and how to call it.

``js/`` holds its ES modules, and ``tools/bundle_walker.py`` joins them into ``walker.bundle.js``.
``worlds`` injects that bundle and calls the functions that ``js/walker.js`` exports.
``walk_records`` decodes the result of a walk.
"""

from tabwarden.page.walker.walk_records import Nodes, Props, decode
from tabwarden.page.walker.worlds import (
    WorldGone,
    Worlds,
    call_walker,
    command_for,
    element,
    frame_not_found,
    start,
    value_of,
)

__all__ = [
    "Nodes",
    "Props",
    "WorldGone",
    "Worlds",
    "call_walker",
    "command_for",
    "decode",
    "element",
    "frame_not_found",
    "start",
    "value_of",
]
