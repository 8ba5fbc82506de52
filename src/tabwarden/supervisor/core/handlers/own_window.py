"""A task's own window: in a browser that a person uses, the task has only the tabs that it opens.

The tabs share the person's logins, and popups of the task's tabs are the task's too. The browser
attaches us to a new tab before it tells us whether we opened that tab. So we release the tab first
(``target_ownership``), and attach to it again once we know.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tabwarden.protocol import Command, target
from tabwarden.supervisor.core.state import Ask, SupervisorState, Turn, inputs


class TabAsked(Ask, frozen=True):
    """The reply to ``Target.createTarget`` for a new tab of this task."""

    command = target.CreateTarget


def tab_commands(
    state: SupervisorState, url: str, context: str | None
) -> tuple[list[Command[Any]], target.CreateTarget]:
    """Return the commands that open a tab: those to send before, and the one that creates it.

    The browser opens a tab in the window that was active last. So a task with its own window first
    activates one of its tabs there, or opens the window.
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
    turn.send(create, None, ask or TabAsked())


def claim(turn: Turn, target_id: str) -> None:
    """Attach to a tab that the task opened."""
    if not turn.state.own_window or target_id in turn.state.opened:
        return
    turn.change(opened=turn.state.opened | {target_id})
    turn.send(target.AttachToTarget(target_id=target_id, flatten=True), None)


def adopt(turn: Turn, info: target.TargetInfo) -> None:
    """Remember a popup, which may open further popups after its opener has closed."""
    if turn.state.own_window and info.target_id not in turn.state.opened:
        turn.change(opened=turn.state.opened | {info.target_id})


def created(turn: Turn, _: TabAsked, result: target.CreateTargetResult | None) -> None:
    if result is not None:
        claim(turn, result.target_id)


def told(turn: Turn, given: inputs.TabCreated) -> None:
    claim(turn, given.target_id)


INPUTS = ((inputs.TabCreated, told),)
REPLIES = ((TabAsked, created),)
