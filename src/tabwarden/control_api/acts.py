"""Handle ``POST /act``: one action on a page, identified by its kind, or a batch of actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabwarden.actions import Performed
from tabwarden.control_api.answers import closing, outcome, outcome_with_value
from tabwarden.control_api.call import Acting
from tabwarden.control_api.click import click
from tabwarden.control_api.kinds import BATCH, KINDS, checked_act, runs_script
from tabwarden.control_api.wait import wait
from tabwarden.errors import Disabled, InvalidArgument, TabwardenError
from tabwarden.similar import get_close_matches

WORK = {"wait": wait, "click": click, "clickCoords": click}
"""Maps each kind that needs more than one action to its function."""
_MOST = 100
_OF_BATCH = {"actions", "stopOnError", "targetId", "timeoutMs"}


async def perform_act(call: Acting, given: Mapping[str, Any]) -> dict[str, Any]:
    """Perform an act and return its response.

    Raises:
        TabwardenError: the act is invalid or failed. In a batch, a failed act is a result instead.
    """
    kind, fields = given.get("kind"), {k: v for k, v in given.items() if k != "kind"}
    if kind == BATCH:
        return await _batch(call, fields)
    shape = KINDS.get(kind) if isinstance(kind, str) else None
    if shape is None or kind is None:
        near = get_close_matches(str(kind), KINDS, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise InvalidArgument(
            f"There is no kind {str(kind)[:100]!r}.",
            f"{meant}Kinds: {', '.join((*KINDS, BATCH))}.",
            field="kind",
        )
    if runs_script(kind, fields) and not call.config.evaluate_enabled:
        raise Disabled(
            f"{kind} runs scripts, but scripts are disabled in the configuration.",
            "Use snapshot, click and type, or wait for text.",
        )
    arguments = checked_act(kind, fields)
    arguments.pop("timeout_ms", None)  # already in the call's budget
    try:
        work = WORK.get(kind)
        done = await (work(call, arguments) if work else call.run(shape.action, arguments))
    except TabwardenError as error:
        shape.in_fields(error, fields)
        raise
    return _answer(kind, done)


def _answer(kind: str, done: Performed) -> dict[str, Any]:
    if kind == "close":
        return closing(done)
    if kind == "evaluate" and not done.result.interrupted:
        return {**outcome(done), "result": done.result.value}
    return outcome_with_value(done)


async def _batch(call: Acting, given: Mapping[str, Any]) -> dict[str, Any]:
    actions, target = given.get("actions"), given.get("targetId")
    for field in given.keys() - _OF_BATCH:
        raise InvalidArgument(
            f"batch does not accept {field}.", "Put it in an action.", field=field
        )
    if not isinstance(actions, list) or not actions:
        raise InvalidArgument("batch requires actions.", "Pass a list of actions.", field="actions")
    if len(actions) > _MOST:
        raise InvalidArgument(f"batch exceeds maximum of {_MOST} actions.", field="actions")
    for number, one in enumerate(actions):
        _check(number, one, target)
    results: list[dict[str, Any]] = []
    for one in actions:
        try:
            results.append(await perform_act(call, {**one, "targetId": target} if target else one))
        except TabwardenError as error:
            results.append({"ok": False, "error": f"{error.message} {error.hint}".strip()})
            if given.get("stopOnError", True) is not False or call.budget.expired:
                break
    return {"ok": all(one["ok"] for one in results), "targetId": target, "results": results}


def _check(number: int, act: Any, target: str | None) -> None:
    """Raise ``InvalidArgument`` if an act in a batch can't run."""
    kind = str(act.get("kind")) if isinstance(act, dict) else ""
    if kind != BATCH and kind not in KINDS:
        raise InvalidArgument(
            f"actions.{number} has no kind, or an unknown kind.",
            f"Kinds: {', '.join(KINDS)}.",
            field=f"actions.{number}.kind",
        )
    if act.get("targetId") not in (None, target):
        raise InvalidArgument(
            "batched action targetId must match request targetId.",
            "Set `targetId` on the batch only.",
            field=f"actions.{number}.targetId",
        )
    if kind != BATCH:
        checked_act(kind, {name: value for name, value in act.items() if name != "kind"})
