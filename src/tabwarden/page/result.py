"""What an action gives back: the same shape for each, on every surface."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from tabwarden.supervisor import (
    AuthChallenge,
    ClosedDialog,
    ConsoleMessage,
    Download,
    ExecutionContext,
    FileChooser,
    Note,
    PendingDialog,
    SupervisorState,
)

__all__ = [
    "ActionResult",
    "Done",
    "NewSinceLast",
    "PageSeen",
    "Seen",
    "auth_json",
    "chooser_json",
    "dialog_json",
    "download_json",
    "note_json",
    "tab_json",
]


class NewSinceLast(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What happened that the agent has not been told yet."""

    dialogs: tuple[dict[str, Any], ...] = ()
    """Dialogs that opened, or that somebody else than the agent closed."""
    tabs: tuple[dict[str, Any], ...] = ()
    """Tabs that opened (popups with their opener), closed, crashed."""
    file_choosers: tuple[dict[str, Any], ...] = ()
    """File choosers that opened (``browser_upload`` answers)."""
    auth_challenges: tuple[dict[str, Any], ...] = ()
    """Servers that ask for a password (``browser_auth`` answers)."""
    downloads: tuple[dict[str, Any], ...] = ()
    """Downloads that began or ended."""
    notes: tuple[dict[str, Any], ...] = ()
    """What pages did that none shows: printed, called another program, asked for a permission."""
    console_errors: tuple[dict[str, Any], ...] = ()

    def __bool__(self) -> bool:
        return any(getattr(self, field) for field in self.__struct_fields__)


class ActionResult(msgspec.Struct, frozen=True, kw_only=True):
    """How an action ended.

    ``status`` is ``"ok"``, or ``"interrupted"`` when a dialog opened while the action ran: that
    is no error, ``by`` says what it was (``{"kind": "dialog", "dialog": {...}}``) and ``next``
    what to do. Everything else that can go wrong is raised.
    """

    action: str
    status: Literal["ok", "interrupted"] = "ok"
    tab_id: str | None = None
    url: str = ""
    title: str = ""
    value: Any = None
    """What the action is for: a script's value, the list of tabs, the console's messages."""
    note: str = ""
    """Something that the reader should know about how it went."""
    by: dict[str, Any] | None = None
    next: str = ""
    navigation: Literal["", "new_document", "same_document"] = ""
    """Whether ``url`` is where this led to: in another document, or in the same one."""
    focus: dict[str, Any] | None = None
    """Which element has the focus after an action with mouse or keyboard, as ``{"ref", "role",
    "name"}``; None: none has, or the page was not there to say."""
    snapshot: Any = None
    """The ``Snapshot`` after it, when it was asked for."""
    new_since_last: NewSinceLast = NewSinceLast()

    @property
    def interrupted(self) -> bool:
        """Whether a dialog cut the action short."""
        return self.status == "interrupted"


_NOTHING_NEW = NewSinceLast()


def dialog_json(dialog: PendingDialog | ClosedDialog) -> dict[str, Any]:
    """A dialog as surfaces show it: without what only the machine needs."""
    shown: dict[str, Any] = msgspec.to_builtins(dialog)
    shown.pop("deadline", None)
    shown.pop("answer", None)
    shown.pop("held_by", None)
    shown.pop("may_be_early", None)
    shown.pop("guarded", None)
    return shown


def auth_json(challenge: AuthChallenge) -> dict[str, Any]:
    """A server's question for credentials as surfaces show it."""
    shown: dict[str, Any] = msgspec.to_builtins(challenge)
    for ours in ("deadline", "answered", "request_id"):
        shown.pop(ours)
    return shown


def chooser_json(chooser: FileChooser) -> dict[str, Any]:
    """A file chooser as surfaces show it."""
    shown: dict[str, Any] = msgspec.to_builtins(chooser)
    shown["answerable"] = shown.pop("backend_node_id") is not None
    return shown


def download_json(download: Download) -> dict[str, Any]:
    """A download as surfaces show it."""
    shown: dict[str, Any] = msgspec.to_builtins(download)
    shown.pop("guid")
    return shown


def note_json(note: Note) -> dict[str, Any]:
    """A note as surfaces show it."""
    shown: dict[str, Any] = msgspec.to_builtins(note)
    shown.pop("number")
    return shown


def tab_json(tab: Any, *, active: bool) -> dict[str, Any]:
    """A tab as surfaces show it."""
    shown: dict[str, Any] = {
        "tab_id": tab.tab_id,
        "url": tab.url,
        "title": tab.title,
        "status": tab.status,
        "active": active,
        "target_id": tab.target_id,
        "generation": tab.generation,
    }
    if tab.scripts_off:
        shown["scripts_off"] = True
    if tab.opener_tab_id:
        shown["opener_tab_id"] = tab.opener_tab_id
    if tab.status_reason:
        shown["status_reason"] = tab.status_reason
    return shown


