"""What each tool answers with when it went well, and the JSON Schema of that."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from tabwarden.actions.output import schema_of
from tabwarden.page.result import NewSinceLast

__all__ = [
    "Answered",
    "Clicked",
    "Commanded",
    "Images",
    "Looked",
    "Navigated",
    "Pressed",
    "Read",
    "Scrolled",
    "Typed",
    "WentBack",
    "output_schema",
]

Objects = list[dict[str, Any]]

_FAILED = {
    "type": "object",
    "properties": {
        "success": {"const": False},
        "error": {"type": "string"},
        "code": {"type": "string"},
        "data": {"type": "object"},
    },
    "required": ["success", "error", "code"],
}


class _Went(TypedDict):
    success: Literal[True]


class _Well(_Went, total=False):
    """What Tabwarden tells beside that design's fields, when there is something to tell."""

    interrupted_by: dict[str, Any]
    next: str
    note: str
    pending_dialogs: Objects
    new_since_last: NewSinceLast
    coerced: list[str]


class _Seen(_Well, total=False):
    """Beside a snapshot; where dialogs can't be answered there is nothing of them."""

    frame_tree: dict[str, Any]
    recent_dialogs: Objects


class _Led(_Seen):
    url: str
    title: str


class Navigated(_Led, total=False):
    """``browser_navigate``; the snapshot is not there where the page could not be read."""

    snapshot: str
    element_count: int


class Read(_Seen):
    """``browser_snapshot``."""

    snapshot: str
    element_count: int


class Clicked(_Well):
    """``browser_click``."""

    clicked: str


class Typed(_Well):
    """``browser_type``."""

    typed: str
    element: str


class Scrolled(_Well):
    """``browser_scroll``."""

    scrolled: Literal["up", "down"]


class WentBack(_Well):
    """``browser_back``."""

    url: str


class Pressed(_Well):
    """``browser_press``."""

    pressed: str


class Looked(_Well, total=False):
    """``browser_console``: the messages; or, of an expression, its value."""

    console_messages: Objects
    js_errors: Objects
    total_messages: int
    total_errors: int
    result: Any
    result_type: str


class Images(_Well):
    """``browser_get_images``."""

    images: Objects
    count: int


class Answered(_Well):
    """``browser_dialog``."""

    action: Literal["accept", "dismiss"]
    dialog: dict[str, Any]


class _Sent(_Well):
    method: str
    result: Any


class Commanded(_Sent, total=False):
    """``browser_cdp``; of a frame the session too, of a tab its target."""

    frame_id: str
    session_id: str | None
    target_id: str


def output_schema(gives: type) -> dict[str, Any]:
    """The schema of a tool's answers, those of errors too.

    Args:
        gives: which of these it answers with.
    """
    return schema_of((gives,), _FAILED)
