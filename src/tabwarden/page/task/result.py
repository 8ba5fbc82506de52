"""The value that an action returns, in the same format for all actions and interfaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple

import msgspec

from tabwarden.errors import InvalidArgument, UnknownRef
from tabwarden.hints import Hint, Next
from tabwarden.journal import current_person
from tabwarden.page.task.effect import DocumentEffect
from tabwarden.supervisor.core.prompts import Prompts, prompts_json
from tabwarden.supervisor.core.state.changes import Change
from tabwarden.supervisor.core.state.dialog_values import ClosedDialog, PendingDialog
from tabwarden.supervisor.core.state.downloads import Download
from tabwarden.supervisor.core.state.notes import Note
from tabwarden.supervisor.core.state.state import ConsoleMessage, SupervisorState
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.telemetry.redaction import without_login

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Value_co = TypeVar("Value_co", covariant=True, default=Any)
else:
    from typing import TypeVar

    Value_co = TypeVar("Value_co", covariant=True)

_MARKS = ("(required)", "(optional)")


class NewSinceLast(Prompts[dict[str, Any]], frozen=True, kw_only=True, omit_defaults=True):
    """Events that have not been reported to the agent yet."""

    person: tuple[str, ...] = ()
    """What people did while they had control, and the outcomes of hand-offs."""
    effects: tuple[str, ...] = ()
    """The effects of earlier inputs that were observed after their results had been returned."""
    dialogs: tuple[dict[str, Any], ...] = ()
    """Dialogs that opened, or that someone other than the agent closed."""
    tabs: tuple[dict[str, Any], ...] = ()
    """Tabs that opened (popups with their opener), closed or crashed."""
    downloads: tuple[dict[str, Any], ...] = ()
    """Downloads that began or ended."""
    notes: tuple[dict[str, Any], ...] = ()
    """Events in pages without visible signs: printing, opening another program, requesting a
    permission."""
    console_errors: tuple[dict[str, Any], ...] = ()
    """Errors that pages' scripts logged or threw."""

    def __bool__(self) -> bool:
        return any(getattr(self, field) for field in self.__struct_fields__)


class Snapshot(Prompts[dict[str, Any]], frozen=True, kw_only=True):
    """A snapshot of a tab. ``text`` contains all that an agent needs. Programs use the other
    fields."""

    text: str
    tab_id: str
    url: str
    title: str
    refs: Mapping[str, dict[str, Any]]
    """``{"e12": {role, name, nth, frame_id, backendDOMNodeId}}`` for each ref in ``text``. ``nth``
    counts elements with the same role and name in a frame. The node id is present only once a
    caller has requested it. With ``boxes``, also ``box``."""
    pending_dialogs: tuple[dict[str, Any], ...] = ()
    recent_dialogs: tuple[dict[str, Any], ...] = ()
    downloads: tuple[dict[str, Any], ...] = ()
    notes: tuple[dict[str, Any], ...] = ()
    """The last 20 notes about events without visible signs, and about prompts that were answered
    without the agent."""
    frame_tree: dict[str, Any] = msgspec.field(default_factory=dict)
    tabs: tuple[dict[str, Any], ...] = ()
    truncated: bool = False
    stale: bool = False
    """Whether the page could not be read. If so, ``text`` is the last known outline."""
    new_since_last: NewSinceLast = NewSinceLast()
    unknown: tuple[str, ...] = ()
    """The names of the fields that this kind of browser can't fill. Interfaces omit these
    fields."""

    def ref(self, name: str, role: str | None = None) -> str:
        """Return the ref of the only element with this name. For scripts written for a known page.

        Args:
            name: the element's accessible name, as in the outline. If no element has exactly this
                name, case and trailing marks are ignored: ``Username`` finds ``username *:``.
            role: the element's role, in case several elements have the name.

        Raises:
            UnknownRef: no element has this name; the error lists the existing names.
            InvalidArgument: several elements have this name; the error lists them.
        """
        of_role = {r: e for r, e in self.refs.items() if role is None or e["role"] == role}
        matches = [r for r, e in of_role.items() if e["name"] == name]
        matches = matches or [r for r, e in of_role.items() if _plain(e["name"]) == _plain(name)]
        if len(matches) == 1:
            return matches[0]
        what = f"{role or 'element'} named {name!r}"
        if matches:
            listed = ", ".join(f"{r} ({self.refs[r]['role']})" for r in matches[:20])
            raise InvalidArgument(
                f"{len(matches)} elements match {what}: {listed}.",
                "Give the role too, or use one of the refs.",
                field="name",
                refs=matches,
            )
        names = ", ".join(repr(e["name"]) for e in list(of_role.values())[:20])
        raise UnknownRef(
            f"This snapshot has no {what}.", f"It has: {names or 'no element with a ref'}."
        )


