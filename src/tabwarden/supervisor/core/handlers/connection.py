"""The connection: attach to a browser, and restore the state on a new connection after a connection
loss.

The browser keeps running while we are disconnected. Tabs keep their ids, because we know their
targets. When the connection is lost, a bridge dialog keeps waiting in the page for some seconds
(``js/dialogs.js``). After the reconnect, we tell the page to open the dialog natively, because a
blocked thread can't start a new pause or request. The agent still sees the same dialog. When a
native dialog's last client disconnects, the browser itself closes the dialog, unless a guard is
connected (``link/standby_connection.py``).
"""

from __future__ import annotations

from tabwarden.protocol import page
from tabwarden.supervisor.core.handlers import (
    bridge,
    debugging,
    dialogs,
    downloads,
    frames,
    hidden_targets,
    network,
    page_notes,
    prompt_cleanup,
    set_up,
)
from tabwarden.supervisor.core.handlers.targets import close_tab, open_tab
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.notices import (
    EndpointLost,
    EndpointRegained,
    SessionDetached,
    StateInvalidated,
)
from tabwarden.supervisor.core.state.state import Health
from tabwarden.supervisor.core.state.tabs import SessionInfo
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import frozen, replace

LOST_DIALOGS_S = 8.0
"""After a reconnect, how long to wait for a page to reopen its dialog."""
SILENT_PAGE_S = 0.5
"""A page that has not responded this long after a reconnect is treated as hung."""
UNANSWERABLE_S = 1.5
"""A tab that has not responded this long after a reconnect is treated as stuck."""


def connected(turn: Turn, input_: inputs.Connected) -> None:
    if input_.replacement is not None:
        turn.change(replacement=input_.replacement, origins=())
        downloads.lost(turn, input_.replacement.reason)
        for tab in list(turn.state.tabs.values()):
            dialogs.drop_dialogs(turn, tab.target_id)
            close_tab(turn, tab)
    fresh = input_.context not in (None, turn.state.context) and not input_.joined
    fresh = fresh or (input_.own_window and not turn.state.tabs)
    turn.change(
        health=Health("live"),
        context=input_.context,
        own_window=input_.own_window,
        proxied=input_.proxied,
        shared=input_.shared,
        browser_download_dir=input_.download_dir,
    )
    if not input_.owned:
        debugging.contest(turn)
    if not input_.joined:  # otherwise, the downloads of the context's owner would be canceled
        turn.send(downloads.set_up(turn.state), None)
    if turn.state.policy.record_network:
        network.log.record(turn, inputs.RecordNetwork())
    # The browser forgot the permissions when the connection that granted them was closed.
    for rule in turn.state.permissions or turn.state.policy.permissions:
        turn.send(page_notes.permission_command(rule, turn.state), None)
        page_notes.permission_set(turn, inputs.PermissionSet(rule))
    turn.send(set_up.DISCOVER if input_.owned else set_up.DISCOVER_ALL, None)
    hidden_targets.clear(turn)
    turn.send(set_up.browsers(turn.state), None)
    if fresh:
        open_tab(turn)


def disconnected(turn: Turn, input_: inputs.Disconnected) -> None:
    """Record that the connection is lost, either permanently or until the driver reconnects."""
    hidden_targets.lost(turn)
    network.routes.drop_all(turn)
    if input_.reconnecting:
        _keep_for_next(turn, input_.reason, input_.guarded)
        return
    for dialog in turn.state.pending_dialogs:
        dialogs.drop_dialogs(turn, dialog.target_id)
    for session_id in turn.state.sessions:
        prompt_cleanup.drop_session(turn, session_id)
    turn.change(health=Health("gone", input_.reason), lost_dialogs_until=None)
    turn.notify(EndpointLost(reason=input_.reason))


def _keep_for_next(turn: Turn, reason: str, guarded: frozenset[str]) -> None:
    """Prepare for a reconnect. Native dialogs in ``guarded`` targets stay open."""
    _keep_unheard(turn)
    _keep_addresses(turn)
    for session in list(turn.state.sessions.values()):
        prompt_cleanup.drop_session(turn, session.session_id)
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
    """Record the paused pages whose dialog requests have not been read yet."""
    for session in turn.state.sessions.values():
        if session.asking is not None:
            turn.put("unheard", session.target_id, session.tab_id)


def _keep_addresses(turn: Turn) -> None:
    for session in turn.state.sessions.values():
        if turn.state.bridge_of(session.tab_id) is None:
            continue
        urls = {f.url for f in turn.state.frames.values() if f.session_id == session.session_id}
        known = turn.state.left_at.get(session.target_id, frozenset())
        turn.put("left_at", session.target_id, known | urls)


