"""Target ownership: decide which of a browser's targets belong to this task, and release the
others.

A browser reports all its targets to every client, and a new target is paused until all clients let
it run. If this task has its own context or window, we only release the targets of other tasks and
of the user.

In a browser that a person uses, a task with its own window has only the tabs that it opens, and
their popups. These tabs share the person's login cookies. The browser attaches us to a new tab
before it tells us whether we opened that tab. We therefore release the tab first, and attach to it
again when we know that we opened it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.protocol import Command, runtime, target
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.transition import Ask, Turn


class TabAsked(Ask, frozen=True):
    """The reply to ``Target.createTarget`` for a new tab of this task."""

    command = target.CreateTarget


def is_foreign(state: SupervisorState, info: target.TargetInfo) -> bool:
    """Whether a target is outside this task's own context or window."""
    if state.own_window and info.type == "page":
        return state.opened.isdisjoint((info.target_id, info.opener_id))
    return state.context is not None and info.browser_context_id != state.context


def context_or_default(state: SupervisorState) -> Any:
    """The ``browserContextId`` parameter for browser-wide commands; unset means the default
    context.
    """
    return state.context if state.context is not None else msgspec.UNSET


def let_go(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> None:
    """Let a target run, and detach from the target."""
    turn.send(runtime.RunIfWaitingForDebugger(), event.session_id)
    turn.send(target.DetachFromTarget(session_id=event.session_id), session_id)


def attached_to_another_tasks(turn: Turn, event: target.AttachedToTarget) -> None:
    """Release a target in a context that another task supervises. A popup that can access its
    opener shares the opener's thread, and starts as soon as *any* client lets it run. Therefore,
    only the popup's own task may let the popup run, after the set-up. All other targets start only
    when every client has let them run (decision 0015).
    """
    if not turn.state.shares_browser:
        turn.change(shares_browser=True)
    if event.target_info.can_access_opener:
        turn.send(target.DetachFromTarget(session_id=event.session_id), None)
    else:
        let_go(turn, event, None)


def is_ours_to_tell(state: SupervisorState, frame_id: str) -> bool:
    """Whether a frame's download belongs to this task. The browser reports each download to all
    clients.
    """
    alone = state.context is None and not state.shares_browser and not state.own_window
    return alone or frame_id in state.frames or state.tab_of_target(frame_id) is not None


def tab_commands(
    state: SupervisorState, url: str, context: str | None
) -> tuple[list[Command[Any]], target.CreateTarget]:
    """Return the commands that open a tab: the preparatory commands, and the command that creates
    the tab.

    The browser opens a tab in the last active window. Therefore, a task with its own window first
    activates one of the tabs in that window, or opens the window.
    """
    create = target.CreateTarget(url=url, browser_context_id=context or msgspec.UNSET)
    if not state.own_window:
        return [], create
    ours = next(iter(state.tabs.values()), None)
    if ours is None:
        return [], msgspec.structs.replace(create, new_window=True)
    return [target.ActivateTarget(target_id=ours.target_id)], create


def open_tab(turn: Turn, url: str, context: str | None, ask: Ask | None = None) -> None:
    """Open a tab for the task."""
    before, create = tab_commands(turn.state, url, context)
    for command in before:
        turn.send(command, None)
    turn.change(tab_refused=False)
    turn.send(create, None, ask or TabAsked())


def claim(turn: Turn, target_id: str) -> None:
    """Attach to a tab that the task opened."""
    if not turn.state.own_window or target_id in turn.state.opened:
        return
    turn.change(opened=turn.state.opened | {target_id})
    turn.send(target.AttachToTarget(target_id=target_id, flatten=True), None)


def adopt(turn: Turn, info: target.TargetInfo) -> None:
    """Record a popup, because the popup may open further popups after its opener has closed."""
    if turn.state.own_window and info.target_id not in turn.state.opened:
        turn.change(opened=turn.state.opened | {info.target_id})


def created(turn: Turn, _: TabAsked, result: target.CreateTargetResult | None) -> None:
    if result is not None:
        claim(turn, result.target_id)
    else:
        turn.change(tab_refused=True)


def told(turn: Turn, input_: inputs.TabCreated) -> None:
    claim(turn, input_.target_id)


INPUTS = ((inputs.TabCreated, told),)
REPLIES = ((TabAsked, created),)
