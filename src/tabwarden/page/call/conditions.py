"""The conditions under which an action on a tab can begin at once.

This is the only list of these conditions. If all are true, ``perform`` starts the action without
any further check; otherwise it prepares the tab first. The fast path of evaluate sends a script
only if all are true. If a condition is missing here, tests for every kind of action fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabwarden.page.recovery import may_hang
from tabwarden.page.task import Task, is_blocked
from tabwarden.supervisor.core.state.state import SupervisorState

OF_STATE: Mapping[str, Callable[[SupervisorState, str], bool]] = {
    "the connection is live": lambda state, _: state.health.status == "live",
    "the agent knows the browser": lambda state, _: state.replacement is None,
    "the tab is set up": lambda state, tab_id: state.tabs[tab_id].status == "ready",
    "the agent has a part in the tab": lambda state, tab_id: state.agents_part(tab_id) != "none",
    "no prompt blocks the page": lambda state, tab_id: not is_blocked(state, tab_id),
    "no dialog opens or closes": lambda state, tab_id: not state.is_asking(tab_id),
    "no debugger is being attached": lambda state, tab_id: not state.is_arming(tab_id),
}
"""Conditions on the supervisor's state. The state is frozen, so a condition's result never changes
for the same state."""
OF_TASK: Mapping[str, Callable[[Task, str], bool]] = {
    "no person has control": lambda task, _: not task.control.is_closed_to_caller(),
    "nothing is highlighted": lambda task, _: task.highlighted is None,
    "no tab is being rescued": lambda task, _: not task.hangs.rescues,
    "no page of its renderer has hung": lambda task, tab_id: not may_hang(task, tab_id),
    "every recovery was reported to the agent": lambda task, _: not task.hangs.has_notes,
}
"""Conditions on the task. Their results may change at any time."""


def hold_in(state: SupervisorState, tab_id: str) -> bool:
    return tab_id in state.tabs and all(holds(state, tab_id) for holds in OF_STATE.values())


def hold_of(task: Task, tab_id: str) -> bool:
    return all(holds(task, tab_id) for holds in OF_TASK.values())


def can_begin(task: Task, tab_id: str | None) -> bool:
    """Whether an action on a tab can begin at once. If ``tab_id`` is None, check the active tab."""
    state = task.state
    requested_tab_id = tab_id or state.active_tab_id or ""
    return hold_in(state, requested_tab_id) and hold_of(task, requested_tab_id)
