"""Reconnecting: what is kept while the wire is dead, and found again on the next one.

The browser goes on without us: tabs keep their numbers by their targets. A dialog of ours waits on
in the page for some seconds (``js/dialogs.js``); when we are back we tell the page to ask natively,
since no new pause or held request can reach a thread that stands still, and to the agent it is the
same dialog. A native one is over: the browser answers it when its last client goes.
"""

from __future__ import annotations

from tabwarden.supervisor import auth, bridge, choosers, dialogs, frames
from tabwarden.supervisor.notices import (
    EndpointLost,
    EndpointRegained,
    SessionDetached,
    StateInvalidated,
)
from tabwarden.supervisor.state import Health, PendingDialog, frozen, replace
from tabwarden.supervisor.targets import close_tab
from tabwarden.supervisor.turn import Turn

__all__ = ["LOST_DIALOGS_S", "give_up_lost", "lost", "reattached"]

LOST_DIALOGS_S = 8.0
"""How long after a reconnect a page may take to ask again."""


def lost(turn: Turn, reason: str) -> None:
    """The wire is dead; the browser may not be."""
    for session in list(turn.state.sessions.values()):
        choosers.drop_session(turn, session.session_id)
        auth.drop_session(turn, session.session_id)
        frames.drop_session_frames(turn, session.session_id)
        turn.notify(
            SessionDetached(tab_id=session.tab_id, session_id=session.session_id, reason=reason)
        )
    for dialog in turn.state.pending_dialogs:
        if dialog.channel == "native":
            dialogs.close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)
    turn.change(
        health=Health("reconnecting", reason),
        sessions=frozen({}),
        pending_dialogs=tuple(_unheld(d) for d in turn.state.pending_dialogs),
        tabs=frozen(
            {
                tab_id: replace(tab, session_id=None, status="starting")
                for tab_id, tab in turn.state.tabs.items()
            }
        ),
        replacing=frozen({}),
        lost_dialogs_until=None,
    )
    turn.notify(EndpointLost(reason=reason, reconnecting=True))


def reattached(turn: Turn) -> None:
    """Every target that is there has been told of: the rest closed meanwhile."""
    for tab in list(turn.state.tabs.values()):
        if tab.session_id is None:
            dialogs.drop_dialogs(turn, tab.target_id)
            close_tab(turn, tab)
        else:
            turn.notify(StateInvalidated(tab_id=tab.tab_id, reason="the connection was lost"))
    left_behind = [d for d in turn.state.pending_dialogs if not d.held_by and d.channel != "native"]
    for dialog in left_behind:
        session = turn.state.sessions.get(_session_of(turn, dialog))
        if session is not None:
            bridge.say(turn, replace(dialog, session_id=session.session_id), "native")
    if left_behind:
        turn.change(lost_dialogs_until=turn.now.monotonic + LOST_DIALOGS_S)
    turn.notify(EndpointRegained())


def give_up_lost(turn: Turn) -> None:
    """Dialogs whose page has not asked again are over."""
    until = turn.state.lost_dialogs_until
    if until is None or until > turn.now.monotonic:
        return
    turn.change(lost_dialogs_until=None)
    for dialog in turn.state.pending_dialogs:
        if dialog.is_left_behind:
            dialogs.close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def _session_of(turn: Turn, dialog: PendingDialog) -> str:
    frame = turn.state.frames.get(dialog.frame_id or "")
    tab = turn.state.tabs.get(dialog.tab_id)
    return frame.session_id if frame is not None else (tab and tab.session_id) or ""


def _unheld(dialog: PendingDialog) -> PendingDialog:
    return replace(dialog, held_by="", answer=None)
