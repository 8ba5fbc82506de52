"""Targets, their sessions, and the tabs that agents know them by.

Every page and iframe target is attached by the browser while it waits, before its first script, and
set up then (``set_up``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from tabwarden.protocol import runtime, target
from tabwarden.supervisor import (
    backstage,
    belonging,
    bridge,
    dialogs,
    emulating,
    frames,
    set_up,
    waiting,
)
from tabwarden.supervisor.notices import (
    PopupOpened,
    SessionDetached,
    StateInvalidated,
    TabClosed,
    TabOpened,
    TabReplaced,
    TargetCrashed,
)
from tabwarden.supervisor.tabs import SessionInfo, Tab
from tabwarden.supervisor.turn import Ask, Turn
from tabwarden.supervisor.values import frozen, replace

__all__ = [
    "ReplacementCreated",
    "TabsAsked",
    "TitleAsked",
    "ask_tabs",
    "ask_title",
    "attached",
    "close_tab",
    "crashed",
    "declare_gone",
    "destroyed",
    "detached",
    "info_changed",
    "is_address",
    "open_tab",
    "renewed",
    "replace_tab",
    "replacement_created",
    "revived",
    "seen",
    "titles_known",
]


class ReplacementCreated(Ask, frozen=True):
    """The reply to ``Target.createTarget`` for a tab that is being replaced."""

    tab_id: str


class TitleAsked(Ask, frozen=True):
    """The reply to ``Target.getTargetInfo``: a page's title, after it has loaded."""


class TabsAsked(Ask, frozen=True):
    """The reply to ``Target.getTargets``: all pages' titles."""

    replaces: ClassVar[bool] = True


def attached(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> None:
    """The browser gave us a session on a target; it waits until we let it run."""
    info, child = event.target_info, event.session_id
    if backstage.is_ours(turn, event, session_id):
        return
    if info.target_id in turn.state.closing:  # after a reconnect
        _close_target(turn, info.target_id)
        belonging.let_go(turn, event, session_id)
        return
    known = turn.state.sessions.get(child)
    if known is not None and known.target_id == info.target_id:  # told twice
        return
    if known is not None:  # an id used again: the old one is over
        _end_session(turn, child, "its session began anew")
    if belonging.is_foreign(turn.state, info) or info.type not in set_up.SUPERVISED:
        belonging.let_go(turn, event, session_id)
        return
    if backstage.may_be_ours(turn, event, session_id):
        return
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
            # A page stands on its own: it doesn't end with the session that brought it.
            parent_session_id=session_id if info.type == "iframe" else None,
            tab_id=tab_id,
            attached_at=turn.now.monotonic,
        ),
    )
    if info.type == "iframe":
        frames.adopt(turn, info, child)
    set_up.begin(turn, child)
    if info.type == "page":
        bridge.ask_again(turn, turn.state.sessions[child])


def detached(turn: Turn, event: target.DetachedFromTarget, session_id: str | None) -> None:
    """A session is over: its target closed, crashed for good, or swapped process.

    Or somebody between us and the browser closed it, and the page lives on: it is asked for again,
    which the browser refuses where there is none.
    """
    _ = session_id
    session = turn.state.sessions.get(event.session_id)
    if session is not None and session.target_type == "page":
        turn.send(target.AttachToTarget(target_id=session.target_id, flatten=True), None)
    _end_session(turn, event.session_id, "the target was detached")
    backstage.detached(turn, event.session_id)


def info_changed(turn: Turn, event: target.TargetInfoChanged, session_id: str | None) -> None:
    """URL and title as the browser process knows them: true even while the page hangs."""
    _ = session_id
    seen(turn, event.target_info)


def seen(turn: Turn, info: target.TargetInfo) -> None:
    """Fold what the browser process says of a target."""
    if info.target_id in turn.state.closing and info.attached:
        _close_target(turn, info.target_id)
    tab = turn.state.tab_of_target(info.target_id)
    if tab is None:
        return
    url = info.url or tab.url  # empty while a navigation hangs between two documents
    if (tab.url, tab.title) != (url, info.title):
        turn.put("tabs", tab.tab_id, replace(tab, url=url, title=info.title))


def ask_title(turn: Turn, session_id: str | None) -> None:
    """Ask the browser process for a page's title: no event tells of what came after its commit."""
    tab = turn.state.tab_of_session(session_id)
    if tab is not None and tab.session_id == session_id:
        turn.send(target.GetTargetInfo(target_id=tab.target_id), None, TitleAsked())


def ask_tabs(turn: Turn) -> None:
    """The same for all pages."""
    turn.send(target.GetTargets(), None, TabsAsked())


def titles_known(turn: Turn, infos: Sequence[target.TargetInfo]) -> None:
    """Fold in what was asked for; an address in a title's place takes away none that is known."""
    for info in infos:
        tab = turn.state.tab_of_target(info.target_id)
        if tab is not None and not (is_address(info) and tab.title and tab.url == info.url):
            seen(turn, info)


def is_address(info: target.TargetInfo) -> bool:
    """Whether the browser process has no title of a page, or not yet: it gives the address then."""
    return bool(info.title) and info.title in info.url


def entitled(turn: Turn, tab_id: str, title: str) -> None:
    """Keep a title that was read in the page: no event tells of one that a script has set."""
    tab = turn.state.tabs.get(tab_id)
    if tab is not None and tab.title != title:
        turn.put("tabs", tab.tab_id, replace(tab, title=title))