class PageSeen(NamedTuple):
    """How a frame's document stands, as its walker says (``pageNow``)."""

    world: ExecutionContext
    focus: dict[str, Any] | None
    title: str


class Done(NamedTuple):
    """What a body gives back when there is more to say than a value."""

    value: Any = None
    note: str = ""
    seen: PageSeen | None = None
    """How the page stands now, where that was told with something else."""


class Seen:
    """What one agent has been told already, so that each result tells the rest, once."""

    def __init__(self) -> None:
        self._dialogs: set[tuple[str, bool]] = set()
        self._tabs: dict[str, tuple[str, int]] = {}
        self._told: set[str] = set()
        """Ids of file choosers and challenges, of downloads with their status."""
        self._told_of: SupervisorState | None = None
        """All of this state has been told."""
        self._console = 0
        self._notes = 0

    def news(self, state: SupervisorState) -> NewSinceLast:
        """What is new since the last time this was asked; asking marks it as told."""
        if state is self._told_of:
            return _NOTHING_NEW
        self._told_of = state
        self._forget_gone(state)
        notes = tuple(note for note in state.notes if note.number > self._notes)
        if notes:
            self._notes = notes[-1].number
        return NewSinceLast(
            dialogs=tuple(self._new_dialogs(state.pending_dialogs, state.recent_dialogs)),
            tabs=tuple(self._new_tabs(state.tabs.values(), state.active_tab_id)),
            file_choosers=tuple(chooser_json(c) for c in state.file_choosers if self._is_new(c.id)),
            auth_challenges=tuple(
                auth_json(c) for c in state.auth_challenges if not c.answered and self._is_new(c.id)
            ),
            downloads=tuple(
                download_json(d) for d in state.downloads if self._is_new(f"{d.id} {d.status}")
            ),
            notes=tuple(note_json(note) for note in notes),
            console_errors=tuple(self._new_errors(state.console_errors)),
        )

    def knows_all_of(self, state: SupervisorState) -> bool:
        """Whether nothing of a state is new; from any thread."""
        return state is self._told_of

    def _forget_gone(self, state: SupervisorState) -> None:
        """What the state has forgotten never comes again."""
        kept = {
            one.id
            for ring in (
                state.pending_dialogs,
                state.recent_dialogs,
                state.file_choosers,
                state.auth_challenges,
                state.downloads,
            )
            for one in ring
        }
        self._dialogs = {key for key in self._dialogs if key[0] in kept}
        self._told = {key for key in self._told if key.partition(" ")[0] in kept}

    def _is_new(self, key: str) -> bool:
        if key in self._told:
            return False
        self._told.add(key)
        return True

    def told(self, dialog_id: str) -> None:
        """The agent knows of a dialog, or of another prompt, from the result itself."""
        self._dialogs.add((dialog_id, False))
        self._told.add(dialog_id)

    def answered(self, dialog_id: str) -> None:
        """The agent closed this one itself."""
        self._dialogs |= {(dialog_id, False), (dialog_id, True)}

    def _new_dialogs(
        self, pending: tuple[PendingDialog, ...], recent: tuple[ClosedDialog, ...]
    ) -> list[dict[str, Any]]:
        found = []
        for is_closed, dialogs in ((False, pending), (True, recent)):
            for dialog in dialogs:
                key = (dialog.id, is_closed)
                if key not in self._dialogs:
                    self._dialogs.add(key)
                    found.append(dialog_json(dialog))
        return found

    def _new_tabs(self, tabs: Any, active_tab_id: str | None) -> list[dict[str, Any]]:
        now = {tab.tab_id: (tab.status, tab.generation) for tab in tabs}
        found = []
        for tab in tabs:
            before = self._tabs.get(tab.tab_id)
            event = None
            if before is None:
                event = "opened"
            elif tab.status == "crashed" and before[0] != "crashed":
                event = "crashed"
            elif tab.generation != before[1] and tab.status != "crashed":
                event = "renewed"
            if event:
                found.append({"event": event, **tab_json(tab, active=tab.tab_id == active_tab_id)})
        found += [{"event": "closed", "tab_id": gone} for gone in self._tabs.keys() - now.keys()]
        self._tabs = now
        return found

    def _new_errors(self, errors: tuple[ConsoleMessage, ...]) -> list[dict[str, Any]]:
        found = [
            {"text": m.text, "url": m.url, "line": m.line, "tab_id": m.tab_id}
            for m in errors
            if m.number > self._console
        ]
        if errors:
            self._console = max(self._console, errors[-1].number)
        return found
