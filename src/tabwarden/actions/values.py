"""Values: what each action's result is for, as types; their meaning is told where they are made.

Surfaces make schemas of them (``tabwarden.actions.output``). Other keys may come beside those here.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

__all__ = [
    "Box",
    "ClipboardRead",
    "ClipboardWritten",
    "ConsoleLine",
    "Cookie",
    "Deleted",
    "Dialog",
    "Downloaded",
    "Dragged",
    "Emulated",
    "Filled",
    "Findings",
    "KeptFile",
    "NetworkEntry",
    "NetworkLog",
    "Permission",
    "Picture",
    "Prompt",
    "Scraped",
    "Scrolled",
    "Selected",
    "Size",
    "StateFile",
    "Stored",
    "Tab",
    "Typed",
    "Uploaded",
    "Waited",
]


class Size(TypedDict):
    """CSS pixels, as the page sees it."""

    width: float
    height: float


class Box(Size):
    """CSS pixels of the viewport."""

    x: float
    y: float


class Waited(TypedDict):
    """``frame_id`` or ``ref`` of what was waited for come too where there is one."""

    waited_ms: int


class Scrolled(TypedDict, total=False):
    """How far, where to, and what is left that way, in CSS pixels; nothing of a replaced page."""

    moved: float
    x: float
    y: float
    left: float


class Typed(TypedDict, total=False):
    """What the field holds then, as far as it may be shown."""

    value: str


class Dragged(TypedDict, total=False):
    """How it was taken."""

    kind: Literal["html5", "pointer"]
    effect: str


class Selected(TypedDict):
    """The labels that are chosen then."""

    selected: list[str]


class Filled(TypedDict, total=False):
    """By field: its ref and the value that it holds, or the error."""

    filled: list[dict[str, Any]]
    failed: list[dict[str, Any]]


class Uploaded(TypedDict):
    """The files' names."""

    files: list[str]


class Tab(TypedDict):
    """One of the tabs, oldest first."""

    tab_id: str
    url: str
    title: str
    status: str
    active: bool
    target_id: str
    generation: int


class Dialog(TypedDict):
    """A dialog that was answered."""

    id: str
    type: str
    message: str
    default_prompt: str
    tab_id: str
    url: str
    accepted: bool | None
    closed_by: str


class Prompt(TypedDict):
    """Who asked for a password; with the question's ``id`` where one was answered."""

    origin: str


class Permission(TypedDict):
    """What was set, for one origin or for all."""

    name: str
    setting: str
    origin: str | None


class ConsoleLine(TypedDict):
    """One message; ``at`` is seconds since the epoch."""

    level: str
    text: str
    url: str
    line: int | None
    source: str
    at: float


class Found(TypedDict):
    """One element."""

    ref: str
    role: str
    name: str
    tag: str
    frame_id: str
    visible: bool


class Findings(TypedDict):
    """The first ``max`` elements, how many there are, and the frames that could not be read."""

    found: list[Found]
    total: int
    unread: list[dict[str, Any]]


class Scraped(TypedDict):
    """``next_offset`` is null where there is no more."""

    format: str
    text: str
    offset: int
    next_offset: int | None


class Picture(TypedDict):
    """A screenshot, beside the image itself. ``scale``: picture pixels to a CSS pixel."""

    status: Literal["ok"]
    media_type: str
    width: int
    height: int
    scale: float


class KeptFile(TypedDict):
    """A file that was written; ``size`` in bytes."""

    path: str
    filename: str
    size: int
    mime_type: str
    sha256: str


class Downloaded(KeptFile):
    """``url`` is where it came from in the end."""

    url: str


class Cookie(TypedDict):
    """Seconds since the epoch, or null for as long as the browser runs; ``value`` where asked."""

    name: str
    domain: str
    path: str
    expires: float | None
    secure: bool
    http_only: bool
    same_site: str | None
    size: int


class Deleted(TypedDict):
    """How many cookies."""

    deleted: int


class Stored(TypedDict, total=False):
    """What is in the area, or what was done to it."""

    area: Literal["local", "session"]
    origin: str
    items: list[dict[str, Any]]


class StateFile(TypedDict, total=False):
    """How many cookies, of which origins the storage, and the file where it was saved."""

    cookies: int
    origins: list[str]


class ClipboardRead(TypedDict):
    """The text, cut where it is long; ``chars`` is all of it."""

    text: str
    chars: int
    truncated: bool


class ClipboardWritten(TypedDict):
    """How much was written."""

    written: bool
    chars: int


class Emulated(TypedDict, total=False):
    """All that is pretended; of headers, the names."""

    device: dict[str, Any]
    user_agent: str
    locale: str
    timezone: str
    color_scheme: str
    reduced_motion: str
    media: str
    geolocation: dict[str, Any]
    offline: bool
    headers: list[str]


class NetworkEntry(TypedDict):
    """A request; with ``request_id`` also the body of its response."""

    id: str
    method: str
    url: str
    type: str
    status: int | None
    mime_type: str
    pending: bool


class NetworkLog(TypedDict):
    """The last requests, and how many there are no more or were left out."""

    recording_since: float | None
    requests: list[NetworkEntry]
    left_out: int
    forgotten: int
