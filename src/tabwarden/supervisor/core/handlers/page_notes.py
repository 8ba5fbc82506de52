"""Notes: page activity that is not visible in the page: printing, links to other programs,
permissions.

``js/notes.js`` reports printing and permissions through a binding that it hides from the page
(``Runtime.addBinding``). Links to other programs are navigations without a document. In the agent's
tabs, ``js/programs.js`` prevents them as far as a script can. Otherwise, Chromium would start the
program for ``mailto:`` without asking. For other schemes, it would open a prompt that nobody sees
and that blocks all input. A window that a page opens for a link to another program is closed before
it loads the link.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from tabwarden.protocol import Command, browser, page, runtime, target
from tabwarden.supervisor.core.handlers.target_ownership import context_or_default
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.changes import kept_url
from tabwarden.supervisor.core.state.notes import NoteKind
from tabwarden.supervisor.core.state.policy import NotesScript
from tabwarden.supervisor.core.state.prompts import PermissionRule
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.telemetry.redaction import without_login

_BROWSERS = frozenset({
    "http", "https", "about", "data", "blob", "file", "filesystem", "javascript", "ws", "wss",
    "view-source", "devtools", "chrome", "chrome-error", "chrome-extension", "chrome-search",
    "chrome-untrusted", "edge", "brave",
})  # fmt: skip
"""The schemes that a browser handles itself."""


class _Report(msgspec.Struct, frozen=True):
    kind: Literal["print", "permission", "credentials", "external"]
    origin: str
    text: str


def set_up(script: NotesScript) -> tuple[Command[Any], ...]:
    """Return the commands that make a target's pages report notes, before their first script."""
    return (
        runtime.AddBinding(name=script.binding),
        page.AddScriptToEvaluateOnNewDocument(source=script.source, run_immediately=True),
    )


def programs_of(source: str, binding: str, allowed: Iterable[str]) -> NotesScript:
    """Return the script that prevents links to other programs, except those that are allowed."""
    runs = msgspec.json.encode(dict.fromkeys(sorted({*_BROWSERS, *allowed}), 1)).decode()
    source = source.replace("__BINDING__", binding).replace("__SCHEMES__", runs[1:-1])
    return NotesScript(binding, source)


def _scheme(url: str) -> str:
    """Return a URL's scheme if another program handles it; else ""."""
    scheme, colon, _ = url.partition(":")
    return "" if not colon or scheme.lower() in _BROWSERS else scheme.lower()


def permission_command(rule: PermissionRule, state: SupervisorState) -> browser.SetPermission:
    """Return the command that grants or denies a permission to the pages in this task's context."""
    return browser.SetPermission(
        permission=browser.PermissionDescriptor(name=rule.name),
        setting=rule.setting,
        origin=rule.origin if rule.origin is not None else msgspec.UNSET,
        browser_context_id=context_or_default(state),
    )


def permission_set(turn: Turn, input_: inputs.PermissionSet) -> None:
    """Record a permission rule that the browser applied. It replaces an older rule with the same
    name and origin.
    """
    rule = input_.rule
    of = (rule.name, rule.origin)
    others = [one for one in turn.state.permissions if (one.name, one.origin) != of]
    turn.change(permissions=(*others, rule))


def called(turn: Turn, event: runtime.BindingCalled, session_id: str | None) -> None:
    """Record a report from a page's notes script."""
    policy = turn.state.policy
    if event.name not in {one.binding for one in (policy.notes, policy.programs) if one}:
        return
    try:
        report = msgspec.json.decode(event.payload, type=_Report)
    except msgspec.DecodeError:
        return
    text = "window.print() was called" if report.kind == "print" else report.text
    is_new = _note(turn, session_id, report.kind, report.origin, text)
    if is_new and report.kind == "external":  # the script prevents these navigations
        _unsupported(turn, turn.state.tab_id_of_session(session_id), text)


def navigation_requested(
    turn: Turn, event: page.FrameRequestedNavigation, session_id: str | None
) -> bool:
    """Whether another program handles the URL of a requested navigation, so that no document will
    arrive. If so, add a note.
    """
    if not _scheme(event.url):
        return False
    frame = turn.state.frames.get(event.frame_id)
    origin = frame.origin if frame is not None else ""
    _note(turn, session_id, "external", origin, event.url)
    return True


def window_opened(turn: Turn, event: page.WindowOpen, session_id: str | None) -> None:
    """Add a note if a page is opening a window for another program."""
    session = turn.state.session(session_id)
    tab = turn.state.tab_of_session(session_id)
    if session is None or tab is None:
        return
    scheme, policy = _scheme(event.url), turn.state.policy
    is_ours = policy.programs is not None and turn.state.agents_part(tab.tab_id) != "none"
    is_refused = bool(scheme) and is_ours and scheme not in policy.external_schemes
    if scheme:
        frame = turn.state.frames.get(session.target_id)
        origin = frame.origin if frame is not None else ""
        if turn.note(tab.tab_id, "external", origin, event.url) and is_refused:
            _unsupported(turn, tab.tab_id, event.url)
    known = turn.state.for_programs - {tab.target_id}
    turn.change(for_programs=known | {tab.target_id} if is_refused else known)


def is_for_program(turn: Turn, event: target.AttachedToTarget) -> bool:
    """Whether a page just opened this window for another program."""
    info = event.target_info
    is_new = info.type == "page" and event.waiting_for_debugger
    if not is_new or info.opener_id not in turn.state.for_programs:
        return False
    turn.change(for_programs=turn.state.for_programs - {info.opener_id})
    return True


def _unsupported(turn: Turn, tab_id: str, url: str) -> None:
    turn.record("navigation_refused", tab_id, url=kept_url(url), reason="unsupported")


def navigation_refused(turn: Turn, input_: inputs.NavigationRefused) -> None:
    """Record a navigation that the agent requested and that Tabwarden did not start."""
    url = without_login(kept_url(input_.url))
    turn.record("navigation_refused", input_.tab_id, url=url, reason=input_.reason)


def _note(turn: Turn, session_id: str | None, kind: NoteKind, origin: str, text: str) -> bool:
    session = turn.state.session(session_id)
    return session is not None and turn.note(session.tab_id, kind, origin, text)


EVENTS = ((runtime.BindingCalled, called), (page.WindowOpen, window_opened))
INPUTS = (
    (inputs.PermissionSet, permission_set),
    (inputs.NavigationRefused, navigation_refused),
)