def reattached(turn: Turn, input_: inputs.Reattached) -> None:
    """Update the targets after a reconnect: close the tabs that disappeared in the meantime."""
    downloads.lost(turn, "the connection to the browser was lost")  # the browser drops them
    for tab in list(turn.state.tabs.values()):
        if tab.target_id not in input_.target_ids:
            dialogs.drop_dialogs(turn, tab.target_id)
            close_tab(turn, tab)
        else:
            turn.notify(StateInvalidated(tab_id=tab.tab_id, reason="the connection was lost"))
    if any(d.is_left_behind for d in turn.state.pending_dialogs):
        turn.change(lost_dialogs_until=turn.now.monotonic + LOST_DIALOGS_S)
    if turn.state.unanswerable:
        turn.change(unanswerable_until=turn.now.monotonic + UNANSWERABLE_S)
    if turn.state.left_at:
        turn.change(word_due_at=turn.now.monotonic + SILENT_PAGE_S)
    turn.notify(EndpointRegained())


def replacement_told(turn: Turn, _: inputs.ReplacementTold) -> None:
    turn.change(replacement=None)


def say_to_silent(turn: Turn, _: inputs.Tick) -> None:
    """Tell unresponsive pages to open their dialogs natively, because they may be blocked by a
    dialog that was never reported to us.
    """
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


def answers_again(turn: Turn, ask: set_up.SetUp, _: str | None) -> None:
    """Record that a target is set up, so that no dialog is blocking it."""
    session = turn.state.sessions.get(ask.session_id)
    if session is None or not session.ready:
        return
    if session.target_id in turn.state.word_said:
        for url in sorted(turn.state.left_at.get(session.target_id, ())):
            bridge.take_back(turn, url, session.session_id)
        turn.change(word_said=turn.state.word_said - {session.target_id})
    turn.drop("left_at", session.target_id)


def reload_stuck(turn: Turn, _: inputs.Tick) -> None:
    """Reload the tabs that are still waiting for a dialog that no client can close."""
    until = turn.state.unanswerable_until
    if until is None or until > turn.now.monotonic:
        return
    for tab_id in sorted(turn.state.unanswerable):
        tab = turn.state.tabs.get(tab_id)
        if tab is None or tab.status != "starting" or tab.session_id is None:
            continue
        turn.send(page.Reload(), tab.session_id)
        turn.put("tabs", tab_id, replace(tab, generation=tab.generation + 1))
        why = "its dialog was lost with the connection, so the page was reloaded"
        turn.notify(StateInvalidated(tab_id=tab_id, reason=why))
    turn.change(unanswerable=frozenset(), unanswerable_until=None)


def give_up_lost(turn: Turn, _: inputs.Tick) -> None:
    """Close the dialogs whose pages have not reopened them in time."""
    until = turn.state.lost_dialogs_until
    if until is None or until > turn.now.monotonic:
        return
    turn.change(lost_dialogs_until=None)
    for dialog in turn.state.pending_dialogs:
        if dialog.is_left_behind:
            dialogs.close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def guard_lost(turn: Turn, _: inputs.GuardLost) -> None:
    """Record that the guard is lost, so that its dialogs no longer stay open."""
    for dialog in turn.state.pending_dialogs:
        if dialog.guarded:
            _give_up_native(turn, dialog)
    if turn.state.unanswerable and turn.state.health.status == "live":
        turn.change(unanswerable_until=turn.now.monotonic + UNANSWERABLE_S)


def guard_told(turn: Turn, input_: inputs.GuardTold) -> None:
    """Record a dialog in a page for which we have no usable session yet. Only the guard reports
    this dialog, and the page can't be set up while the dialog is open.
    """
    target_id = input_.target_id
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
    dialogs.open_native(turn, session, input_.event, guarded=True)


def _give_up_native(turn: Turn, dialog: PendingDialog) -> None:
    # otherwise, others use the tab, so don't reload it
    if turn.state.agents_part(dialog.tab_id) != "none":
        turn.change(unanswerable=turn.state.unanswerable | {dialog.tab_id})
    dialogs.close(turn, replace(dialog, answer=None), accepted=None, prompt_text=None)


def _unheld(dialog: PendingDialog) -> PendingDialog:
    return replace(dialog, held_by="", answer=None, guarded=dialog.channel == "native")


INPUTS = (
    (inputs.Connected, connected),
    (inputs.Disconnected, disconnected),
    (inputs.Reattached, reattached),
    (inputs.ReplacementTold, replacement_told),
    (inputs.GuardLost, guard_lost),
    (inputs.GuardTold, guard_told),
    (inputs.Tick, give_up_lost),
    (inputs.Tick, say_to_silent),
    (inputs.Tick, reload_stuck),
)
REPLIES = ((set_up.SetUp, answers_again),)
