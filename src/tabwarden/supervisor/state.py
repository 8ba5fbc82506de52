"""The frozen state of one task's browser. Reading this file alone teaches what is supervised.

Nothing here is ever mutated: the machine returns new values, so a reader on any thread may hold
one for as long as it likes. Mappings are read-only views of dicts that nobody writes again.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import msgspec

from tabwarden.egress.gate import Gate, NetworkPolicy, Why
from tabwarden.egress.origins import Place
from tabwarden.protocol import target
from tabwarden.supervisor.emulation import Emulation
from tabwarden.supervisor.network_log import TabRequests
from tabwarden.supervisor.prompts import (
    AuthChallenge,
    Credentials,
    Download,
    FileChooser,
    Note,
    PermissionRule,
)

__all__ = [
    "CONSOLE_RING",
    "RECENT_DIALOGS",
    "Bridge",
    "BridgeMode",
    "Channel",
    "ClosedBy",
    "ClosedDialog",
    "ConsoleMessage",
    "DialogPolicy",
    "ExecutionContext",
    "FailedConnection",
    "Frame",
    "Health",
    "HeldPage",
    "PendingDialog",
    "SessionInfo",
    "SupervisorSnapshot",
    "SupervisorState",
    "Tab",
    "frozen",
    "replace",
]

RECENT_DIALOGS = 20
CONSOLE_RING = 50

replace = msgspec.structs.replace

K = TypeVar("K")
V = TypeVar("V")


def frozen(mapping: dict[K, V]) -> Mapping[K, V]:
    """A read-only view; the caller gives the dict away."""
    return MappingProxyType(mapping)


_NOTHING: Mapping[str, Any] = frozen({})


class DialogPolicy(StrEnum):
    """What happens to a dialog that opens."""

    MUST_RESPOND = "must_respond"
    AUTO_DISMISS = "auto_dismiss"
    AUTO_ACCEPT = "auto_accept"


class BridgeMode(StrEnum):
    """How dialogs wait."""

    AUTO = "auto"
    """Debugger where it costs nothing or is needed, else a request, else natively."""
    DEBUGGER = "debugger"
    """The debugger from the first script on; then a request, then natively."""
    XHR = "xhr"
    """A request, then natively."""
    NATIVE = "native"


ClosedBy = Literal["agent", "auto_policy", "watchdog", "remote"]
Channel = Literal["debugger", "xhr", "native"]
DialogType = Literal["alert", "confirm", "prompt", "beforeunload"]
HealthStatus = Literal["connecting", "live", "reconnecting", "gone"]
TabStatus = Literal["starting", "ready", "crashed"]


class PendingDialog(msgspec.Struct, frozen=True, kw_only=True):
    """A dialog that waits for an answer; while it does, its page stands still."""

    id: str
    type: str
    message: str
    default_prompt: str
    frame_id: str | None
    session_id: str
    target_id: str
    tab_id: str
    url: str
    opened_at: float
    """Seconds since the epoch."""
    deadline: float
    """Monotonic seconds: when the watchdog dismisses it."""
    channel: Channel = "native"
    """How it waits: natively, in a request of the page's that we hold, or in a pause of its script,
    which leaves the page readable."""
    held_by: str = ""
    """Where it waits: the call frame of the pause, or the request's id."""
    guarded: bool = False
    """It opened on a wire that is dead; the guard keeps it open, and answers it."""
    may_be_early: bool = False
    """Its document may be one that we have not been told of yet."""
    is_leaving: bool = False
    """Its document is on its way out: the browser takes no answer, and can only be made to close
    it."""
    answer: DialogAnswer | None = None
    """Set once an answer is on its way to the browser, so that nobody answers twice."""

    @property
    def is_left_behind(self) -> bool:
        """Whether the wire that it waited on is dead, and its page has not asked again."""
        return self.channel != "native" and not self.held_by


class DialogAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer that was given, and by whom."""

    accept: bool
    prompt_text: str | None
    by: ClosedBy


class ClosedDialog(msgspec.Struct, frozen=True, kw_only=True):
    """A dialog that was closed, one of the last 20."""

    id: str
    type: str
    message: str
    default_prompt: str
    frame_id: str | None
    session_id: str
    target_id: str
    tab_id: str
    url: str
    opened_at: float
    closed_at: float
    closed_by: ClosedBy
    accepted: bool | None
    """None when nobody can know: the page went away under the dialog."""
    prompt_text: str | None
    channel: Channel = "native"


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """One frame of one tab. Its ``frame_id`` stays while it navigates and swaps processes."""

    frame_id: str
    parent_frame_id: str | None
    session_id: str
    """The session that serves it: the tab's own, or its OOPIF target's."""
    url: str = ""
    origin: str = ""
    name: str = ""
    loader_id: str = ""
    """The document that stands in the frame now (``Page.Frame.loaderId``)."""
    lifecycle: frozenset[str] = frozenset()
    """What that document has reached: ``DOMContentLoaded``, ``load``, ``networkIdle``, ...; and
    ``stopped`` where it ended short of ``load``: the connection broke, or loading was stopped."""
    navigating: bool = False
    """Another document has been asked for and has neither committed nor failed."""
    bound_for: str = ""
    """The URL of that document, as far as it was told."""

    @property
    def is_parsed(self) -> bool:
        """Whether as much of its document is there as will come before its subresources."""
        return bool(self.lifecycle & {"DOMContentLoaded", "stopped"})

    @property
    def is_loaded(self) -> bool:
        """Whether its document has come to an end."""
        return bool(self.lifecycle & {"load", "stopped"})


class ExecutionContext(msgspec.Struct, frozen=True, kw_only=True):
    """A world of a frame: the main one, where the page's own scripts run, or our isolated one."""

    frame_id: str
    session_id: str
    context_id: int
    unique_id: str
    """``Runtime.ExecutionContextDescription.uniqueId``: never taken by a later context."""


class SessionInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A flattened CDP session on one page or iframe target."""

    session_id: str
    target_id: str
    target_type: str
    parent_session_id: str | None
    tab_id: str
    ready: bool = False
    """Set up and let run: the target answered its first commands."""
    debugging: Literal["off", "asked", "on"] = "off"
    """Whether its scripts can pause: the Debugger domain."""
    asking: bool = False
    """A script of it waits in a pause; what it asks for is being read."""
    bridge_scripts: Mapping[str, str] = _NOTHING
    """The bridge in each document: V8's script id to the frame."""


