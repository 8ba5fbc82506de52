"""The types of the actions' result values. Every interface derives its schemas from these types.

A value may have keys that its type does not list.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, Required, TypedDict

import msgspec


class Size(TypedDict):
    """A size in CSS pixels."""

    width: float
    height: float


class Box(Size):
    """A box in CSS pixels of the viewport."""

    x: float
    y: float


class Waited(TypedDict):
    """How long a wait took, and the frame, element, download or script result that ended the wait.
    If the call had several conditions, also the condition that was met.
    """

    waited_ms: int
    index: NotRequired[int]
    condition: NotRequired[dict[str, Any]]
    value: NotRequired[Any]
    frame_id: NotRequired[str]
    ref: NotRequired[str]
    download: NotRequired[Download]


class Scrolled(TypedDict, total=False):
    """The scrolled distance, the new position, and the remaining distance. Empty if the page
    navigated during the call.
    """

    moved: float
    x: float
    y: float
    left: float


class Typed(TypedDict, total=False):
    """The field's new content, unless it is secret."""

    value: str
    was: str
    """The previous content, which the new text replaced; at most 200 characters."""


class Dragged(TypedDict, total=False):
    """How a drag was performed; ``effect`` is the drop effect of an HTML drag."""

    kind: Literal["html5", "pointer"]
    effect: str


class Selected(TypedDict):
    """The labels of all options that are now selected."""

    selected: list[str]


class Filled(TypedDict):
    """Each field's ref, with its new value or the error."""

    filled: list[dict[str, Any]]
    failed: NotRequired[list[dict[str, Any]]]


class BatchStep(TypedDict):
    """A completed step of a batch: its action's result, or its error."""

    tool: str
    status: Literal["ok", "interrupted", "failed"]
    result: NotRequired[Any]
    error: NotRequired[dict[str, Any]]


class Batched(TypedDict):
    """The completed steps of a batch, and the tools of the steps that did not run."""

    steps: list[BatchStep]
    not_run: list[str]


class Pointed(TypedDict):
    """The mouse position in the viewport, in CSS pixels. After a press, also the element that was
    there; after a drag, the fields of ``Dragged``.
    """

    x: float
    y: float
    ref: NotRequired[str]
    role: NotRequired[str]
    name: NotRequired[str]
    kind: NotRequired[Literal["html5", "pointer"]]
    effect: NotRequired[str]


class Touched(TypedDict):
    """A page's scroll position in CSS pixels, and its zoom."""

    x: float
    y: float
    scale: float


class Dropped(TypedDict):
    """The names of the dropped files, the MIME types of the dropped data, and the page's effect:
    ``copy``, ``move`` or ``link``; ``unknown`` if the page navigated.
    """

    files: list[str]
    types: list[str]
    effect: str


class CheckedState(TypedDict):
    """Whether a control is checked, and whether the call changed that."""

    checked: bool
    changed: bool


class Inspected(TypedDict):
    """An element's properties. ``box`` is ``[x, y, width, height]`` in CSS pixels of the tab's
    viewport, null if the element has no box. ``reason`` says why the element is not visible.
    ``listeners`` are the event types for which the element itself has listeners; null if the
    browser does not report them.
    """

    ref: str
    frame_id: str
    tag: str
    role: str
    name: str
    text: str
    attributes: dict[str, str]
    attributes_left_out: int
    states: dict[str, Any]
    styles: dict[str, str]
    visible: bool
    reason: str
    covered_by: dict[str, Any] | None
    box: list[float] | None
    in_viewport: bool
    listeners: list[str] | None


class OfferedTool(TypedDict):
    """A tool that a page offers. All texts are the page's own."""

    name: str
    description: str
    frame_id: str
    schema: Any
    traits: NotRequired[list[str]]


class PageToolRun(TypedDict, total=False):
    """A page tool's result, a report that the tool filled in a form, or the list of tools."""

    output: Any
    cut_from: int
    filled: bool
    tools: list[OfferedTool]
    left_out: int


