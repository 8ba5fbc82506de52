"""The type of each tool's successful result, and its JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta

from tabwarden.actions import schema_of
from tabwarden.page import NewSinceLast

Objects = list[dict[str, Any]]

_FAILED = {
    "type": "object",
    "properties": {
        "success": {"const": False},
        "error": {"type": "string"},
        "code": {"type": "string"},
        "data": {"type": "object"},
        "cdp_docs": {"type": "string"},
    },
    "required": ["success", "error", "code"],
}


class _Went(TypedDict):
    success: Annotated[bool, Meta(extra_json_schema={"const": True})]


class _Well(_Went, total=False):
    """The fields that Tabwarden adds to Hermes Agent's fields when they are not empty."""

    interrupted_by: dict[str, Any]
    next: str
    note: str
    pending_dialogs: Objects
    new_since_last: NewSinceLast
    coerced: list[str]


class _Seen(_Well, total=False):
    """A snapshot's fields. If the browser does not support handling dialogs, the fields about
    dialogs are missing.
    """

    frame_tree: dict[str, Any]
    recent_dialogs: Objects


class _Led(_Seen):
    url: str
    title: str
    tab_id: str


class Navigated(_Led, total=False):
    """``browser_navigate``. The snapshot is missing if the page could not be read."""

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
    """``browser_console``: the messages, or the value of an expression."""

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


class Seen(_Well):
    """``browser_vision``; the screenshot is returned beside this result."""

    question: str
    width: int
    height: int


class Attached(_Well):
    """``browser_connect``, ``browser_disconnect``."""

    connected: bool


class Commanded(_Sent, total=False):
    """``browser_cdp``. Includes the frame's session ID or the tab's target ID."""

    frame_id: str
    session_id: str | None
    target_id: str


def output_schema(gives: type) -> dict[str, Any]:
    """Return the schema of a tool's results: the type ``gives``, or an error."""
    return schema_of((gives,), _FAILED)
