"""Confine a task's raw CDP commands to its own browser context or window, if it has one.

Browser-wide CDP commands know nothing about tasks: they could return the user's cookies, or close
other tasks' tabs. So a command's context or target parameter must belong to this task. Commands
that affect the whole browser are refused.
"""

from __future__ import annotations

from typing import Any

from tabwarden.errors import Denied
from tabwarden.page.scripts.cdp_allowlist import allowed
from tabwarden.protocol import target
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import Race


async def confined(
    race: Race, state: SupervisorState, method: str, params: dict[str, Any]
) -> dict[str, Any]:
    """Check a command, and return the parameters to send.

    Args:
        race: the call's race.
        state: the browser's state. A task without its own context or window is unrestricted.
        method, params: the agent's command.

    Raises:
        Denied: the command is not allowed, or would reach beyond the context or window.
    """
    context = state.context
    if context is None and not state.own_window:
        return params
    reach = allowed(method).reach
    if reach == "context" and context is None:
        if method == "Target.createTarget":
            raise _beyond(method, "the tab would not be in this task's window. Use `tabs` instead")
        if "browserContextId" in params:
            raise _beyond(method, "browserContextId belongs to another task")
        return params
    if reach == "context":  # without an ID, the command would apply to the default context
        if params.get("browserContextId", context) != context:
            raise _beyond(method, "browserContextId belongs to another task")
        return {**params, "browserContextId": context}
    if reach == "target":
        if "targetId" in params and params["targetId"] not in await _targets(race, state):
            raise _beyond(method, "targetId belongs to another task")
        return params
    if reach == "browser":
        raise _beyond(method, "it affects the whole browser")
    return params


def shown(state: SupervisorState, method: str, result: Any) -> Any:
    """Remove everything that does not belong to the task from a command's result."""
    limited = state.context is not None or state.own_window
    if not limited or method != "Target.getTargets":
        return result
    infos = result["targetInfos"]
    if state.own_window:
        own = [one for one in infos if one["targetId"] in state.opened]
    else:
        own = [one for one in infos if one.get("browserContextId") == state.context]
    return {**result, "targetInfos": own}


async def _targets(race: Race, state: SupervisorState) -> frozenset[str]:
    if state.own_window:
        return state.opened
    there = (await race.call(target.GetTargets(), None)).target_infos
    return frozenset(one.target_id for one in there if one.browser_context_id == state.context)


def _beyond(method: str, why: str) -> Denied:
    return Denied(
        f"{method} reaches beyond this task's browser context or window: {why}.",
        "Other tasks and people use this browser. The command is allowed in a browser that "
        "Tabwarden launched, or attached to with context='shared'.",
        method=method,
    )
