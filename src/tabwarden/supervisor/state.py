"""The frozen state of one task's browser: all that is supervised. Its parts are told in files of
their own: ``tabs.py``, ``dialog_values.py``, ``prompts.py``, ``policy.py``.

Nothing of it is ever mutated: the machine returns new values, so a reader on any thread may hold
one for as long as it likes. Mappings are read-only views of dicts that nobody writes again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from tabwarden.egress.gate import Gate, Why
from tabwarden.egress.origins import Place
from tabwarden.supervisor.dialog_values import ClosedDialog, PendingDialog
from tabwarden.supervisor.emulation import Emulation
from tabwarden.supervisor.network_log import TabRequests
from tabwarden.supervisor.policy import Policy
from tabwarden.supervisor.prompts import AuthChallenge, Download, FileChooser, Note, PermissionRule
from tabwarden.supervisor.tabs import ExecutionContext, Frame, HeldPage, SessionInfo, Tab
from tabwarden.supervisor.values import NOTHING

__all__ = ["CONSOLE_RING", "ConsoleMessage", "FailedConnection", "Health", "SupervisorState"]

CONSOLE_RING = 50

HealthStatus = Literal["connecting", "live", "reconnecting", "gone"]


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
    tabs: Mapping[str, Tab] = NOTHING
    """By ``tab_id``, in the order in which they were opened."""
    active_tab_id: str | None = None
    """Where an action without ``tab_id`` goes."""
    sessions: Mapping[str, SessionInfo] = NOTHING
    frames: Mapping[str, Frame] = NOTHING
    contexts: Mapping[str, ExecutionContext] = NOTHING
    """Main worlds by ``frame_id``."""
    worlds: Mapping[str, ExecutionContext] = NOTHING
    """Our isolated worlds by ``frame_id``."""
    agent_worlds: Mapping[str, ExecutionContext] = NOTHING
    """The isolated worlds that the agent's scripts asked for, by ``frame_id``."""
    pending_dialogs: tuple[PendingDialog, ...] = ()
    recent_dialogs: tuple[ClosedDialog, ...] = ()
    lost_dialogs_until: float | None = None
    """Until when dialogs that a reconnect left behind may be asked again, monotonic seconds."""
    unheard: Mapping[str, str] = NOTHING
    """Targets where a pause broke off before what it asks for was read, and their tabs: what may
    have asked is to ask again."""
    left_at: Mapping[str, frozenset[str]] = NOTHING
    """Targets that have not answered since the wire broke, and the addresses of their documents
    then: those may wait for a word about a dialog that we never heard of."""
    read_again_at: float | None = None
    """When what a paused page asks for is read once more, monotonic seconds."""
    word_due_at: float | None = None
    """When they are told to ask natively unless they answer, monotonic seconds."""
    word_said: frozenset[str] = frozenset()
    """Those that have been told."""
    unanswerable: frozenset[str] = frozenset()
    """Tabs whose native dialog was lost with the wire: full Chromium keeps it open for nobody."""
    unanswerable_until: float | None = None
    """When such a tab is reloaded unless it answers, monotonic seconds."""
    file_choosers: tuple[FileChooser, ...] = ()
    auth_challenges: tuple[AuthChallenge, ...] = ()
    auth_tried: Mapping[str, str] = NOTHING
    """Requests that were given credentials, and whose."""
    downloads: tuple[Download, ...] = ()
    """The last 20."""
    notes: tuple[Note, ...] = ()
    """The last 20."""
    permissions: tuple[PermissionRule, ...] = ()
    """What has been granted and denied, by configuration and by the agent."""
    console_errors: tuple[ConsoleMessage, ...] = ()
    console: tuple[ConsoleMessage, ...] = ()
    backstage: Mapping[str, str] = NOTHING
    """Pages of our own: what they are known by to the target's id, "" until there is one."""
    backstage_sessions: Mapping[str, str] = NOTHING
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
    network: Mapping[str, TabRequests] = NOTHING
    """By ``tab_id``."""
    replacing: Mapping[str, str] = NOTHING
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

    def session(self, session_id: str | None) -> SessionInfo | None:
        """A session by its id; None for the browser's own, which has none, and for one that is
        gone."""
        return self.sessions.get(session_id) if session_id else None

    def tab_of_session(self, session_id: str | None) -> Tab | None:
        """The tab that a session (its own or one of its OOPIFs') belongs to."""
        session = self.session(session_id)
        return self.tabs.get(session.tab_id) if session else None

    def tab_id_of_session(self, session_id: str | None) -> str:
        """That tab's id; "" when there is none."""
        tab = self.tab_of_session(session_id)
        return tab.tab_id if tab is not None else ""

    def is_asking(self, tab_id: str) -> bool:
        """Whether a dialog is about to open in a tab, or an answer is on its way to one."""
        return any(
            s.asking is not None for s in self.sessions.values() if s.tab_id == tab_id
        ) or any(d.answer is not None for d in self.pending_dialogs if d.tab_id == tab_id)

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
