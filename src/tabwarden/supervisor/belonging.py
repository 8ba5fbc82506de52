"""Belonging: which of a browser's targets are this task's, and how the others are let go.

A browser tells of all its targets, and a new one stands still until everybody who was told has let
it run. What is another task's, or the user's where this task has a context of its own, gets no
more of us than that.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.protocol import runtime, target
from tabwarden.supervisor.state import SupervisorState
from tabwarden.supervisor.turn import Turn

__all__ = [
    "attached_to_another_tasks",
    "context_or_default",
    "is_foreign",
    "is_ours_to_tell",
    "let_go",
]


def is_foreign(state: SupervisorState, info: target.TargetInfo) -> bool:
    """Whether a target is in another context than this task's own."""
    return state.context is not None and info.browser_context_id != state.context


def context_or_default(state: SupervisorState) -> Any:
    """The ``browserContextId`` of browser-wide commands; left out it means the default one."""
    return state.context if state.context is not None else msgspec.UNSET


def let_go(turn: Turn, event: target.AttachedToTarget, session_id: str | None) -> None:
    """Let a target run, and leave it."""
    turn.send(runtime.RunIfWaitingForDebugger(), event.session_id)
    turn.send(target.DetachFromTarget(session_id=event.session_id), session_id)


def attached_to_another_tasks(turn: Turn, event: target.AttachedToTarget) -> None:
    """A target of a context that another task supervises.

    A popup that can reach its opener shares its thread, and runs as soon as *anybody* lets it: that
    is for its own task to do, once it is set up. All others wait for each of us (decision 0015).
    """
    if not turn.state.shares_browser:
        turn.change(shares_browser=True)
    if event.target_info.can_access_opener:
        turn.send(target.DetachFromTarget(session_id=event.session_id), None)
    else:
        let_go(turn, event, None)


def is_ours_to_tell(state: SupervisorState, frame_id: str) -> bool:
    """Whether a download that a frame began is this task's: a browser tells everybody of all."""
    alone = state.context is None and not state.shares_browser
    return alone or frame_id in state.frames or state.tab_of_target(frame_id) is not None
