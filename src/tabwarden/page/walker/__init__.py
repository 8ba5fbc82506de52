"""The walker: Tabwarden's JavaScript in each frame's isolated world, and the code that calls it.

``js/`` contains the walker's ES modules, and ``tools/bundle_walker.py`` joins them into
``walker.bundle.js``. ``worlds`` injects the bundle and calls functions that ``js/walker.js``
exports. ``walk_records`` decodes the result of a walk.
"""

from tabwarden.page.walker.click_listeners import ClickListeners, listeners_of
from tabwarden.page.walker.document_kinds import DocumentKind, document_kind
from tabwarden.page.walker.walk_records import Layers, Nodes, Props, decode
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
    "ClickListeners",
    "DocumentKind",
    "Layers",
    "Nodes",
    "Props",
    "WorldGone",
    "Worlds",
    "call_walker",
    "command_for",
    "decode",
    "document_kind",
    "element",
    "frame_not_found",
    "listeners_of",
    "start",
    "value_of",
]
