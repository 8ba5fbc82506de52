"""Stopping: decides whether a batch stops after a successful step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from tabwarden.actions.registry import Action
from tabwarden.supervisor.core import SupervisorSnapshot

StopOn = Literal["any", "failure", "nothing"]
STOPS: tuple[StopOn, ...] = ("any", "failure", "nothing")
_GOES = ("navigate", "back", "forward", "reload", "tabs")
"""Actions that are meant to show another page, so the following steps expect it."""


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
    """Return why a batch must stop after a successful step: ``navigation``, ``dialog`` or another
    kind of pending prompt; "" if it must not stop.

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
    prompt = str(by["kind"]) if by is not None and not left else "dialog" * pending
    if prompt:  # the action that answers a kind of prompt has the same name as the kind
        return "" if following.name == prompt else prompt
    left = left and stop_on == "any" and action.name not in _GOES
    return "navigation" if left else ""
