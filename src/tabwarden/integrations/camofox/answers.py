"""The types of a Camofox server's responses. ``Reply.read`` rejects a response of any other
type.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

__all__ = [
    "Download",
    "Downloads",
    "Event",
    "Events",
    "Frame",
    "Frames",
    "HeldDialog",
    "Images",
    "Links",
    "Listed",
    "Opened",
    "Result",
    "Tabs",
    "Text",
    "Went",
]


class _Answer(msgspec.Struct, frozen=True, rename="camel"):
    """Unknown fields are dropped."""


class Listed(_Answer, frozen=True):
    tab_id: str
    url: str = ""
    title: str | None = None


class Tabs(_Answer, frozen=True):
    tabs: tuple[Listed, ...]


class Went(_Answer, frozen=True):
    """The response to a navigation."""

    url: str = ""
    http_status: int | None = None


class Opened(Went, frozen=True, kw_only=True):
    tab_id: str


class Text(_Answer, frozen=True):
    """One piece of a page's snapshot. Positions count UTF-16 code units."""

    snapshot: str | None = None
    url: str | None = None
    truncated: bool | None = None
    total_chars: int | None = None
    has_more: bool | None = None
    next_offset: int | None = None


class Result(_Answer, frozen=True):
    """A script's result."""

    ok: bool = True
    result: Any = None
    error: str = ""


class Download(_Answer, frozen=True):
    id: str
    url: str | None = None
    suggested_filename: str | None = None
    mime_type: str | None = None
    size: int | None = msgspec.field(default=None, name="bytes")
    failure: str | None = None
    data_base64: bytes | None = None


class Downloads(_Answer, frozen=True):
    downloads: tuple[Download, ...] = ()


class _Link(_Answer, frozen=True):
    text: str | None = None
    url: str | None = None


class Links(_Answer, frozen=True):
    links: tuple[_Link, ...] = ()


class _Image(_Answer, frozen=True):
    alt: str | None = None
    src: str | None = None


class Images(_Answer, frozen=True):
    images: tuple[_Image, ...] = ()


class Frame(_Answer, frozen=True):
    frame_id: str
    parent_frame_id: str | None = None
    url: str = ""
    name: str | None = None


class Frames(_Answer, frozen=True):
    frames: tuple[Frame, ...] = ()


class HeldDialog(_Answer, frozen=True):
    """A dialog that the plugin keeps open."""

    id: str
    type: Literal["alert", "confirm", "prompt", "beforeunload"] = "alert"
    message: str = ""
    default_value: str | None = None
    frame_id: str | None = None
    url: str = ""
    opened_at: float = 0
    """Milliseconds since the epoch."""
    open_for_ms: float | None = None
    """When the plugin will dismiss the dialog; None if the plugin is an older version."""


class Event(_Answer, frozen=True):
    event: str
    tab_id: str = ""
    dialog: HeldDialog | None = None
    id: str = ""
    accepted: bool | None = None
    by: str = ""
    url: str = ""
    opener_tab_id: str | None = None
    reason: str | None = None


class Events(_Answer, frozen=True):
    next: int
    events: tuple[Event, ...] = ()
