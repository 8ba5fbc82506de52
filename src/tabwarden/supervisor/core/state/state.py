"""The frozen state of one task's browser; the package's other modules define its parts.

The machine never changes a state; it returns a new one. Therefore, readers on any thread can keep a
state for as long as they want. Mappings are read-only views of dicts that nobody changes again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

import msgspec

from tabwarden.egress.gate import Gate, Why
from tabwarden.egress.origins import Place
from tabwarden.replacement import Replacement
from tabwarden.supervisor.core.state.changes import Changes
from tabwarden.supervisor.core.state.dialog_values import ClosedDialog, PendingDialog
from tabwarden.supervisor.core.state.downloads import Download
from tabwarden.supervisor.core.state.emulation import Emulation
from tabwarden.supervisor.core.state.network_log import TabRequests
from tabwarden.supervisor.core.state.notes import Note
from tabwarden.supervisor.core.state.passkeys import Passkey
from tabwarden.supervisor.core.state.policy import Bridge, BridgeMode, InitScript, Policy
from tabwarden.supervisor.core.state.prompts import PermissionRule, Prompt
from tabwarden.supervisor.core.state.routes import DelayedRequest, Route
from tabwarden.supervisor.core.state.tabs import (
    AgentsPart,
    AwaitedWindow,
    ExecutionContext,
    Frame,
    FrameTools,
    HeldPage,
    SessionInfo,
    Tab,
)
from tabwarden.supervisor.core.state.values import NOTHING

P = TypeVar("P", bound=Prompt)

CONSOLE_RING = 200
ERRORS_RING = 50

HealthStatus = Literal["connecting", "live", "reconnecting", "gone"]


class ConsoleMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A console call, an uncaught exception, or a message of the browser about the page."""

    number: int
    level: str
    text: str
    url: str
    line: int | None
    tab_id: str
    at: float
    """When it was reported, in wall-clock seconds since the epoch."""
    source: str = "console"
    """``console`` or ``exception``; or the browser's part that reports it, such as ``security``."""


class Health(msgspec.Struct, frozen=True):
    """Whether the connection is open and, if it is not open, why."""

    status: HealthStatus = "connecting"
    reason: str = ""


class FailedConnection(msgspec.Struct, frozen=True, kw_only=True):
    """A connection that a page requested, and that was refused or failed."""

    number: int
    place: Place
    why: Why | None
    """Why the connection was refused; None if the connection was allowed but failed."""
    error: str

    @property
    def words(self) -> str:
        """A short description of the cause."""
        return self.error if self.why is None else f"refused by the network policy: {self.why}"