def destroyed(turn: Turn, event: target.TargetDestroyed, session_id: str | None) -> None:
    """A target is gone for good."""
    _ = session_id
    backstage.destroyed(turn, event.target_id)
    turn.change(closing=turn.state.closing - {event.target_id})
    tab = turn.state.tab_of_target(event.target_id)
    if tab is None:
        return
    if tab.session_id is not None:
        _end_session(turn, tab.session_id, "the tab was closed")
    if tab.tab_id in turn.state.tabs:
        close_tab(turn, tab)


def crashed(turn: Turn, event: target.TargetCrashed, session_id: str | None) -> None:
    """A renderer died. Its sessions stay but answer nothing until the page loads again."""
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


def revived(turn: Turn, session_id: str | None) -> None:
    """A document committed in a tab that had crashed: it works again."""
    session = turn.state.session(session_id)
    tab = turn.state.tabs.get(session.tab_id) if session else None
    if tab is not None and tab.status == "crashed" and tab.session_id == session_id:
        turn.put("tabs", tab.tab_id, replace(tab, status="ready", status_reason=""))


def replace_tab(turn: Turn, tab_id: str, url: str) -> None:
    """Put a fresh target in the place of one that cannot be freed; at its last URL by default."""
    tab = turn.state.tabs.get(tab_id)
    if tab is None or tab_id in turn.state.replacing:
        return
    turn.put("replacing", tab_id, "")
    turn.send(_page_at(url or tab.url, tab.browser_context_id), None, ReplacementCreated(tab_id))


def replacement_created(turn: Turn, ask: ReplacementCreated, target_id: str | None) -> None:
    """The fresh target is there; its tab may have been opened under a number of its own."""
    tab = turn.state.tabs.get(ask.tab_id)
    if target_id is None or tab is None:
        turn.drop("replacing", ask.tab_id)
        return
    newcomer = turn.state.tab_of_target(target_id)
    if newcomer is not None and newcomer.tab_id == tab.tab_id:
        turn.drop("replacing", ask.tab_id)
        return
    if newcomer is None:  # its attachedToTarget is still to come
        turn.put("replacing", ask.tab_id, target_id)
        return
    _swap_in(turn, tab, newcomer)


def renewed(turn: Turn, tab_id: str) -> None:
    """A tab that hung stands in another renderer: what was known of its page is void."""
    tab = turn.state.tabs.get(tab_id)
    if tab is None:
        return
    turn.put("tabs", tab_id, replace(tab, generation=tab.generation + 1))
    turn.notify(TabReplaced(tab_id=tab_id, target_id=tab.target_id))
    turn.notify(StateInvalidated(tab_id=tab_id, reason="its renderer was replaced"))


def declare_gone(turn: Turn, tab_id: str) -> None:
    """Nothing brings a tab back: it is closed, and a task without tabs is given an empty one."""
    tab = turn.state.tabs.get(tab_id)
    if tab is None:
        return
    turn.drop("replacing", tab_id)
    _close_target(turn, tab.target_id)
    close_tab(turn, tab, "it hung and could not be brought back")
    if not turn.state.tabs:
        turn.send(_page_at("about:blank", tab.browser_context_id), None)


def open_tab(turn: Turn) -> None:
    """The first tab of a context of the task's own, which begins without any."""
    turn.send(_page_at("about:blank", turn.state.context), None)


def _page_at(url: str, context: str | None) -> target.CreateTarget:
    return target.CreateTarget(url=url, browser_context_id=context or msgspec.UNSET)


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
    turn.change(next_tab=number + 1)
    turn.put("tabs", tab.tab_id, tab)
    if turn.state.active_tab_id is None:
        turn.change(active_tab_id=tab.tab_id)
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
    """The newcomer's target takes the old tab's number; the old target is closed."""
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
            generation=old.generation + 1,
        ),
    )
    if newcomer.tab_id:
        turn.drop("tabs", newcomer.tab_id)
        if turn.state.active_tab_id == newcomer.tab_id:
            turn.change(active_tab_id=old.tab_id)
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
    """Close a page that hangs. The browser forgets of it when a document commits meanwhile, so it
    is told again whenever the target tells of itself, until it is gone."""
    turn.change(closing=turn.state.closing | {target_id})
    turn.send(target.CloseTarget(target_id=target_id), None)


def _end_session(turn: Turn, session_id: str, reason: str, *, keep_tab: bool = False) -> None:
    """End a session and those below it."""
    session = turn.state.sessions.get(session_id)
    if session is None:
        return
    turn.drop("sessions", session_id)
    for child in [
        s.session_id for s in turn.state.sessions.values() if s.parent_session_id == session_id
    ]:
        _end_session(turn, child, reason)
    dialogs.drop_dialogs(turn, session.target_id)
    waiting.drop_session(turn, session_id)
    frames.drop_session_frames(turn, session_id)
    emulating.session_ended(turn)
    turn.notify(SessionDetached(tab_id=session.tab_id, session_id=session_id, reason=reason))
    tab = turn.state.tabs.get(session.tab_id)
    if tab is not None and tab.session_id == session_id and not keep_tab:
        close_tab(turn, tab)


def close_tab(turn: Turn, tab: Tab, reason: str = "the tab was closed") -> None:
    """A tab is gone."""
    turn.drop("tabs", tab.tab_id)
    turn.drop("network", tab.tab_id)
    for session in list(turn.state.sessions.values()):
        if session.tab_id == tab.tab_id:
            _end_session(turn, session.session_id, reason)
    if turn.state.active_tab_id == tab.tab_id:
        left = turn.state.tabs
        opener = tab.opener_tab_id if tab.opener_tab_id in left else None
        turn.change(active_tab_id=opener or (list(left)[-1] if left else None))
    turn.notify(TabClosed(tab_id=tab.tab_id, reason=reason))
