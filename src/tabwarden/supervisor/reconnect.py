"""Reconnecting: what is kept while the wire is dead, and found again on the next one.

The browser goes on without us: tabs keep their numbers by their targets. A dialog of ours waits on
in the page for some seconds (``js/dialogs.js``); when we are back we tell the page to ask natively,
since no new pause or held request can reach a thread that stands still, and to the agent it is the
same dialog. A native one is over, since the browser answers it when its last client goes, unless a
guard is posted (``guard.py``).
"""

from __future__ import annotations

from tabwarden.protocol import page
from tabwarden.supervisor import bridge, dialogs, frames, waiting
from tabwarden.supervisor.dialog_values import PendingDialog
from tabwarden.supervisor.notices import (
    EndpointLost,
    EndpointRegained,
    SessionDetached,
    StateInvalidated,
)
from tabwarden.supervisor.state import Health
from tabwarden.supervisor.tabs import SessionInfo
from tabwarden.supervisor.targets import close_tab
from tabwarden.supervisor.turn import Turn
from tabwarden.supervisor.values import frozen, replace

__all__ = [
    "LOST_DIALOGS_S",
    "answers_again",
    "give_up_lost",
    "guard_lost",
    "guard_told",
    "lost",
    "reattached",
    "reload_stuck",
    "say_to_silent",
]

UNANSWERABLE_S = 1.5
"""How long a tab may take to answer after a reconnect before it counts as stuck."""
WORD_S = 0.5
"""How long a page may take to answer after a reconnect before it counts as standing still."""
LOST_DIALOGS_S = 8.0
"""How long after a reconnect a page may take to ask again."""


def lost(turn: Turn, reason: str, guarded: frozenset[str]) -> None:
    """The wire is dead; the browser may not be. Native dialogs of ``guarded`` targets stay open."""
    _keep_unheard(turn)
    _keep_addresses(turn)
    for session in list(turn.state.sessions.values()):
        waiting.drop_session(turn, session.session_id)
        frames.drop_session_frames(turn, session.session_id)
        turn.notify(
            SessionDetached(tab_id=session.tab_id, session_id=session.session_id, reason=reason)
        )
    for dialog in turn.state.pending_dialogs:
        if dialog.channel == "native" and dialog.target_id not in guarded:
            _give_up_native(turn, dialog)
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
        word_due_at=None,
        word_said=frozenset(),
    )
    turn.notify(EndpointLost(reason=reason, reconnecting=True))


def _keep_unheard(turn: Turn) -> None:
    """Pages that stand still, and whose question was on its way to us."""
    for session in turn.state.sessions.values():
        if session.asking is not None:
            turn.put("unheard", session.target_id, session.tab_id)


def _keep_addresses(turn: Turn) -> None:
    """Where each target's documents stood."""
    for session in turn.state.sessions.values():
        urls = {f.url for f in turn.state.frames.values() if f.session_id == session.session_id}
        known = turn.state.left_at.get(session.target_id, frozenset())
        turn.put("left_at", session.target_id, known | urls)


def reattached(turn: Turn, target_ids: frozenset[str]) -> None:
    """The targets that the browser has: the others' tabs closed meanwhile."""
    for tab in list(turn.state.tabs.values()):
        if tab.target_id not in target_ids:
            dialogs.drop_dialogs(turn, tab.target_id)
            close_tab(turn, tab)
        else:
            turn.notify(StateInvalidated(tab_id=tab.tab_id, reason="the connection was lost"))
    if any(d.is_left_behind for d in turn.state.pending_dialogs):
        turn.change(lost_dialogs_until=turn.now.monotonic + LOST_DIALOGS_S)
    if turn.state.unanswerable:
        turn.change(unanswerable_until=turn.now.monotonic + UNANSWERABLE_S)
    if turn.state.left_at:
        turn.change(word_due_at=turn.now.monotonic + WORD_S)
    turn.notify(EndpointRegained())


def say_to_silent(turn: Turn) -> None:
    """Pages that still do not answer may wait in a dialog whose news was lost: they are to ask
    again, natively."""
    due = turn.state.word_due_at
    if due is None or due > turn.now.monotonic:
        return
    asks = {d.tab_id for d in turn.state.pending_dialogs if not d.is_left_behind}
    silent = {s.target_id: s for s in turn.state.sessions.values() if not s.ready}
    turn.drop("left_at", *(turn.state.left_at.keys() - silent.keys()))
    for target_id in sorted(turn.state.left_at.keys() - turn.state.word_said):
        if silent[target_id].tab_id not in asks:
            bridge.say_where_left(turn, target_id, silent[target_id].session_id)
    turn.change(word_due_at=None)


def answers_again(turn: Turn, session_id: str) -> None:
    """A target is set up: it waits for nothing."""
    session = turn.state.sessions.get(session_id)
    if session is None or not session.ready:
        return
    if session.target_id in turn.state.word_said:
        for url in sorted(turn.state.left_at.get(session.target_id, ())):
            bridge.take_back(turn, url, session.session_id)
        turn.change(word_said=turn.state.word_said - {session.target_id})
    turn.drop("left_at", session.target_id)


def reload_stuck(turn: Turn) -> None:
    """Tabs that still do not answer stand behind a dialog that nobody can answer: reload them."""
    until = turn.state.unanswerable_until
    if until is None or until > turn.now.monotonic:
        return
    for tab_id in sorted(turn.state.unanswerable):
        tab = turn.state.tabs.get(tab_id)
        if tab is None or tab.status != "starting" or tab.session_id is None:
            continue
        turn.send(page.Reload(), tab.session_id)
        turn.put("tabs", tab_id, replace(tab, generation=tab.generation + 1))
        why = "its dialog was lost with the connection, so it was reloaded"
        turn.notify(StateInvalidated(tab_id=tab_id, reason=why))
    turn.change(unanswerable=frozenset(), unanswerable_until=None)


def give_up_lost(turn: Turn) -> None:
    """Dialogs whose page has not asked again are over."""
    until = turn.state.lost_dialogs_until
    if until is None or until > turn.now.monotonic:
        return
    turn.change(lost_dialogs_until=None)
    for dialog in turn.state.pending_dialogs:
        if dialog.is_left_behind:
            dialogs.close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def guard_lost(turn: Turn) -> None:
    """Nobody keeps those dialogs open any more."""
    for dialog in turn.state.pending_dialogs:
        if dialog.guarded:
            _give_up_native(turn, dialog)
    if turn.state.unanswerable and turn.state.health.status == "live":
        turn.change(unanswerable_until=turn.now.monotonic + UNANSWERABLE_S)


def guard_told(turn: Turn, target_id: str, event: page.JavascriptDialogOpening) -> None:
    """A dialog opened where we had no session, or one that was not set up: nobody else tells of it,
    and a page that stands behind one can't be set up."""
    tab = turn.state.tab_of_target(target_id)
    if tab is None or tab.status != "starting":
        return
    if any(d.target_id == target_id and d.channel == "native" for d in turn.state.pending_dialogs):
        return
    session = SessionInfo(
        session_id=tab.session_id or "",
        target_id=target_id,
        target_type="page",
        parent_session_id=None,
        tab_id=tab.tab_id,
    )
    dialogs.open_native(turn, session, event, guarded=True)


def _give_up_native(turn: Turn, dialog: PendingDialog) -> None:
    turn.change(unanswerable=turn.state.unanswerable | {dialog.tab_id})
    dialogs.close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def _unheld(dialog: PendingDialog) -> PendingDialog:
    return replace(dialog, held_by="", answer=None, guarded=dialog.channel == "native")
