"""Stopping: what makes a batch stop between two steps that went well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from tabwarden.actions.registry import Action
from tabwarden.supervisor.core import SupervisorSnapshot

StopOn = Literal["any", "failure", "nothing"]
STOPS: tuple[StopOn, ...] = ("any", "failure", "nothing")
_GOES = ("navigate", "back", "forward", "reload", "tabs")
"""Actions whose purpose is to show another page, so that the steps after them expect it."""


def stop_reason(
    stop_on: StopOn,
    action: Action,
    following: Action,
    *,
    by: Mapping[str, Any] | None,
    navigation: str,
    state: SupervisorSnapshot,
    tab_id: str | None,
) -> str:
    """Return why a batch must stop after a step that did not fail: ``navigation``, ``dialog`` or
    another kind of prompt that waits; "" if it must not.

    Args:
        stop_on: see ``Browser.batch``.
        action, following: the actions of the step and of the next step.
        by, navigation: the fields of the step's result.
        state, tab_id: the browser's state after the step, and the tab of the batch.
    """
    if stop_on == "nothing":
        return ""
    left = navigation == "new_document" or (by is not None and by["kind"] == "navigation")
    pending = any(one.tab_id == tab_id for one in state.pending_dialogs)
    waits = str(by["kind"]) if by is not None and not left else "dialog" * pending
    if waits:  # a dialog, or another prompt; an action has the name of the kind that it answers
        return "" if following.name == waits else waits
    left = left and stop_on == "any" and action.name not in _GOES
    return "navigation" if left else ""
