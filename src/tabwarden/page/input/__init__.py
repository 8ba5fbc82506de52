"""Input: mouse, touch and keyboard actions. Each action finds its element with ``elements``, sends
trusted input events, and reports the result.
"""

from tabwarden.page.input.forms import (
    NoSuchUpload,
    check,
    drop,
    file_in,
    files_in,
    fill,
    select,
    upload,
)
from tabwarden.page.input.holding import parse_modifiers
from tabwarden.page.input.pointing import drag, mouse, pointer, scroll, touch, viewport
from tabwarden.page.input.typing import chord_names, give_focus, keyboard

__all__ = [
    "NoSuchUpload",
    "check",
    "chord_names",
    "drag",
    "drop",
    "file_in",
    "files_in",
    "fill",
    "give_focus",
    "keyboard",
    "mouse",
    "parse_modifiers",
    "pointer",
    "scroll",
    "select",
    "touch",
    "upload",
    "viewport",
]

PUBLIC = ("holding",)
