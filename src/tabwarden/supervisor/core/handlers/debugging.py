"""Debugging: decide in which sessions scripts can pause, so that a page stays readable while a
dialog is open.

``Debugger.enable`` makes pages with many scripts load up to 2.6 times slower, but costs nothing
afterwards (measured; docs/decisions/0007). In our own browser, we therefore enable it after a
document is parsed and disable it when the next document starts, except for origins that have opened
dialogs before. The debugger stays on if other clients may dismiss dialogs: in an attached browser,
and after another client has closed a dialog.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from tabwarden.protocol import debugger
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.policy import BridgeMode
from tabwarden.supervisor.core.state.tabs import SessionInfo
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import replace


class Armed(Ask, frozen=True):
    """The reply to ``Debugger.setBlackboxPatterns``, the last command that enables the debugger."""

    session_id: str


def armed(turn: Turn, ask: Armed, _: str | None) -> None:
    """Record that a session's scripts can pause from now on."""
    session = turn.state.sessions.get(ask.session_id)
    if session is not None and session.debugging == "asked":
        turn.put("sessions", session.session_id, replace(session, debugging="on"))


def begin(turn: Turn, session_id: str) -> None:
    """Enable the debugger for a new target, before its first script, if the debugger must always be
    on.
    """
    session = turn.state.sessions.get(session_id)
    if session is not None and _always(turn):
        _enable(turn, session)


def loaded(turn: Turn, frame_id: str, session_id: str | None) -> None:
    """Enable the debugger after a session's root document was parsed, if necessary."""
    session = _rooted(turn, frame_id, session_id)
    if session is not None:
        _enable(turn, session)


def about_to_leave(turn: Turn, input_: inputs.Leaving) -> None:
    tab = turn.state.tabs.get(input_.tab_id)
    if tab is not None:
        leaving(turn, tab.target_id, input_.url, tab.session_id)


def leaving(turn: Turn, frame_id: str, url: str, session_id: str | None) -> None:
    """Disable the debugger when another document starts to load. The earlier the debugger is
    disabled, the less it slows down the load.
    """
    session = _rooted(turn, frame_id, session_id)
    if session is None or session.debugging == "off" or _always(turn):
        return
    if _origin(url) in turn.state.dialog_origins:
        return
    if any(d.session_id == session.session_id for d in turn.state.pending_dialogs):
        return  # a paused page must stay paused until its dialog is closed
    turn.put("sessions", session.session_id, replace(session, debugging="off"))
    turn.send(debugger.Disable(), session.session_id)


def dialog_seen(turn: Turn, session: SessionInfo, url: str) -> None:
    """Remember a dialog's origin, because the origin's pages may open more dialogs."""
    origin = _origin(url)
    if origin and origin not in turn.state.dialog_origins:
        turn.change(dialog_origins=turn.state.dialog_origins | {origin})
    _enable(turn, session)


def contest(turn: Turn) -> None:
    """Keep the debugger on from now on, because another client may close dialogs or has closed
    one.
    """
    if turn.state.contested:
        return
    turn.change(contested=True)
    for session in turn.state.sessions.values():
        _enable(turn, session)


def _always(turn: Turn) -> bool:
    bridge = turn.state.policy.bridge
    if bridge is None:
        return False
    return bridge.mode is BridgeMode.DEBUGGER or turn.state.contested


def _enable(turn: Turn, session: SessionInfo) -> None:
    bridge = turn.state.policy.bridge
    if bridge is None or bridge.mode is BridgeMode.XHR or session.debugging != "off":
        return
    turn.put("sessions", session.session_id, replace(session, debugging="asked"))
    only_ours = f"^(?!{bridge.name.replace('.', chr(92) + '.')}$).*"
    turn.send(debugger.Enable(max_scripts_cache_size=0), session.session_id)
    # With these patterns, the page's own ``debugger;`` statements don't pause, and cost almost
    # nothing.
    blackbox = debugger.SetBlackboxPatterns(patterns=[only_ours], skip_anonymous=True)
    turn.send(blackbox, session.session_id, Armed(session.session_id))


def _rooted(turn: Turn, frame_id: str, session_id: str | None) -> SessionInfo | None:
    session = turn.state.session(session_id)
    if session is None:
        return None
    is_page = session.target_type == "page"
    root = turn.state.top_frame_id(session.tab_id) if is_page else session.target_id
    return session if frame_id in (root, session.target_id) else None


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


INPUTS = ((inputs.Leaving, about_to_leave),)
REPLIES = ((Armed, armed),)
