"""Debugging: in which sessions scripts can pause, so that dialogs wait with a readable page.

``Debugger.enable`` makes pages with many scripts load up to 2.6 times slower and costs nothing
once they have loaded (measured; docs/decisions/0007). So in a browser of our own it goes on when a
document has been parsed and off when the next one is on its way, except for origins that have
opened dialogs before. It is always on where somebody else may dismiss dialogs: in a browser that we
attached to, and after the first dialog that somebody else closed.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from tabwarden.protocol import debugger
from tabwarden.supervisor.policy import BridgeMode
from tabwarden.supervisor.tabs import SessionInfo
from tabwarden.supervisor.turn import Ask, Turn
from tabwarden.supervisor.values import replace

__all__ = ["Armed", "armed", "begin", "contest", "dialog_seen", "leaving", "loaded"]


class Armed(Ask, frozen=True):
    """The reply to ``Debugger.setBlackboxPatterns``, the last command of switching it on."""

    session_id: str


def armed(turn: Turn, ask: Armed) -> None:
    """Scripts of a session can pause from now on."""
    session = turn.state.sessions.get(ask.session_id)
    if session is not None and session.debugging == "asked":
        turn.put("sessions", session.session_id, replace(session, debugging="on"))


def begin(turn: Turn, session_id: str) -> None:
    """A target is set up, before its first script."""
    session = turn.state.sessions.get(session_id)
    if session is not None and _always(turn):
        _enable(turn, session)


def loaded(turn: Turn, frame_id: str, session_id: str | None) -> None:
    """A document has been parsed; only that of the session's own root counts."""
    session = _rooted(turn, frame_id, session_id)
    if session is not None:
        _enable(turn, session)


def leaving(turn: Turn, frame_id: str, url: str, session_id: str | None) -> None:
    """Another document is on its way, or about to be: the earlier this is known, the less of it
    is slowed down."""
    session = _rooted(turn, frame_id, session_id)
    if session is None or session.debugging == "off" or _always(turn):
        return
    if _origin(url) in turn.state.dialog_origins:
        return
    if any(d.session_id == session.session_id for d in turn.state.pending_dialogs):
        return  # its page waits in the pause; the dialog is somebody's to answer
    turn.put("sessions", session.session_id, replace(session, debugging="off"))
    turn.send(debugger.Disable(), session.session_id)


def dialog_seen(turn: Turn, session: SessionInfo, url: str) -> None:
    """A dialog opened: its origin may open more."""
    origin = _origin(url)
    if origin and origin not in turn.state.dialog_origins:
        turn.change(dialog_origins=turn.state.dialog_origins | {origin})
    _enable(turn, session)


def contest(turn: Turn) -> None:
    """Somebody else may close dialogs, or did: from now on none is left to them."""
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
    # The page's own ``debugger;`` pauses nothing and costs next to nothing.
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
