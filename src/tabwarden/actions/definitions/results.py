"""The types of the actions' result values. Each value is documented where it is created.

Surfaces derive schemas from these types (``tabwarden.actions.output_schema``). A value may have
keys that its type does not list.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Size(TypedDict):
    """A size in CSS pixels, as the page measures it."""

    width: float
    height: float


class Box(Size):
    """A box in CSS pixels of the viewport."""

    x: float
    y: float


class Waited(TypedDict):
    """How long a wait took, plus the frame, element or download that ended it."""

    waited_ms: int
    frame_id: NotRequired[str]
    ref: NotRequired[str]
    download: NotRequired[Download]


class Scrolled(TypedDict, total=False):
    """The scrolled distance, the position, and the remaining distance, in CSS pixels. Empty if the
    page changed.
    """

    moved: float
    x: float
    y: float
    left: float


class Typed(TypedDict, total=False):
    """The field's new content, unless it is secret."""

    value: str


class Dragged(TypedDict, total=False):
    """How the page received the drag."""

    kind: Literal["html5", "pointer"]
    effect: str


class Selected(TypedDict):
    """The labels that are now selected."""

    selected: list[str]


class Filled(TypedDict, total=False):
    """For each field, its ref and its new value, or the error."""

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
    """An answered dialog."""

    id: str
    type: str
    message: str
    default_prompt: str
    tab_id: str
    url: str
    accepted: bool | None
    closed_by: str


class Prompt(TypedDict):
    """The server that asked for a password. Has an ``id`` if a waiting request was answered."""

    origin: str


class Chosen(TypedDict):
    """The prompt and the choice; the choice is null if the prompt was cancelled."""

    id: str
    choice: str | None


class Permission(TypedDict):
    """A permission that was set, for one origin or for all."""

    name: str
    setting: str
    origin: str | None


class ConsoleLine(TypedDict):
    """One console message; ``at`` is seconds since the epoch."""

    level: str
    text: str
    url: str
    line: int | None
    source: str
    at: float


class FoundElement(TypedDict):
    """One element that was found."""

    ref: str
    role: str
    name: str
    tag: str
    frame_id: str
    visible: bool


class Findings(TypedDict):
    """The first ``max`` elements, the total number, and the frames that could not be read."""

    found: list[FoundElement]
    total: int
    unread: list[dict[str, Any]]


class Scraped(TypedDict):
    """The text of a page; ``next_offset`` is null at the end."""

    format: str
    text: str
    offset: int
    next_offset: int | None


class Picture(TypedDict):
    """A screenshot, without the image itself. ``scale`` is picture pixels per CSS pixel."""

    status: Literal["ok"]
    media_type: str
    width: int
    height: int
    scale: float


class KeptFile(TypedDict):
    """A saved file; ``size`` is in bytes."""

    path: str
    filename: str
    size: int
    mime_type: str
    sha256: str


class Download(TypedDict):
    """A download, in progress or done. ``tab_id`` is the tab that started the download. A null
    value is not known yet, or can't be known on this computer.
    """

    id: str
    tab_id: str | None
    url: str
    suggested_filename: str
    filename: str
    status: Literal["in_progress", "completed", "canceled", "failed"]
    received_bytes: int
    size: int | None
    mime_type: str | None
    sha256: str | None
    path: str | None
    reason: str
    started_at: float


class Cookie(TypedDict):
    """A cookie. ``expires`` is seconds since the epoch, or null for a session cookie."""

    name: str
    domain: str
    path: str
    expires: float | None
    secure: bool
    http_only: bool
    same_site: str | None
    size: int


class Deleted(TypedDict):
    """The number of deleted cookies."""

    deleted: int


class Stored(TypedDict, total=False):
    """The content of the storage area, or the result of changing it."""

    area: Literal["local", "session"]
    origin: str
    items: list[dict[str, Any]]


class StateFile(TypedDict, total=False):
    """The number of cookies, the origins with storage, and the saved file."""

    cookies: int
    origins: list[str]


class ClipboardRead(TypedDict):
    """The text, shortened if long; ``chars`` is the full length."""

    text: str
    chars: int
    truncated: bool


class ClipboardWritten(TypedDict):
    """How much was written."""

    written: bool
    chars: int


class Emulated(TypedDict, total=False):
    """All emulated settings. Of the headers, only the names."""

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
    """A request. Has the response body if ``request_id`` was given."""

    id: str
    method: str
    url: str
    type: str
    status: int | None
    mime_type: str
    pending: bool


class NetworkLog(TypedDict):
    """The latest requests, and the numbers of requests that were dropped or left out."""

    recording_since: float | None
    requests: list[NetworkEntry]
    left_out: int
    forgotten: int
