"""Targets and their sessions, and the tabs that agents see.

The browser attaches us to every page and iframe target before its first script, and the target
waits while we set it up (``set_up``).
"""

from __future__ import annotations

from tabwarden.protocol import page, runtime, target
from tabwarden.supervisor.core.handlers import (
    bridge,
    dialogs,
    emulating,
    frames,
    hidden_targets,
    network,
    page_notes,
    prompt_cleanup,
    set_up,
    target_ownership,
)
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import (
    PopupOpened,
    SessionDetached,
    StateInvalidated,
    TabClosed,
    TabOpened,
    TabReplaced,
    TargetCrashed,
)
from tabwarden.supervisor.core.state.tabs import SessionInfo, Tab
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import frozen, replace

_MOST_TABS = 100
"""The number of tabs at which pages can't open more tabs. The agent can still open tabs."""


class ReplacementCreated(Ask, frozen=True):
    """The reply to ``Target.createTarget`` for a tab that is being replaced."""

    command = target.CreateTarget

    tab_id: str


def attached(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> None:
    info, child = event.target_info, event.session_id
    if hidden_targets.is_ours(turn, event, session_id):
        return
    if info.target_id in turn.state.closing:  # after a reconnect
        _close_target(turn, info.target_id)
        target_ownership.let_go(turn, event, session_id)
        return
    known = turn.state.sessions.get(child)
    if known is not None and known.target_id == info.target_id:  # a duplicate event
        return
    if known is not None:  # a reused ID, so the old session has ended
        _end_session(turn, child, "its session restarted")
    is_foreign = target_ownership.is_foreign(turn.state, info)
    if not is_foreign and set_up.adopt_worker(turn, event):
        return
    if is_foreign or info.type not in set_up.SUPERVISED:
        target_ownership.let_go(turn, event, session_id)
        return
    if hidden_targets.may_be_ours(turn, event, session_id):
        return
    if _is_refused(turn, event, session_id):
        return
    target_ownership.adopt(turn, info)
    tab_id = _tab_for_page(turn, info, child) if info.type == "page" else _tab_of(turn, session_id)
    if tab_id is None:
        turn.send(runtime.RunIfWaitingForDebugger(), child)
        return
    turn.put(
        "sessions",
        child,
        SessionInfo(
            session_id=child,
            target_id=info.target_id,
            target_type=info.type,
            # A page is independent: it doesn't end when the session that reported it ends.
            parent_session_id=session_id if info.type == "iframe" else None,
            tab_id=tab_id,
            attached_at=turn.now.monotonic,
            waited=event.waiting_for_debugger,
        ),
    )
    if info.type == "iframe":
        frames.adopt(turn, info, child)
    set_up.begin(turn, child)
    if info.type == "page":
        bridge.ask_again(turn, turn.state.sessions[child])


def _is_refused(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> bool:
    """Close a window that a page is not allowed to open. Return whether the window was closed."""
    is_for_program = page_notes.is_for_program(turn, event)
    if not is_for_program and not _is_one_too_many(turn, event):
        return False
    _close_target(turn, event.target_info.target_id)
    # A window for another program would start the program. However, an opener may wait for its
    # window.
    if not is_for_program or event.target_info.can_access_opener:
        target_ownership.let_go(turn, event, session_id)
    return True


def _is_one_too_many(turn: Turn, event: target.AttachedToTarget) -> bool:
    """Whether a page just opened this window, and the task has too many tabs. If so, add a note.
    Tabs that a person may use are never closed.
    """
    info = event.target_info
    is_new = event.waiting_for_debugger and turn.state.tab_of_target(info.target_id) is None
    if not info.opener_id or info.type != "page" or not is_new:
        return False
    if turn.state.shared or len(turn.state.tabs) < _MOST_TABS:
        return False
    opener = turn.state.tab_of_target(info.opener_id)
    text = f"no more than {_MOST_TABS} tabs can be open"
    turn.note(opener.tab_id if opener is not None else "", "window", "", text)
    return True


def detached(turn: Turn, event: target.DetachedFromTarget, session_id: str | None) -> None:
    """Handle the end of a session: its target closed, crashed, or moved to another process. If a
    proxy between us and the browser closed the session, the page may still exist. Therefore, attach
    again; the browser rejects this if the page is gone.
    """
    _ = session_id
    network.routes.drop_session(turn, event.session_id)
    session = turn.state.sessions.get(event.session_id)
    if session is not None and session.target_type == "page":
        turn.send(target.AttachToTarget(target_id=session.target_id, flatten=True), None)
    _end_session(turn, event.session_id, "the target was detached")
    hidden_targets.detached(turn, event.session_id)


def destroyed(turn: Turn, event: target.TargetDestroyed, session_id: str | None) -> None:
    _ = session_id
    hidden_targets.destroyed(turn, event.target_id)
    turn.change(closing=turn.state.closing - {event.target_id})
    tab = turn.state.tab_of_target(event.target_id)
    if tab is None:
        return
    if tab.session_id is not None:
        _end_session(turn, tab.session_id, "the tab was closed")
    if tab.tab_id in turn.state.tabs:
        close_tab(turn, tab)


def crashed(turn: Turn, event: target.TargetCrashed, session_id: str | None) -> None:
    """Record a renderer crash. The renderer's sessions remain, but can't respond until the page
    loads again.
    """
    _ = session_id
    reason = f"{event.status} (error code {event.error_code})"
    dialogs.drop_dialogs(turn, event.target_id)
    tab = turn.state.tab_of_target(event.target_id)
    if tab is not None:
        turn.put(
            "tabs",
            tab.tab_id,
            replace(tab, status="crashed", status_reason=reason, generation=tab.generation + 1),
        )
        turn.notify(TargetCrashed(tab_id=tab.tab_id, reason=reason))
        turn.notify(StateInvalidated(tab_id=tab.tab_id, reason="the page crashed"))
        return
    for session in turn.state.sessions.values():
        if session.target_id == event.target_id:
            turn.notify(
                TargetCrashed(
                    tab_id=session.tab_id,
                    reason=reason,
                    is_oopif=True,
                    session_id=session.session_id,
                )
            )
            return


def mark_alive(turn: Turn, event: page.FrameNavigated, session_id: str | None) -> None:
    """Record that a crashed tab works again, because a document committed in it."""
    _ = event
    session = turn.state.session(session_id)
    tab = turn.state.tabs.get(session.tab_id) if session else None
    if tab is not None and tab.status == "crashed" and tab.session_id == session_id:
        turn.put("tabs", tab.tab_id, replace(tab, status="ready", status_reason=""))


def activate(turn: Turn, input_: inputs.ActivateTab) -> None:
    if input_.tab_id in turn.state.tabs:
        turn.activate(input_.tab_id)


def forget(turn: Turn, input_: inputs.ForgetTab) -> None:
    tab = turn.state.tabs.get(input_.tab_id)
    if tab is not None:
        close_tab(turn, tab)


def replace_tab(turn: Turn, input_: inputs.ReplaceTab) -> None:
    """Replace a tab that can't be unblocked with a new target, by default at the tab's last URL."""
    tab = turn.state.tabs.get(input_.tab_id)
    if tab is None or tab.tab_id in turn.state.replacing:
        return
    turn.put("replacing", tab.tab_id, "")
    url = input_.url or tab.url
    target_ownership.open_tab(turn, url, tab.browser_context_id, ReplacementCreated(tab.tab_id))


def replacement_created(
    turn: Turn, ask: ReplacementCreated, result: target.CreateTargetResult | None
) -> None:
    """Handle the reply with the new target, which may already be in the state as a separate tab."""
    if result is not None:
        target_ownership.claim(turn, result.target_id)
    tab = turn.state.tabs.get(ask.tab_id)
    if result is None or tab is None:
        turn.drop("replacing", ask.tab_id)
        return
    newcomer = turn.state.tab_of_target(result.target_id)
    if newcomer is not None and newcomer.tab_id == tab.tab_id:
        turn.drop("replacing", ask.tab_id)
        return
    if newcomer is not None and tab.agents_part == "opened":
        set_up.agent_opened(turn, inputs.AgentOpened(newcomer.tab_id))
        newcomer = turn.state.tabs[newcomer.tab_id]
    if newcomer is None:  # its attachedToTarget event has not arrived yet
        turn.put("replacing", ask.tab_id, result.target_id)
        return
    _swap_in(turn, tab, newcomer)


def hidden_page_created(
    turn: Turn, ask: hidden_targets.BackstageCreated, result: target.CreateTargetResult | None
) -> None:
    """Handle the reply to the creation of a helper page. The other waiting pages are tabs."""
    for held in hidden_targets.created(turn, ask, result.target_id if result is not None else None):
        attached(turn, held.event, held.session_id)


def renewed(turn: Turn, input_: inputs.TabRenewed) -> None:
    """Record that a hung tab has a new renderer, so that earlier results about its page are no
    longer valid.
    """
    tab = turn.state.tabs.get(input_.tab_id)
    if tab is None:
        return
    turn.put("tabs", tab.tab_id, replace(tab, generation=tab.generation + 1))
    turn.notify(TabReplaced(tab_id=tab.tab_id, target_id=tab.target_id))
    turn.notify(StateInvalidated(tab_id=tab.tab_id, reason="its renderer was replaced"))


def declare_gone(turn: Turn, input_: inputs.DeclareGone) -> None:
    """Close a tab that can't be recovered. If the closed tab was the last tab, open an empty
    tab.
    """
    tab = turn.state.tabs.get(input_.tab_id)
    if tab is None:
        return
    turn.drop("replacing", tab.tab_id)
    _close_target(turn, tab.target_id)
    close_tab(turn, tab, "the tab hung and could not be recovered")
    if not turn.state.tabs:
        target_ownership.open_tab(turn, "about:blank", tab.browser_context_id)


def open_tab(turn: Turn) -> None:
    """Open the first tab of the task's own context or window, which starts empty."""
    target_ownership.open_tab(turn, "about:blank", turn.state.context)


def _tab_for_page(turn: Turn, info: target.TargetInfo, session_id: str) -> str:
    for tab_id, target_id in turn.state.replacing.items():
        old = turn.state.tabs.get(tab_id)
        if target_id == info.target_id and old is not None:
            _swap_in(turn, old, _new_tab("", info, session_id, None))
            return tab_id
    known = turn.state.tab_of_target(info.target_id)
    if known is not None:
        turn.put(
            "tabs", known.tab_id, replace(known, session_id=session_id, url=info.url or known.url)
        )
        return known.tab_id
    opener = turn.state.tab_of_target(info.opener_id) if info.opener_id else None
    number = turn.state.next_tab
    tab = _new_tab(f"t{number}", info, session_id, opener.tab_id if opener else None)
    if turn.state.shared:
        tab = replace(tab, agents_part=opener.agents_part if opener is not None else "none")
    turn.change(next_tab=number + 1)
    turn.put("tabs", tab.tab_id, tab)
    turn.record("tab_opened", tab.tab_id)
    if turn.state.active_tab_id is None:
        turn.activate(tab.tab_id)
    turn.notify(TabOpened(tab_id=tab.tab_id))
    if opener is not None:
        turn.notify(PopupOpened(tab_id=tab.tab_id, opener_tab_id=opener.tab_id))
    return tab.tab_id


def _new_tab(
    tab_id: str, info: target.TargetInfo, session_id: str, opener_tab_id: str | None
) -> Tab:
    return Tab(
        tab_id=tab_id,
        target_id=info.target_id,
        session_id=session_id,
        url=info.url,
        title=info.title,
        opener_tab_id=opener_tab_id,
        browser_context_id=info.browser_context_id,
    )


def _tab_of(turn: Turn, session_id: str | None) -> str | None:
    session = turn.state.session(session_id)
    return session.tab_id if session else None


def _swap_in(turn: Turn, old: Tab, newcomer: Tab) -> None:
    """Assign the old tab's ID to the new target, and close the old target."""
    if old.session_id is not None:
        _end_session(turn, old.session_id, "the tab was replaced", keep_tab=True)
    turn.drop("replacing", old.tab_id)
    turn.put(
        "tabs",
        old.tab_id,
        replace(
            newcomer,
            tab_id=old.tab_id,
            opener_tab_id=old.opener_tab_id,
            agents_part=old.agents_part,
            generation=old.generation + 1,
        ),
    )
    if newcomer.tab_id:
        turn.drop("tabs", newcomer.tab_id)
        turn.record("tab_closed", newcomer.tab_id)
        if turn.state.active_tab_id == newcomer.tab_id:
            turn.activate(old.tab_id)
        turn.change(
            sessions=frozen(
                {
                    k: replace(s, tab_id=old.tab_id) if s.tab_id == newcomer.tab_id else s
                    for k, s in turn.state.sessions.items()
                }
            )
        )
    _close_target(turn, old.target_id)
    turn.notify(TabReplaced(tab_id=old.tab_id, target_id=newcomer.target_id))
    turn.notify(StateInvalidated(tab_id=old.tab_id, reason="the tab was replaced"))


def _close_target(turn: Turn, target_id: str) -> None:
    """Close a hung page. If a document commits in the meantime, the browser drops the close
    request. Therefore, repeat the request whenever the target reports an event, until the target is
    gone.
    """
    turn.change(closing=turn.state.closing | {target_id})
    turn.send(target.CloseTarget(target_id=target_id), None)


def _end_session(turn: Turn, session_id: str, reason: str, *, keep_tab: bool = False) -> None:
    """End a session and its child sessions."""
    session = turn.state.sessions.get(session_id)
    if session is None:
        return
    turn.drop("sessions", session_id)
    for child in [
        s.session_id for s in turn.state.sessions.values() if s.parent_session_id == session_id
    ]:
        _end_session(turn, child, reason)
    dialogs.drop_dialogs(turn, session.target_id)
    prompt_cleanup.drop_session(turn, session_id)
    frames.drop_session_frames(turn, session_id)
    emulating.session_ended(turn)
    turn.notify(SessionDetached(tab_id=session.tab_id, session_id=session_id, reason=reason))
    tab = turn.state.tabs.get(session.tab_id)
    if tab is not None and tab.session_id == session_id and not keep_tab:
        close_tab(turn, tab)


def close_tab(turn: Turn, tab: Tab, reason: str = "the tab was closed") -> None:
    turn.drop("tabs", tab.tab_id)
    turn.drop("network", tab.tab_id)
    turn.drop("console_counts", tab.tab_id)
    turn.record("tab_closed", tab.tab_id)
    for session in list(turn.state.sessions.values()):
        if session.tab_id == tab.tab_id:
            _end_session(turn, session.session_id, reason)
    if turn.state.active_tab_id == tab.tab_id:
        left = turn.state.tabs
        opener = tab.opener_tab_id if tab.opener_tab_id in left else None
        turn.activate(opener or (list(left)[-1] if left else None))
    turn.notify(TabClosed(tab_id=tab.tab_id, reason=reason))


EVENTS = (
    (target.AttachedToTarget, attached),
    (target.DetachedFromTarget, detached),
    (target.TargetDestroyed, destroyed),
    (target.TargetCrashed, crashed),
    (page.FrameNavigated, mark_alive),
)
INPUTS = (
    (inputs.ActivateTab, activate),
    (inputs.ForgetTab, forget),
    (inputs.ReplaceTab, replace_tab),
    (inputs.TabRenewed, renewed),
    (inputs.DeclareGone, declare_gone),
)
REPLIES = (
    (ReplacementCreated, replacement_created),
    (hidden_targets.BackstageCreated, hidden_page_created),
)
