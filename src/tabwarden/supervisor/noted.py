"""Notes: what pages do that no page shows. Printing, other programs' links, permissions.

``js/notes.js`` tells of the first and the last through a binding that it takes away from the page
(``Runtime.addBinding``); links to other programs are navigations that lead nowhere.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import msgspec

from tabwarden.protocol import Command, browser, page, runtime
from tabwarden.supervisor.belonging import context_or_default
from tabwarden.supervisor.notices import Noted
from tabwarden.supervisor.prompts import RECENT_NOTES, Note, NoteKind, PermissionRule
from tabwarden.supervisor.state import SupervisorState
from tabwarden.supervisor.turn import Turn

__all__ = ["add", "called", "navigation_requested", "permission_command", "set_up"]

_OURS = ("http:", "https:", "about:", "data:", "blob:", "file:", "javascript:", "chrome", "ws")
_TEXT_MAX = 300


class _Told(msgspec.Struct, frozen=True):
    kind: str
    origin: str
    text: str


def set_up(binding: str) -> tuple[Command[Any], ...]:
    """What makes a target's pages tell, before their first script."""
    source = _script().replace("__BINDING__", binding)
    return (
        runtime.AddBinding(name=binding),
        page.AddScriptToEvaluateOnNewDocument(source=source, run_immediately=True),
    )


def permission_command(rule: PermissionRule, state: SupervisorState) -> browser.SetPermission:
    """What makes the browser grant or deny, to the pages of this task's context."""
    return browser.SetPermission(
        permission=browser.PermissionDescriptor(name=rule.name),
        setting=rule.setting,
        origin=rule.origin if rule.origin is not None else msgspec.UNSET,
        browser_context_id=context_or_default(state),
    )


def called(turn: Turn, event: runtime.BindingCalled, session_id: str | None) -> None:
    """A page told something."""
    if event.name != turn.state.policy.binding:
        return
    try:
        told = msgspec.json.decode(event.payload, type=_Told)
    except msgspec.DecodeError:
        return
    if told.kind == "print":
        _note(turn, session_id, "print", told.origin, "window.print() was called")
    elif told.kind == "permission":
        _note(turn, session_id, "permission", told.origin, told.text)


def navigation_requested(
    turn: Turn, event: page.FrameRequestedNavigation, session_id: str | None
) -> None:
    """A page wants to go somewhere; another program's address leads out of the browser."""
    if event.url.lower().startswith(_OURS) or ":" not in event.url:
        return
    frame = turn.state.frames.get(event.frame_id)
    origin = frame.origin if frame is not None else ""
    _note(turn, session_id, "external", origin, event.url)


def _note(turn: Turn, session_id: str | None, kind: NoteKind, origin: str, text: str) -> None:
    session = turn.state.session(session_id)
    if session is not None:
        add(turn, session.tab_id, kind, origin, text)


def add(
    turn: Turn, tab_id: str, kind: NoteKind, origin: str, text: str, *, again: bool = False
) -> None:
    """Keep a note, unless the last one says the same.

    Args:
        turn: the machine's.
        tab_id: whose; "" for the whole task.
        kind: of what.
        origin: of the page that did it, as far as it is known.
        text: page text, shortened here.
        again: keep it all the same: it is no page that says it.
    """
    number = turn.state.next_note
    note = Note(
        number=number,
        kind=kind,
        tab_id=tab_id,
        origin=origin[:_TEXT_MAX],
        text=text[:_TEXT_MAX],
        at=turn.now.wall,
    )
    last = turn.state.notes[-1] if turn.state.notes else None
    if (
        not again
        and last is not None
        and (last.kind, last.tab_id, last.text) == (kind, note.tab_id, note.text)
    ):
        return  # said already: a page may say it a thousand times
    turn.change(next_note=number + 1, notes=(*turn.state.notes, note)[-RECENT_NOTES:])
    turn.notify(Noted(tab_id=note.tab_id, note=note))


@cache
def _script() -> str:
    return (resources.files("tabwarden.supervisor") / "js" / "notes.js").read_text("utf-8")