class Tab(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the task, popups included. ``tab_id`` stays when its target is replaced."""

    tab_id: str
    target_id: str
    session_id: str | None
    url: str
    title: str
    opener_tab_id: str | None = None
    browser_context_id: str | None = None
    """Whose cookies and storage it has; None: the browser did not say."""
    status: TabStatus = "starting"
    status_reason: str = ""
    documents: int = 0
    """How many documents have stood in it: a page that navigates itself all the time runs up."""
    scripts_off: bool = False
    """Its page hung anew each time it was stopped: its scripts don't run until it is left."""
    scripts_switched: bool = False
    """They have been off at some time."""
    generation: int = 1
    """Grows when the tab was lost and replaced, or crashed: older refs are refused."""


class ConsoleMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A console call or an uncaught exception."""

    number: int
    level: str
    text: str
    url: str
    line: int | None
    tab_id: str
    at: float
    """Seconds since the epoch."""
    source: Literal["console", "exception"] = "console"
    """A call of the page's, or something that it threw and nobody caught."""


class Health(msgspec.Struct, frozen=True):
    """Whether the connection lives, and why not."""

    status: HealthStatus = "connecting"
    reason: str = ""


class HeldPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page that waits to be known as one of ours or of the agent's (``backstage.py``)."""

    event: target.AttachedToTarget
    session_id: str | None


class Bridge(msgspec.Struct, frozen=True, kw_only=True):
    """The script that makes dialogs wait where we can answer them (``bridge.py``, ``xhr.py``)."""

    mode: BridgeMode
    name: str
    """Its source URL: random, so that no page can take it for its own script."""
    source: str
    sha256: str
    url: str
    """Where its requests go: a host that does not exist."""
    key: str
    """What tells its requests, and our answers, from a page's."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine obeys; set once a task."""

    dialog_policy: DialogPolicy = DialogPolicy.MUST_RESPOND
    dialog_timeout_s: float = 300.0
    bridge: Bridge | None = None
    """None: dialogs are native."""
    binding: str = ""
    """What pages tell notes through; "": they tell none."""
    credentials: Mapping[str, Credentials] = _NOTHING
    """By origin: what HTTP authentication is answered with."""
    permissions: tuple[PermissionRule, ...] = ()
    download_dir: str | None = None
    """Where downloads go; None: where the browser puts them."""
    record_network: bool = False
    """Record requests from the first on."""
    network: NetworkPolicy = NetworkPolicy()
    """Where requests may go."""


class FailedConnection(msgspec.Struct, frozen=True, kw_only=True):
    """A connection that a page wanted and did not get."""

    number: int
    place: Place
    why: Why | None
    """Why it was refused; None: it was allowed, and failed."""
    error: str

    @property
    def words(self) -> str:
        """What is behind it, in few words."""
        return self.error if self.why is None else f"refused by the network policy: {self.why}"


class SupervisorState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the machine knows. Readers usually want ``SupervisorSnapshot``."""

    policy: Policy = Policy()
    health: Health = Health()
    tabs: Mapping[str, Tab] = _NOTHING
    """By ``tab_id``, in the order in which they were opened."""
    active_tab_id: str | None = None
    """Where an action without ``tab_id`` goes."""
    sessions: Mapping[str, SessionInfo] = _NOTHING
    frames: Mapping[str, Frame] = _NOTHING
    contexts: Mapping[str, ExecutionContext] = _NOTHING
    """Main worlds by ``frame_id``."""
    worlds: Mapping[str, ExecutionContext] = _NOTHING
    """Our isolated worlds by ``frame_id``."""
    agent_worlds: Mapping[str, ExecutionContext] = _NOTHING
    """The isolated worlds that the agent's scripts asked for, by ``frame_id``."""
    pending_dialogs: tuple[PendingDialog, ...] = ()
    recent_dialogs: tuple[ClosedDialog, ...] = ()
    lost_dialogs_until: float | None = None
    """Until when dialogs that a reconnect left behind may be asked again, monotonic seconds."""
    unheard: Mapping[str, frozenset[str]] = _NOTHING
    """Tabs where a pause broke off before what it asks for was read, and the addresses of the
    documents that may have asked: they are to ask again."""
    unanswerable: frozenset[str] = frozenset()
    """Tabs whose native dialog was lost with the wire: full Chromium keeps it open for nobody."""
    unanswerable_until: float | None = None
    """When such a tab is reloaded unless it answers, monotonic seconds."""
    file_choosers: tuple[FileChooser, ...] = ()
    auth_challenges: tuple[AuthChallenge, ...] = ()
    auth_tried: Mapping[str, str] = _NOTHING
    """Requests that were given credentials, and whose."""
    downloads: tuple[Download, ...] = ()
    """The last 20."""
    notes: tuple[Note, ...] = ()
    """The last 20."""
    permissions: tuple[PermissionRule, ...] = ()
    """What has been granted and denied, by configuration and by the agent."""
    console_errors: tuple[ConsoleMessage, ...] = ()
    console: tuple[ConsoleMessage, ...] = ()
    backstage: Mapping[str, str] = _NOTHING
    """Pages of our own: what they are known by to the target's id, "" until there is one."""
    backstage_sessions: Mapping[str, str] = _NOTHING
    """The sessions on them that actions asked for, to what the page is known by."""
    held_pages: tuple[HeldPage, ...] = ()
    origins: tuple[str, ...] = ()
    """Where the task's frames have been, the latest last."""
    gate: Gate = Gate()
    """Where requests may go: the policy, and what the caller has named."""
    proxied: bool = False
    """An egress proxy stands at the gate; else only documents are held there."""
    failed_connections: tuple[FailedConnection, ...] = ()
    """The last 50 that the egress proxy did not make."""
    connections_failed: int = 0
    """How many there were; the latest one's number."""
    emulation: Emulation = Emulation()
    """What all tabs pretend."""
    recording: bool = False
    """Whether requests are recorded."""
    recording_since: float | None = None
    """Seconds since the epoch."""
    network: Mapping[str, TabRequests] = _NOTHING
    """By ``tab_id``."""
    replacing: Mapping[str, str] = _NOTHING
    """Tabs that are being replaced: ``tab_id`` to the new target's id, "" until it is known."""
    closing: frozenset[str] = frozenset()
    """Targets that are to go: a navigation that was under way may keep one alive."""
    context: str | None = None
    """The browser context that is the task's own; None: it shares all that the browser has."""
    shares_browser: bool = False
    """Other tasks have contexts of their own in this browser."""
    contested: bool = False
    """Somebody else may answer this browser's dialogs, or has: the debugger is always on."""
    dialog_origins: frozenset[str] = frozenset()
    """Origins that opened dialogs: there the debugger stays on while a page loads."""
    next_tab: int = 1
    next_dialog: int = 1
    next_console: int = 1
    next_chooser: int = 1
    next_auth: int = 1
    next_download: int = 1
    next_note: int = 1
    next_request: int = 1

    def tab_of_target(self, target_id: str) -> Tab | None:
        """The tab whose page target this is."""
        for tab in self.tabs.values():
            if tab.target_id == target_id:
                return tab
        return None

    def tab_of_session(self, session_id: str | None) -> Tab | None:
        """The tab that a session (its own or one of its OOPIFs') belongs to."""
        session = self.sessions.get(session_id) if session_id else None
        return self.tabs.get(session.tab_id) if session else None

    def is_asking(self, tab_id: str) -> bool:
        """Whether a dialog is about to open in a tab, or an answer is on its way to one."""
        return any(s.asking for s in self.sessions.values() if s.tab_id == tab_id) or any(
            d.answer is not None for d in self.pending_dialogs if d.tab_id == tab_id
        )

    def is_arming(self, tab_id: str) -> bool:
        """Whether the debugger is about to be on in a tab."""
        return any(s.debugging == "asked" for s in self.sessions.values() if s.tab_id == tab_id)

    def dialogs_of(self, tab_id: str) -> tuple[PendingDialog, ...]:
        """The dialogs that wait in one tab."""
        return tuple(d for d in self.pending_dialogs if d.tab_id == tab_id)

    def top_frame_id(self, tab_id: str) -> str | None:
        """A page's top frame has its target's id, except after a prerendered page was activated:
        then it is the one without a parent that the page's session serves."""
        tab = self.tabs.get(tab_id)
        if tab is None:
            return None
        if tab.target_id in self.frames:
            return tab.target_id
        for frame in self.frames.values():
            if frame.session_id == tab.session_id and frame.parent_frame_id is None:
                return frame.frame_id
        return None

    def top_frame(self, tab_id: str) -> Frame | None:
        """The frame that a tab's page stands in."""
        return self.frames.get(self.top_frame_id(tab_id) or "")

    def document_in(self, tab_id: str) -> str:
        """The loader id of the document that stands in a tab; "" when none does."""
        top = self.top_frame(tab_id)
        return top.loader_id if top is not None else ""

    def documents_in(self, tab_id: str) -> int:
        """How many documents have stood in a tab so far."""
        tab = self.tabs.get(tab_id)
        return tab.documents if tab is not None else 0


class FrameNode(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a frame tree as readers see it."""

    frame_id: str
    url: str
    origin: str
    name: str
    parent_frame_id: str | None
    is_oopif: bool
    session_id: str


class FrameTree(msgspec.Struct, frozen=True, kw_only=True):
    """A tab's frames: ``top``, then all others, parents first."""

    top: FrameNode | None
    children: tuple[FrameNode, ...] = ()
    truncated: bool = False


class SupervisorSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader gets: the state, arranged for reading (DESIGN section 3)."""

    task_id: str
    health: Health
    tabs: tuple[Tab, ...]
    active_tab_id: str | None
    pending_dialogs: tuple[PendingDialog, ...]
    recent_dialogs: tuple[ClosedDialog, ...]
    frame_tree: FrameTree
    """Of the active tab, whole; ``frame_trees`` has every tab's."""
    frame_trees: Mapping[str, FrameTree]
    sessions: Mapping[str, SessionInfo]
    console_errors: tuple[ConsoleMessage, ...]
    downloads: tuple[Download, ...]
    file_choosers: tuple[FileChooser, ...]
    auth_challenges: tuple[AuthChallenge, ...]
    notes: tuple[Note, ...]
    permissions: tuple[PermissionRule, ...]
    contested: bool = False
    """Somebody else may answer this browser's dialogs: none is left to them."""
    network_policy: Literal["proxy", "documents"] = "documents"
    """What holds the browser to the network policy: an egress proxy, which sees all connections,
    or, where none can be set, the hold on documents alone: the weaker of the two."""
    live_view_url: str | None = None
    """Where a person can watch, at a provider that has that; whoever knows it may act there."""