class SupervisorState(msgspec.Struct, frozen=True, kw_only=True):
    """The machine's complete state. Readers usually need ``SupervisorSnapshot`` instead."""

    policy: Policy = Policy()
    health: Health = Health()
    tabs: Mapping[str, Tab] = NOTHING
    """The tabs, keyed by ``tab_id``, oldest first."""
    active_tab_id: str | None = None
    """The tab that actions use by default."""
    sessions: Mapping[str, SessionInfo] = NOTHING
    frames: Mapping[str, Frame] = NOTHING
    contexts: Mapping[str, ExecutionContext] = NOTHING
    """The main worlds, keyed by ``frame_id``."""
    worlds: Mapping[str, ExecutionContext] = NOTHING
    """Our isolated worlds, keyed by ``frame_id``."""
    agent_worlds: Mapping[str, ExecutionContext] = NOTHING
    """The isolated worlds for the agent's scripts, keyed by ``frame_id``."""
    guest_worlds: Mapping[str, ExecutionContext] = NOTHING
    """Playwright's isolated worlds, keyed by their unique ID."""
    page_tools: Mapping[str, FrameTools] = NOTHING
    """The tools that documents offer, keyed by ``frame_id``."""
    pending_dialogs: tuple[PendingDialog, ...] = ()
    recent_dialogs: tuple[ClosedDialog, ...] = ()
    lost_dialogs_until: float | None = None
    """Until when pages may reopen dialogs from before a reconnect, in monotonic seconds."""
    unheard: Mapping[str, str] = NOTHING
    """The tab of each paused target whose dialog request had not been read when the connection
    broke, keyed by target. The target's page must send the request again.
    """
    left_at: Mapping[str, frozenset[str]] = NOTHING
    """For each target that has not responded since the connection broke: the URLs that its
    documents had when it broke. The target may be blocked by a dialog that was never reported to
    us.
    """
    read_again_at: float | None = None
    """When to read a paused page's dialog request again, in monotonic seconds."""
    word_due_at: float | None = None
    """When to instruct unresponsive targets to open their dialogs natively, in monotonic
    seconds.
    """
    word_said: frozenset[str] = frozenset()
    """The unresponsive targets that were instructed to open their dialogs natively."""
    unanswerable: frozenset[str] = frozenset()
    """Tabs that had a native dialog when the connection broke. In full Chromium, the dialog stays
    open, and no client can close it.
    """
    unanswerable_until: float | None = None
    """When to reload the ``unanswerable`` tabs that are still not responding, in monotonic
    seconds.
    """
    prompts: tuple[Prompt, ...] = ()
    """The waiting prompts, oldest first."""
    prompt_numbers: Mapping[str, int] = NOTHING
    """The last prompt number of each kind, keyed by the kind's letter."""
    auth_tried: Mapping[str, str] = NOTHING
    """Whose credentials were sent for each request: "configuration" or "agent"."""
    for_programs: frozenset[str] = frozenset()
    """The targets whose last opened window was for another program. That window must never run."""
    passkeys: tuple[Passkey, ...] = ()
    """The task's passkeys, oldest first."""
    downloads: tuple[Download, ...] = ()
    """The last 20 downloads."""
    notes: tuple[Note, ...] = ()
    """The last 20 notes."""
    changes: Changes = Changes()
    """The last 64 changes of the state."""
    leaving: frozenset[str] = frozenset()
    """The tabs whose page the agent is leaving: a call navigates or closes the tab."""
    permissions: tuple[PermissionRule, ...] = ()
    """Granted and denied permissions, from the configuration and the agent."""
    console_errors: tuple[ConsoleMessage, ...] = ()
    """The last 50 errors of all tabs."""
    console: tuple[ConsoleMessage, ...] = ()
    """The last 200 messages of all tabs."""
    console_counts: Mapping[str, int] = NOTHING
    """How many console messages each tab has had, keyed by ``tab_id``."""
    backstage: Mapping[str, str] = NOTHING
    """The target id of each of our helper pages, keyed by the page's key; "" until known."""
    backstage_sessions: Mapping[str, str] = NOTHING
    """The key of each helper page, keyed by the page's session."""
    held_pages: tuple[HeldPage, ...] = ()
    origins: tuple[str, ...] = ()
    """The origins that the task's frames have visited; the most recent is the last."""
    gate: Gate = Gate()
    """The gate, which decides where requests may be sent: the policy, and the places that the
    caller has named.
    """
    proxied: bool = False
    """Whether an egress proxy applies the gate. Without one, the gate applies only to documents."""
    failed_connections: tuple[FailedConnection, ...] = ()
    """The last 50 connections that were refused or failed."""
    connections_failed: int = 0
    """How many connections have failed in total; also the number of the latest failed
    connection.
    """
    emulation: Emulation = Emulation()
    init_scripts: Mapping[str, InitScript] = NOTHING
    """The caller's scripts for every document, keyed by ID, in the order in which they run."""
    next_init_script: int = 1
    recording: bool = False
    recording_since: float | None = None
    """When recording began, in wall-clock seconds since the epoch."""
    network: Mapping[str, TabRequests] = NOTHING
    """The network logs, keyed by ``tab_id``."""
    routes: tuple[Route, ...] = ()
    """The routes, oldest first."""
    delayed: Mapping[str, DelayedRequest] = NOTHING
    """The requests that routes delay, keyed by session and request ID."""
    worker_sessions: Mapping[str, str] = NOTHING
    """The target of each service worker and shared worker, keyed by session. Maintained only while
    routes exist.
    """
    replacing: Mapping[str, str] = NOTHING
    """For each tab that is being replaced: its new target's id, or "" until known."""
    closing: frozenset[str] = frozenset()
    """Targets that must be closed; a navigation in progress may keep a target open for a while."""
    replacement: Replacement | None = None
    """The new browser, if the browser was replaced and the agent was not notified yet."""
    browser_download_dir: str | None = None
    """The folder for downloads on the browser's machine, if that is another machine."""
    context: str | None = None
    """The task's own browser context; None if the task shares the default context."""
    own_window: bool = False
    """Whether the task has only the tabs that it opened, and their popups."""
    opened: frozenset[str] = frozenset()
    """With ``own_window``: the targets of all tabs that the task has ever had."""
    tab_refused: bool = False
    """Whether the browser refused to open a tab for the task."""
    untyped: frozenset[str] = frozenset()
    """Targets that may become pages later (``applications.py``)."""
    awaited_windows: tuple[AwaitedWindow, ...] = ()
    """The windows that pages opened and that may be refused, oldest first."""
    shares_browser: bool = False
    """Whether other tasks have their own contexts in this browser."""
    shared: bool = False
    """Whether a person or another client may use the task's tabs. If so, in mode ``auto``, dialogs
    open natively in tabs that the agent did not open.
    """
    contested: bool = False
    """Whether another client may handle, or has handled, a dialog. If so, the debugger stays on."""
    dialog_origins: frozenset[str] = frozenset()
    """Origins whose pages have opened dialogs. The debugger stays on while such pages load."""
    next_tab: int = 1
    next_dialog: int = 1
    next_console: int = 1
    next_download: int = 1
    next_note: int = 1
    next_request: int = 1
    next_route: int = 1

    def tab_of_target(self, target_id: str) -> Tab | None:
        for tab in self.tabs.values():
            if tab.target_id == target_id:
                return tab
        return None

    def session(self, session_id: str | None) -> SessionInfo | None:
        """Return a session by its id; None for the browser's own session or a session that has
        ended.
        """
        return self.sessions.get(session_id) if session_id else None

    def tab_of_session(self, session_id: str | None) -> Tab | None:
        """Return a session's tab; the session may be the tab's own session or an OOPIF's."""
        session = self.session(session_id)
        return self.tabs.get(session.tab_id) if session else None

    def tab_id_of_session(self, session_id: str | None) -> str:
        """Return the id of a session's tab; "" if there is none."""
        tab = self.tab_of_session(session_id)
        return tab.tab_id if tab is not None else ""

    def frame_id_of(self, session: SessionInfo) -> str | None:
        """Return the id of a session's root frame."""
        is_page = session.target_type == "page"
        return self.top_frame_id(session.tab_id) if is_page else session.target_id

    def agents_part(self, tab_id: str) -> AgentsPart:
        """Return how the agent has used a tab; "opened" for a tab that no longer exists."""
        tab = self.tabs.get(tab_id)
        return tab.agents_part if tab is not None else "opened"

    def bridge_of(self, tab_id: str) -> Bridge | None:
        """Return the bridge for a tab's documents; None if the documents' dialogs open natively."""
        bridge = self.policy.bridge
        is_auto = bridge is not None and bridge.mode is BridgeMode.AUTO
        return None if is_auto and self.agents_part(tab_id) != "opened" else bridge

    def is_asking(self, tab_id: str) -> bool:
        """Whether a dialog is about to open in a tab, or an answer to a dialog is being sent."""
        return any(
            s.asking is not None for s in self.sessions.values() if s.tab_id == tab_id
        ) or any(d.answer is not None for d in self.pending_dialogs if d.tab_id == tab_id)

    def is_arming(self, tab_id: str) -> bool:
        """Whether the debugger is being enabled in a tab."""
        return any(s.debugging == "asked" for s in self.sessions.values() if s.tab_id == tab_id)

    def prompts_of(self, kind: type[P]) -> tuple[P, ...]:
        return tuple(prompt for prompt in self.prompts if isinstance(prompt, kind))

    def dialogs_of(self, tab_id: str) -> tuple[PendingDialog, ...]:
        return tuple(d for d in self.pending_dialogs if d.tab_id == tab_id)

    def frames_of(self, tab_id: str) -> list[Frame]:
        """Return a tab's frames, including frames in other processes."""
        frames = self.frames.values()
        return [one for one in frames if self.tab_id_of_session(one.session_id) == tab_id]

    def top_frame_id(self, tab_id: str) -> str | None:
        """Return the id of a tab's top frame: the target's id or, if a prerendered page was
        activated, the id of the session's frame that has no parent."""
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
        return self.frames.get(self.top_frame_id(tab_id) or "")

    def document_in(self, tab_id: str) -> str:
        """Return the loader id of a tab's document; "" if there is none."""
        top = self.top_frame(tab_id)
        return top.loader_id if top is not None else ""

    def documents_in(self, tab_id: str) -> int:
        tab = self.tabs.get(tab_id)
        return tab.documents if tab is not None else 0