class Uploaded(TypedDict):
    """The names of the uploaded files."""

    files: list[str]


class Tab(TypedDict):
    """A tab; the list has the oldest tab first."""

    tab_id: str
    url: str
    title: str
    status: str
    active: bool
    target_id: str
    generation: int


class Dialog(TypedDict):
    """A closed dialog: its message, and who closed it."""

    id: str
    type: str
    message: str
    default_prompt: str
    tab_id: str
    url: str
    accepted: bool | None
    closed_by: str


class Prompt(TypedDict):
    """The server that requested a password, with the prompt's ``id`` if the call answered a
    prompt.
    """

    origin: str


class Chosen(TypedDict):
    """``choice`` is null if the prompt was canceled."""

    id: str
    choice: str | None


class Permission(TypedDict):
    """A permission setting; ``origin`` is null for all origins."""

    name: str
    setting: str
    origin: str | None


class Handoff(TypedDict):
    """How a hand-off to a person ended, or that the hand-off is still waiting."""

    id: str
    outcome: Literal[
        "done", "refused", "idle", "operator", "nobody", "closed", "waiting", "under_way"
    ]
    by: NotRequired[str]
    message: NotRequired[str]
    """The person's message to the agent."""


class ConsoleLine(TypedDict):
    """One console message; ``at`` is seconds since the epoch."""

    level: str
    text: str
    url: str
    line: int | None
    source: str
    at: float


class FoundElement(TypedDict):
    """An element that a search found."""

    ref: str
    role: str
    name: str
    near: NotRequired[str]
    """The label next to a field that has no accessible name."""
    context: NotRequired[str]
    """A text near an element that a query in words found, such as the row's text."""
    tag: NotRequired[str]
    """The HTML tag; missing if a query in words found the element."""
    frame_id: str
    visible: bool
    hidden: NotRequired[Literal["until-found"]]
    """Whether the browser's search in the page would reveal the element."""


class Findings(TypedDict):
    """``total`` counts all matches; ``unread`` lists the frames that could not be searched."""

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
    """A screenshot without its image. ``scale`` is the number of image pixels per CSS pixel. ``id``
    identifies the screenshot; "" if its points can't be mapped to the page.
    """

    status: Literal["ok"]
    media_type: str
    width: int
    height: int
    scale: float
    id: str


class SavedFile(msgspec.Struct, frozen=True):
    """A complete result, saved to a file."""

    path: str
    filename: str
    size: int
    """The size in bytes."""
    lines: int
    """The number of lines; 0 for an image."""
    first_lines: tuple[str, ...] = ()
    """The first lines; long lines are shortened."""


class KeptFile(TypedDict):
    """A saved file. ``size`` is in bytes."""

    path: str
    filename: str
    size: int
    mime_type: str
    sha256: str


class Download(TypedDict):
    """A download, in progress or ended, and the tab that started it. Null means that a value is not
    known yet, or not known on this computer.
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
    """The number of deleted cookies or items."""

    deleted: int


class Stored(TypedDict, total=False):
    """The content of a storage area, or the result of a change."""

    area: Literal["local", "session"]
    origin: str
    items: list[dict[str, Any]]


class CookieFile(TypedDict):
    """The number of cookies, and the saved file or the loaded cookies' hosts."""

    cookies: int
    path: NotRequired[str]
    domains: NotRequired[list[str]]


class StateFile(TypedDict):
    """The number of cookies and passkeys, the origins with storage, and the saved file."""

    cookies: int
    origins: list[str]
    passkeys: NotRequired[int]
    path: NotRequired[str]


class TraceFile(TypedDict):
    """A saved trace: its path, its number of calls, and the seconds that it covers."""

    path: str
    calls: int
    seconds: float


class ClipboardRead(TypedDict):
    """Text, shortened if it is long; ``chars`` is the full length."""

    text: str
    chars: int
    truncated: bool


