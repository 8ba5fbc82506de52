"""Hidden targets: our own helper pages, which the agent does not see.

In full Chromium, helper pages are hidden targets of a special type. In other browsers they are
ordinary pages, and the browser attaches us to a new page before it reports whether we created that
page. Therefore, while we create a helper page, all new pages wait until the browser has replied.
"""

from __future__ import annotations

import msgspec

from tabwarden.protocol import target
from tabwarden.supervisor.core.handlers import target_ownership
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.notices import SessionDetached
from tabwarden.supervisor.core.state.tabs import HeldPage
from tabwarden.supervisor.core.state.transition import Ask, Turn
from tabwarden.supervisor.core.state.values import frozen


class BackstageCreated(Ask, frozen=True):
    command = target.CreateTarget

    key: str


def open_page(turn: Turn, input_: inputs.OpenBackstage) -> None:
    """Create a helper page. Afterwards, the state contains its target under ``key``."""
    turn.put("backstage", input_.key, "")
    command = target.CreateTarget(
        url="about:blank",
        browser_context_id=input_.browser_context_id or msgspec.UNSET,
        background=True,
        hidden=True,
    )
    turn.send(command, None, BackstageCreated(input_.key))


def created(turn: Turn, ask: BackstageCreated, target_id: str | None) -> list[HeldPage]:
    """Handle the reply to the creation of a helper page. Return the other pages that were
    waiting.
    """
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
            target_ownership.let_go(turn, one.event, one.session_id)
    left = [one for one in held if one.event.target_info.target_id not in ours]
    if "" in turn.state.backstage.values():  # another helper page is still being created
        turn.change(held_pages=tuple(left))
        return []
    turn.change(held_pages=())
    return left


def close(turn: Turn, input_: inputs.CloseBackstage) -> None:
    """Close a helper page. If the page is still being created, close the page as soon as it
    exists.
    """
    target_id = turn.state.backstage.get(input_.key)
    turn.drop("backstage", input_.key)
    ended = [one for one, known in turn.state.backstage_sessions.items() if known == input_.key]
    turn.drop("backstage_sessions", *ended)
    if target_id:
        turn.send(target.CloseTarget(target_id=target_id), None)


def is_ours(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> bool:
    """Whether a session belongs to one of our helper pages. If so, the action that opened the
    helper page handles the session.
    """
    for key, target_id in turn.state.backstage.items():
        if target_id == event.target_info.target_id:
            if event.waiting_for_debugger:
                target_ownership.let_go(turn, event, session_id)
            else:
                turn.put("backstage_sessions", event.session_id, key)
            return True
    return False


def may_be_ours(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> bool:
    """Whether a page must wait until we know whether we created it. If so, store the page until
    then.
    """
    info = event.target_info
    pending = "" in turn.state.backstage.values()
    if not pending or info.type != "page" or info.opener_id or not event.waiting_for_debugger:
        return False
    turn.change(held_pages=(*turn.state.held_pages, HeldPage(event=event, session_id=session_id)))
    return True


def lost(turn: Turn) -> None:
    """Handle the loss of the connection. Helper pages that exist remain open if the browser keeps
    running.
    """
    made = {key: target_id for key, target_id in turn.state.backstage.items() if target_id}
    turn.change(backstage=frozen(made), backstage_sessions=frozen({}), held_pages=())


def clear(turn: Turn) -> None:
    """Close the old connection's helper pages, because the actions that used them have failed."""
    for target_id in turn.state.backstage.values():
        turn.send(target.CloseTarget(target_id=target_id), None)


def destroyed(turn: Turn, target_id: str) -> None:
    turn.drop("backstage", *(k for k, one in turn.state.backstage.items() if one == target_id))


def detached(turn: Turn, session_id: str) -> None:
    """Drop a waiting page whose session ended."""
    if session_id in turn.state.backstage_sessions:
        gone = "the target was detached"
        turn.notify(SessionDetached(tab_id="", session_id=session_id, reason=gone))
    if turn.state.held_pages:
        left = [one for one in turn.state.held_pages if one.event.session_id != session_id]
        turn.change(held_pages=tuple(left))
    turn.drop("backstage_sessions", session_id)


INPUTS = ((inputs.OpenBackstage, open_page), (inputs.CloseBackstage, close))
