"""One step of the state machine: the changing state, with the collected commands and notices.

A ``Turn`` exists for one step only; its results are frozen. With a ``Turn``, handlers need not pass
a state, commands and notices to each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import msgspec

from tabwarden.protocol import Command
from tabwarden.supervisor.core.state.changes import Change, ChangeKind
from tabwarden.supervisor.core.state.notes import RECENT_NOTES, Note, NoteKind
from tabwarden.supervisor.core.state.notices import Noted, Notice
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.values import frozen, replace

_FLOOD_S = 1.0
"""If a note comes again within this time, no click of a person caused it."""
_NOTE_MAX = 300
"""The maximum length of a note's text, in characters."""


class Now(NamedTuple):
    monotonic: float
    """Monotonic seconds, for deadlines."""
    wall: float
    """Wall-clock seconds since the epoch, for display only."""


class Ask(msgspec.Struct, frozen=True):
    """The reason why a command was sent, which determines the handler for the reply. Handlers
    define subclasses.
    """

    command: ClassVar[type[Command[Any]] | None] = None
    """The command. If set, the handler gets the command's decoded result, or None if the browser
    rejected the command or the reply is unreadable. If unset, the handler gets the browser's error,
    or None if there is no error.
    """
    replaces: ClassVar[bool] = False
    """Whether a new command replaces an equal command that is still waiting for its reply."""


class Send(NamedTuple):
    """A command to send; if ``ask`` is set, the reply is passed to the machine as an input."""

    command: Command[Any]
    session_id: str | None
    ask: Ask | None = None
    guarded_target: str | None = None
    """If set, send the command to this page over the guard's connection (``link/standby.py``)."""


class Step(NamedTuple):
    state: SupervisorState
    commands: tuple[Send, ...]
    notices: tuple[Notice, ...]


class Turn:
    """The mutable working state of a single step."""

    __slots__ = ("_commands", "_notices", "now", "state")

    def __init__(self, state: SupervisorState, now: Now) -> None:
        self.state = state
        self.now = now
        self._commands: list[Send] = []
        self._notices: list[Notice] = []

    def change(self, **fields: Any) -> None:
        self.state = replace(self.state, **fields)

    def put(self, field: str, key: str, value: Any) -> None:
        """Set one entry of a mapping in the state."""
        mapping: MappingProxyType[str, Any] = getattr(self.state, field)
        self.change(**{field: frozen(mapping | {key: value})})

    def drop(self, field: str, *keys: str) -> None:
        """Remove entries from a mapping in the state; ignore missing keys."""
        mapping: Mapping[str, Any] = getattr(self.state, field)
        gone = set(keys) & mapping.keys()
        if gone:
            self.change(**{field: frozen({k: v for k, v in mapping.items() if k not in gone})})

    def send(self, command: Command[Any], session_id: str | None, ask: Ask | None = None) -> None:
        self._commands.append(Send(command, session_id, ask))

    def send_by_guard(self, command: Command[Any], target_id: str, ask: Ask) -> None:
        """Queue a command for the guard's connection."""
        self._commands.append(Send(command, None, ask, target_id))

    def notify(self, notice: Notice) -> None:
        self._notices.append(notice)

    def record(self, kind: ChangeKind, tab_id: str | None, **fields: Any) -> None:
        """Add an entry to the window of state changes; ``fields`` are fields of ``Change``."""
        changes = self.state.changes
        change = Change(
            sequence=changes.sequence + 1,
            kind=kind,
            at=self.now.wall,
            tab_id=tab_id or None,
            **fields,
        )
        self.change(changes=changes.adding(change))

    def activate(self, tab_id: str | None) -> None:
        """Make a tab the task's active tab; None if no tab is left."""
        if tab_id == self.state.active_tab_id:
            return
        self.change(active_tab_id=tab_id)
        if tab_id is not None:
            self.record("tab_switched", tab_id)

    def note(
        self, tab_id: str, kind: NoteKind, origin: str, text: str, *, again: bool = False
    ) -> bool:
        """Record a note (``tab_id`` is "" for the whole task). If the note soon repeats the last
        note, and ``again`` is not set, only update the last note's time, because a page may cause
        the same note a thousand times. Return whether the note is new.
        """
        text = text[:_NOTE_MAX]
        last = self.state.notes[-1] if self.state.notes else None
        is_same = last and (last.kind, last.tab_id, last.text) == (kind, tab_id, text)
        if last and is_same and not again and self.now.wall - last.at < _FLOOD_S:
            self.change(notes=(*self.state.notes[:-1], replace(last, at=self.now.wall)))
            return False
        note = Note(
            number=self.state.next_note,
            kind=kind,
            tab_id=tab_id,
            origin=origin[:_NOTE_MAX],
            text=text,
            at=self.now.wall,
        )
        notes = (*self.state.notes, note)[-RECENT_NOTES:]
        self.change(next_note=note.number + 1, notes=notes)
        self.notify(Noted(tab_id=tab_id, note=note))
        return True

    def end(self) -> Step:
        return Step(self.state, tuple(self._commands), tuple(self._notices))