class ClipboardWritten(TypedDict):
    """Whether the clipboard was written, and the text's length in characters."""

    written: bool
    chars: int


class InitScripts(TypedDict, total=False):
    """The scripts that run in every document; ``id`` identifies the script just added."""

    id: str
    scripts: list[dict[str, Any]]


class Emulated(TypedDict, total=False):
    """All emulation settings; only the names of headers."""

    device: dict[str, Any]
    user_agent: str
    locale: str
    timezone: str
    color_scheme: str
    reduced_motion: str
    media: str
    geolocation: dict[str, Any]
    offline: bool
    network: dict[str, Any]
    cpu: float
    headers: list[str]


class Recording(TypedDict):
    """A recording has started."""

    recording: bool


class InspectionFile(TypedDict):
    """A saved file; ``size`` is in bytes."""

    path: str
    size: int


class Violation(TypedDict):
    """An axe-core rule that elements violate; each node has ``ref``, ``frame_id``, ``role``,
    ``name``, ``target`` (a selector) and ``why``.
    """

    id: str
    impact: str
    help: str
    help_url: str
    tags: list[str]
    count: int
    nodes: list[dict[str, Any]]


class Audit(TypedDict):
    """The results of axe-core. ``findings`` describes them in sentences."""

    findings: list[str]
    violations: list[Violation]
    left_out: int
    incomplete: int
    passes: int
    unread: list[dict[str, str]]
    axe: str


class Memory(TypedDict):
    """A page's memory usage; sizes are in bytes. ``findings`` describes the memory usage in
    sentences.

    Each sample has ``at_s``, ``heap_used``, ``heap_total``, ``nodes``, ``documents`` and
    ``listeners``. With a heap snapshot, ``heap`` has ``bytes``, ``objects``, ``classes`` (``name``,
    ``count``, ``bytes``) and ``detached`` (``name``, ``count``).
    """

    findings: list[str]
    samples: list[dict[str, Any]]
    heap: NotRequired[dict[str, Any]]
    file: NotRequired[InspectionFile]


class Coverage(TypedDict):
    """How much of its code a page uses. Sizes are in characters. ``findings`` describes the result
    in sentences.

    Each file has ``url``, ``type`` (``js`` or ``css``), ``bytes`` and ``unused_bytes``.
    """

    findings: list[str]
    bytes: int
    unused_bytes: int
    files: list[dict[str, Any]]
    left_out: int
    file: NotRequired[InspectionFile]


class Performance(TypedDict):
    """A page's performance, from a trace. ``findings`` describes the performance in sentences."""

    findings: list[str]
    file: InspectionFile
    url: str
    lcp: dict[str, Any] | None
    fcp_ms: float | None
    ttfb_ms: float | None
    inp: dict[str, Any] | None
    cls: dict[str, Any]
    long_tasks: dict[str, Any]
    requests: dict[str, Any]
    traced_ms: float | None


class Routed(TypedDict, total=False):
    """A route: the requests that it matches, and how it handles them."""

    id: Required[str]
    url: Required[str]
    does: Required[str]
    method: str
    resource_type: list[str]
    times: int
    matches: Required[int]
    unmatched_for_s: int


class Routes(TypedDict):
    """All routes, oldest first."""

    routes: list[Routed]


class RoutesRemoved(TypedDict):
    """The ids of the removed routes."""

    removed: list[str]


class NetworkEntry(TypedDict):
    """A request. A call with ``request_id`` also returns the request's headers, timings, body and
    more.
    """

    id: str
    method: str
    url: str
    type: str
    status: int | None
    mime_type: str
    pending: bool


class HarFile(TypedDict):
    """A HAR file; ``size`` is in bytes."""

    path: str
    size: int
    requests: int


class NetworkLog(TypedDict):
    """The latest requests; ``left_out`` and ``forgotten`` count the requests that are not
    listed.
    """

    recording_since: float | None
    requests: list[NetworkEntry]
    left_out: int
    forgotten: int
