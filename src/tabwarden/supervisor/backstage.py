"""Backstage: pages of our own beside the agent's tabs, which nobody is told of.

Full Chromium makes them hidden targets of another type; elsewhere they are ordinary pages, which
the browser attaches us to as to any other, before it says which one we have made. So while one is
being made, pages that open of themselves wait for that answer.
"""

from __future__ import annotations

import msgspec

from tabwarden.protocol import target
from tabwarden.supervisor import belonging
from tabwarden.supervisor.notices import SessionDetached
from tabwarden.supervisor.tabs import HeldPage
from tabwarden.supervisor.turn import Ask, Turn
from tabwarden.supervisor.values import frozen

__all__ = [
    "BackstageCreated",
    "clear",
    "close",
    "created",
    "destroyed",
    "detached",
    "is_ours",
    "lost",
    "may_be_ours",
    "open_page",
]


class BackstageCreated(Ask, frozen=True):
    """The reply to ``Target.createTarget``."""

    key: str


def open_page(turn: Turn, key: str, browser_context_id: str | None) -> None:
    """Make a page; its target stands in the state under ``key`` then."""
    turn.put("backstage", key, "")
    command = target.CreateTarget(
        url="about:blank",
        browser_context_id=browser_context_id or msgspec.UNSET,
        background=True,
        hidden=True,
    )
    turn.send(command, None, BackstageCreated(key))


def created(turn: Turn, ask: BackstageCreated, target_id: str | None) -> list[HeldPage]:
    """The browser has made it, or will not; the attachments that had to wait for that."""
    wanted = ask.key in turn.state.backstage
    if target_id is None:
        turn.drop("backstage", ask.key)
    elif wanted:
        turn.put("backstage", ask.key, target_id)
    else:
        turn.send(target.CloseTarget(target_id=target_id), None)
    ours = {target_id, *turn.state.backstage.values()}
    held = turn.state.held_pages
    for one in held:
        if one.event.target_info.target_id == target_id:
            belonging.let_go(turn, one.event, one.session_id)
    left = [one for one in held if one.event.target_info.target_id not in ours]
    if "" in turn.state.backstage.values():  # another one is still to come
        turn.change(held_pages=tuple(left))
        return []
    turn.change(held_pages=())
    return left


def close(turn: Turn, key: str) -> None:
    """It is needed no more; one that is being made is closed when it is there."""
    target_id = turn.state.backstage.get(key)
    turn.drop("backstage", key)
    ended = [one for one, known in turn.state.backstage_sessions.items() if known == key]
    turn.drop("backstage_sessions", *ended)
    if target_id:
        turn.send(target.CloseTarget(target_id=target_id), None)


def is_ours(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> bool:
    """Whether a session is on a page of ours: one that we asked for is left to who did."""
    for key, target_id in turn.state.backstage.items():
        if target_id == event.target_info.target_id:
            if event.waiting_for_debugger:
                belonging.let_go(turn, event, session_id)
            else:
                turn.put("backstage_sessions", event.session_id, key)
            return True
    return False


def may_be_ours(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> bool:
    """Whether a page has to wait until it is known which one we have made."""
    info = event.target_info
    pending = "" in turn.state.backstage.values()
    if not pending or info.type != "page" or info.opener_id or not event.waiting_for_debugger:
        return False
    turn.change(held_pages=(*turn.state.held_pages, HeldPage(event=event, session_id=session_id)))
    return True


def lost(turn: Turn) -> None:
    """The wire is dead. A page that was made still stands, should the browser live on."""
    made = {key: target_id for key, target_id in turn.state.backstage.items() if target_id}
    turn.change(backstage=frozen(made), backstage_sessions=frozen({}), held_pages=())


def clear(turn: Turn) -> None:
    """A new wire is up: whoever had pages over the last one has given up."""
    for target_id in turn.state.backstage.values():
        turn.send(target.CloseTarget(target_id=target_id), None)


def destroyed(turn: Turn, target_id: str) -> None:
    """A target is gone for good."""
    turn.drop("backstage", *(k for k, one in turn.state.backstage.items() if one == target_id))


def detached(turn: Turn, session_id: str) -> None:
    """A session is over; a page that waits is gone with it."""
    if session_id in turn.state.backstage_sessions:
        gone = "the target was detached"
        turn.notify(SessionDetached(tab_id="", session_id=session_id, reason=gone))
    if turn.state.held_pages:
        left = [one for one in turn.state.held_pages if one.event.session_id != session_id]
        turn.change(held_pages=tuple(left))
    turn.drop("backstage_sessions", session_id)
