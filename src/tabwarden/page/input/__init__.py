"""Input: mouse, keyboard, scrolling, dragging, selecting, filling and uploading.

Each action finds its element with ``elements``, sends trusted input events, and reports the result.
``press_guard`` blocks a mouse press that would hit any element but the intended one.
"""

from tabwarden.page.input.keys import chord_name, parse_chord, parse_modifiers
from tabwarden.page.input.upload import NoSuchUpload, files_in

__all__ = [
    "NoSuchUpload",
    "check",
    "chord_name",
    "drag",
    "drop",
    "files_in",
    "fill",
    "give_focus",
    "keyboard",
    "mouse",
    "parse_chord",
    "parse_modifiers",
    "pointer",
    "scroll",
    "select",
    "touch",
    "upload",
    "viewport",
]
