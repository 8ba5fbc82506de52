"""Decide whether a batch stops after a successful step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from tabwarden.actions.registry import Action
from tabwarden.supervisor.core import SupervisorSnapshot

StopOn = Literal["any", "failure", "nothing"]
STOPS: tuple[StopOn, ...] = ("any", "failure", "nothing")
_GOES = ("navigate", "back", "forward", "reload", "tabs")
"""Actions that are meant to show another page. The steps after them expect that page."""


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
    """Return why a batch must stop after a successful step: ``navigation``, or the kind of the
    pending prompt, such as ``dialog``; "" if the batch can continue.

    Args:
        stop_on: see ``Browser.batch``.
        action, following: the actions in this step and in the next step.
        by, navigation: the fields of the step's result.
        state, tab_id: the browser's state after the step, and the tab of the batch.
    """
    if stop_on == "nothing":
        return ""
    left = navigation == "new_document" or (by is not None and by["kind"] == "navigation")
    pending = any(one.tab_id == tab_id for one in state.pending_dialogs)
    prompt = str(by["kind"]) if by is not None and not left else "dialog" * pending
    if prompt:  # the action that answers a prompt has the same name as the prompt's kind
        return "" if following.name == prompt else prompt
    left = left and stop_on == "any" and action.name not in _GOES
    return "navigation" if left else ""
