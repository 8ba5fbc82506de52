"""Notes: page activity that the page does not show: printing, links to other programs, permissions.

``js/notes.js`` reports printing and permissions through a binding that it hides from the page
(``Runtime.addBinding``). Links to other programs are navigations without a document.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.protocol import Command, browser, page, runtime
from tabwarden.supervisor.core.handlers.target_ownership import context_or_default
from tabwarden.supervisor.core.state import (
    NoteKind,
    NotesScript,
    PermissionRule,
    SupervisorState,
    Turn,
    inputs,
)

_OURS = ("http:", "https:", "about:", "data:", "blob:", "file:", "javascript:", "chrome", "ws")


class _Told(msgspec.Struct, frozen=True):
    kind: str
    origin: str
    text: str


def set_up(script: NotesScript) -> tuple[Command[Any], ...]:
    """Return the commands that make a target's pages report notes, before their first script."""
    return (
        runtime.AddBinding(name=script.binding),
        page.AddScriptToEvaluateOnNewDocument(source=script.source, run_immediately=True),
    )


def permission_command(rule: PermissionRule, state: SupervisorState) -> browser.SetPermission:
    """Return the command that grants or denies a permission to the pages of this task's context."""
    return browser.SetPermission(
        permission=browser.PermissionDescriptor(name=rule.name),
        setting=rule.setting,
        origin=rule.origin if rule.origin is not None else msgspec.UNSET,
        browser_context_id=context_or_default(state),
    )


def permission_set(turn: Turn, given: inputs.PermissionSet) -> None:
    """The browser applied a permission rule; it replaces an older rule of this name and origin."""
    rule = given.rule
    of = (rule.name, rule.origin)
    others = [one for one in turn.state.permissions if (one.name, one.origin) != of]
    turn.change(permissions=(*others, rule))


def called(turn: Turn, event: runtime.BindingCalled, session_id: str | None) -> None:
    """The notes script of a page reported something."""
    script = turn.state.policy.notes
    if script is None or event.name != script.binding:
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
    """A page wants to navigate. If another program handles the URL, add a note."""
    if event.url.lower().startswith(_OURS) or ":" not in event.url:
        return
    frame = turn.state.frames.get(event.frame_id)
    origin = frame.origin if frame is not None else ""
    _note(turn, session_id, "external", origin, event.url)


def _note(turn: Turn, session_id: str | None, kind: NoteKind, origin: str, text: str) -> None:
    session = turn.state.session(session_id)
    if session is not None:
        turn.note(session.tab_id, kind, origin, text)


EVENTS = ((runtime.BindingCalled, called),)
INPUTS = ((inputs.PermissionSet, permission_set),)
