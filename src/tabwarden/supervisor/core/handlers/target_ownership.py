"""Target ownership: decides which of a browser's targets belong to this task, and releases the
others.

A browser reports all its targets to every client, and a new target waits until all clients let it
run. If a target belongs to another task, or to the user while this task has its own context or its
own window (``own_window``), we only release it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.protocol import runtime, target
from tabwarden.supervisor.core.state import SupervisorState, Turn


def is_foreign(state: SupervisorState, info: target.TargetInfo) -> bool:
    """Whether a target is outside this task's own context or window."""
    if state.own_window and info.type == "page":
        return state.opened.isdisjoint((info.target_id, info.opener_id))
    return state.context is not None and info.browser_context_id != state.context


def context_or_default(state: SupervisorState) -> Any:
    """The ``browserContextId`` of browser-wide commands; unset means the default context."""
    return state.context if state.context is not None else msgspec.UNSET


def let_go(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> None:
    """Let a target run, and detach from it."""
    turn.send(runtime.RunIfWaitingForDebugger(), event.session_id)
    turn.send(target.DetachFromTarget(session_id=event.session_id), session_id)


def attached_to_another_tasks(turn: Turn, event: target.AttachedToTarget) -> None:
    """Release a target in a context that another task supervises. A popup that can access its
    opener shares the opener's thread, and starts as soon as *any* client lets it run. So only the
    popup's own task may let it run, after the set-up. All other targets start only when every
    client has let them run (decision 0015)."""
    if not turn.state.shares_browser:
        turn.change(shares_browser=True)
    if event.target_info.can_access_opener:
        turn.send(target.DetachFromTarget(session_id=event.session_id), None)
    else:
        let_go(turn, event, None)


def is_ours_to_tell(state: SupervisorState, frame_id: str) -> bool:
    """Whether a frame's download is this task's. The browser reports each download to all
    clients."""
    alone = state.context is None and not state.shares_browser and not state.own_window
    return alone or frame_id in state.frames or state.tab_of_target(frame_id) is not None