def _plain(name: str) -> str:
    """Return a label without trailing marks (``Username *:``)."""
    bare = name.casefold().rstrip(" \n:*")
    while bare.endswith(_MARKS):
        bare = bare[: bare.rindex("(")].rstrip(" \n:*")
    return bare


class ActionResult(msgspec.Struct, Generic[Value_co], frozen=True, kw_only=True):
    """The outcome of an action. ``ActionResult[Scraped]`` has a ``Scraped`` as its ``value``
    (``tabwarden.results``).

    ``status`` is ``"ok"``; ``"interrupted"`` if a dialog opened during the action; or ``"stopped"``
    for a batch in which a step failed or some steps did not run. An interruption is not an error:
    ``by`` has the cause (``{"kind": "dialog", "dialog": {...}}``), and ``next`` says what to do.
    Any other problem raises an error.
    """

    action: str
    status: Literal["ok", "interrupted", "stopped"] = "ok"
    tab_id: str | None = None
    """The action's tab."""
    url: str = ""
    """The tab's URL after the action."""
    title: str = ""
    """The tab's title after the action."""
    value: Value_co = None  # type: ignore[assignment]
    """The action's main result, such as a script's value or the list of tabs. None if the action
    has no result, or was interrupted before it had one."""
    note: str = ""
    """A remark about how the action went."""
    by: dict[str, Any] | None = None
    """What interrupted the action."""
    next: str = ""
    """What to do after an interruption."""
    navigation: Literal["", "new_document", "same_document"] = ""
    """How the action navigated to ``url``, if it did."""
    http_status: int | None = None
    """The server's status (404) of the new document that the action led to, if it is known."""
    focus: dict[str, Any] | None = None
    """The focused element after input, as ``{"ref", "role", "name"}``. None if no element has the
    focus, or if the page did not reply."""
    effect: str = ""
    """The input's effect, as a line of facts: ``14 lines appeared, 3 disappeared``. It does not say
    whether the input worked. "" if the action is not an input, or if the page did not reply."""
    snapshot: Snapshot | None = None
    """The page after the action, if requested; None if the page could not be read."""
    new_since_last: NewSinceLast = NewSinceLast()

    @property
    def interrupted(self) -> bool:
        """Whether a dialog interrupted the action."""
        return self.status == "interrupted"


_NOTHING_NEW = NewSinceLast()


def dialog_json(dialog: PendingDialog | ClosedDialog) -> dict[str, Any]:
    """Return a dialog for the interfaces, without internal fields."""
    return _without(dialog, "deadline", "answer", "held_by", "may_be_early", "guarded")


def answers(dialog_id: str, kind: str) -> Hint:
    """Return the calls that answer a dialog of this kind (``"confirm"``)."""
    text = {"prompt_text": "..."} if kind == "prompt" else {}
    accept = Next("dialog", action="accept", **text, dialog_id=dialog_id)
    dismiss = Next("dialog", action="dismiss", dialog_id=dialog_id)
    if kind == "beforeunload":
        return Hint("leave and lose unsaved changes", accept, " or stay", dismiss)
    return Hint("accept it", accept, " or dismiss it", dismiss)


def download_json(download: Download) -> dict[str, Any]:
    return _without(download, "guid")


def change_json(change: Change) -> dict[str, Any]:
    """Return a state change for the interfaces, without empty fields."""
    fields = _without(change, "dialog", "download")
    if change.dialog is not None:
        fields["dialog"] = dialog_json(change.dialog)
    if change.download is not None:
        fields["download"] = download_json(change.download)
    return fields


def note_json(note: Note) -> dict[str, Any]:
    return _without(note, "number")


def _without(value: msgspec.Struct, *omitted: str) -> dict[str, Any]:
    fields = {key: one for key, one in msgspec.to_builtins(value).items() if key not in omitted}
    return {**fields, "url": without_login(fields["url"])} if fields.get("url") else fields


def tab_json(tab: Any, *, active: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "tab_id": tab.tab_id,
        "url": without_login(tab.url),
        "title": tab.title,
        "status": tab.status,
        "active": active,
        "target_id": tab.target_id,
        "generation": tab.generation,
    }
    if tab.scripts_off:
        fields["scripts_off"] = True
    if tab.opener_tab_id:
        fields["opener_tab_id"] = tab.opener_tab_id
    if tab.status_reason:
        fields["status_reason"] = tab.status_reason
    return fields


class PageSeen(NamedTuple):
    """A frame document's current state, from the walker's ``pageNow``."""

    world: ExecutionContext
    focus: dict[str, Any] | None
    title: str


class Done(NamedTuple):
    """An action's value, perhaps with a note or the page's state."""

    value: Any = None
    note: str = ""
    seen: PageSeen | None = None
    """The page's current state, if another reply contained it."""
    effects: tuple[DocumentEffect, ...] | None = None
    """The effects in the documents, if another reply contained them."""
    http_status: int | None = None
    """The HTTP status of the tab's new document."""


class Seen:
    """The events that have been reported to an agent. Each event is reported once."""

    def __init__(self) -> None:
        self._dialogs: set[tuple[str, bool]] = set()
        self._tabs: dict[str, tuple[str, int]] = {}
        self._reported: set[str] = set()
        """The ids of reported prompts, and the ids and statuses of reported downloads."""
        self._reported_state: SupervisorState | None = None
        """The last state that was fully reported."""
        self._effects: tuple[str, ...] = ()
        self._console = 0
        self._notes = 0

    def news(self, state: SupervisorState, person: tuple[str, ...] = ()) -> NewSinceLast:
        """Return the events that were not reported yet, and mark them as reported. ``person``
        describes the actions of the person who had control."""
        effects, self._effects = self._effects, ()
        if state is self._reported_state:
            if not effects and not person:
                return _NOTHING_NEW
            return NewSinceLast(person=person, effects=effects)
        self._reported_state = state
        self._forget_gone(state)
        notes = tuple(note for note in state.notes if note.number > self._notes)
        if notes:
            self._notes = notes[-1].number
        return NewSinceLast(
            person=person,
            effects=effects,
            dialogs=tuple(self._new_dialogs(state.pending_dialogs, state.recent_dialogs)),
            tabs=tuple(self._new_tabs(state.tabs.values(), state.active_tab_id)),
            **prompts_json(p for p in state.prompts if not p.answered and self._is_new(p.id)),
            downloads=tuple(
                download_json(d) for d in state.downloads if self._is_new(f"{d.id} {d.status}")
            ),
            notes=tuple(note_json(note) for note in notes),
            console_errors=tuple(self._new_errors(state.console_errors)),
        )

    def knows_all_of(self, state: SupervisorState) -> bool:
        """Whether everything in a state has been reported. Thread-safe."""
        return state is self._reported_state

    def _forget_gone(self, state: SupervisorState) -> None:
        """Forget IDs that are no longer in the state. IDs are never reused."""
        kept = {
            one.id
            for ring in (
                state.pending_dialogs,
                state.recent_dialogs,
                state.prompts,
                state.downloads,
            )
            for one in ring
        }
        self._dialogs = {key for key in self._dialogs if key[0] in kept}
        self._reported = {key for key in self._reported if key.partition(" ")[0] in kept}

    def came_late(self, effect: str) -> None:
        """Report an effect, if any, with the next news."""
        if effect:
            self._effects += (effect,)

    def _is_new(self, key: str) -> bool:
        if key in self._reported:
            return False
        self._reported.add(key)
        return True

    def told(self, dialog_id: str) -> None:
        """Record that an action's result already reported a dialog or another prompt."""
        if current_person() is not None:
            return
        self._dialogs.add((dialog_id, False))
        self._reported.add(dialog_id)

    def answered(self, dialog_id: str) -> None:
        """Record that the agent itself closed a dialog."""
        if current_person() is not None:
            return
        self._dialogs |= {(dialog_id, False), (dialog_id, True)}

    def _new_dialogs(
        self, pending: tuple[PendingDialog, ...], recent: tuple[ClosedDialog, ...]
    ) -> list[dict[str, Any]]:
        events = []
        for is_closed, dialogs in ((False, pending), (True, recent)):
            for dialog in dialogs:
                key = (dialog.id, is_closed)
                if key not in self._dialogs:
                    self._dialogs.add(key)
                    events.append(dialog_json(dialog))
        return events

    def _new_tabs(self, tabs: Any, active_tab_id: str | None) -> list[dict[str, Any]]:
        now = {tab.tab_id: (tab.status, tab.generation) for tab in tabs}
        events = []
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
                events.append({"event": event, **tab_json(tab, active=tab.tab_id == active_tab_id)})
        events += [{"event": "closed", "tab_id": gone} for gone in self._tabs.keys() - now.keys()]
        self._tabs = now
        return events

    def _new_errors(self, errors: tuple[ConsoleMessage, ...]) -> list[dict[str, Any]]:
        times = Counter(
            (m.text, m.url, m.line, m.tab_id) for m in errors if m.number > self._console
        )
        if errors:
            self._console = max(self._console, errors[-1].number)
        return [
            {"text": text, "url": url, "line": line, "tab_id": tab_id}
            | ({"times": count} if count > 1 else {})
            for (text, url, line, tab_id), count in times.items()
        ]
