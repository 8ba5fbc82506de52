"""``POST /act``: one action by its kind, or a batch of them, planned whole before any is run."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from typing import Annotated, Any, NamedTuple

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import Denied, Disabled, InvalidArgument, TabwardenError
from tabwarden.supervisor import SupervisorSnapshot
from tabwarden.surfaces.http.answers import camel_keys, closing, json_response, outcome, target_of
from tabwarden.surfaces.http.bodies import BodyTooLarge, NotJson, fields_of
from tabwarden.surfaces.http.calls import (
    Call,
    budget_for,
    heeding,
    named_as_ours,
    run,
    service_of,
    task_of,
)
from tabwarden.surfaces.http.kinds import BATCH, KINDS, kinds_without, runs_script, tools_off
from tabwarden.surfaces.http.refusals import ActRefused, switched_off
from tabwarden.surfaces.http.shapes import TargetId, TimeoutMs, form
from tabwarden.surfaces.http.targets import tab_named
from tabwarden.surfaces.http.waiting import wait

__all__ = ["BATCH_FORM", "act"]

_MOST = 100
_DEEPEST = 5
BATCH_FORM = form(
    BATCH,
    actions=(
        Annotated[
            list[dict[str, Any]],
            Field(description="Actions, run one after the other.", min_length=1, max_length=_MOST),
        ],
        ...,
    ),
    stopOnError=(Annotated[bool, Field(description="End with the first that fails.")], True),
    targetId=(TargetId, None),
    timeoutMs=(TimeoutMs, None),
)


class Step(NamedTuple):
    """One action that was checked; of a batch its steps."""

    kind: str
    arguments: dict[str, Any]
    steps: tuple[Step, ...] = ()
    stops: bool = True
    """A batch ends with the first of its steps that fails."""
    note: str = ""
    """What of the request was passed over."""
    given: Collection[str] = ()
    """The fields of the request."""


async def act(request: Request) -> Response:
    """Do what the body says."""
    service = service_of(request)
    config = service.config
    if not config.enabled:
        raise switched_off()
    try:
        step = _planned(named_as_ours(request, await fields_of(request)), config)
        budget, task = _budget(step, config), task_of(request)
        with service.tasks.call(task, budget, opens=False) as session:
            async with heeding(request, budget):
                call = Call(service, task, session, config, budget)
                return json_response(await _done(step, call))
    except (BodyTooLarge, NotJson):
        raise
    except TabwardenError as error:
        raise ActRefused(error) from None


# -- planning --------------------------------------------------------------------------------


def _planned(given: dict[str, Any], config: BrowserConfig, depth: int = 0) -> Step:
    given = dict(given)
    kind = given.pop("kind", None)
    if kind == BATCH:
        return _planned_batch(given, config, depth)
    shape = KINDS.get(kind) if isinstance(kind, str) else None
    if shape is None:
        raise ActRefused(_no_kind(kind, config), "ACT_KIND_REQUIRED")
    if runs_script(kind, given) and not config.evaluate_enabled:
        raise ActRefused(
            Disabled(
                f"{kind} runs scripts, which the configuration switches off.",
                "Use snapshot, click, type, and wait for a text or a selector.",
            ),
            "ACT_EVALUATE_DISABLED",
        )
    if "selector" in given and "selector" not in shape.form.parameters.model_fields:
        raise ActRefused(
            InvalidArgument(
                f"{kind} takes no selector.",
                "Name the element by its ref from GET /snapshot.",
                field="selector",
            ),
            "ACT_SELECTOR_UNSUPPORTED",
        )
    arguments = shape.check(given)
    if arguments.get("timeout_ms") is not None:
        Budget(arguments["timeout_ms"])
    note = " ".join(shape.passed_over(given))
    return Step(kind, arguments, note=note, given=tuple(given))


def _no_kind(kind: Any, config: BrowserConfig) -> InvalidArgument:
    kinds = kinds_without(tools_off(config))
    hint = f"Kinds: {', '.join(kinds)}."
    if kind is None:
        return InvalidArgument("kind is missing.", hint, field="kind")
    near = difflib.get_close_matches(str(kind)[:100], kinds, n=1)
    return InvalidArgument(
        f"There is no kind {str(kind)[:100]!r}.",
        f"Did you mean {near[0]}? {hint}" if near else hint,
        field="kind",
    )


def _planned_batch(given: Mapping[str, Any], config: BrowserConfig, depth: int) -> Step:
    checked = BATCH_FORM.check(given).arguments
    if depth == _DEEPEST:
        raise InvalidArgument(
            f"Batches stand in each other more than {_DEEPEST} deep.",
            "Put their actions into one.",
            field="kind",
        )
    steps = []
    for number, action in enumerate(checked["actions"]):
        try:
            steps.append(_planned(action, config, depth + 1))
        except ActRefused as refused:
            raise ActRefused(_placed(refused.error, number), refused.code) from None
        except TabwardenError as error:
            raise _placed(error, number) from None
    arguments = {"tab_id": checked.get("targetId"), "timeout_ms": checked.get("timeoutMs")}
    return Step(BATCH, arguments, tuple(steps), checked.get("stopOnError", True))


def _placed(error: TabwardenError, number: int) -> TabwardenError:
    """The same error, saying which action of the batch it is about."""
    field = error.data.get("field")
    if field is not None:
        error.data["field"] = f"actions.{number}.{field}"
    error.message = f"actions.{number}: {error.message}"
    return error


def _budget(step: Step, config: BrowserConfig) -> Budget:
    if step.kind == BATCH:
        return Budget.of(step.arguments["timeout_ms"], config.default_timeout_ms)
    return budget_for(config, KINDS[step.kind].action, step.arguments)


# -- doing -----------------------------------------------------------------------------------


async def _done(step: Step, call: Call) -> dict[str, Any]:
    if step.kind == BATCH:
        return await _batch_done(step, call)
    shape = KINDS[step.kind]
    try:
        if step.kind == "wait":
            done = await wait(call, step.arguments)
        else:
            done = await run(call, shape.action, step.arguments)
    except TabwardenError as error:
        shape.in_fields(error, step.given)
        raise
    body = outcome(done._replace(note=f"{step.note} {done.note}".strip()))
    if step.kind == "evaluate":
        return body if done.result.interrupted else {**body, "result": done.result.value}
    if step.kind == "close":
        return closing(done)
    if done.result.value is not None:
        body["value"] = camel_keys(done.result.value)
    return body


async def _batch_done(batch: Step, call: Call) -> dict[str, Any]:
    budget = call.budget
    browser, _ = await call.session.browser(may_open=False, budget=budget)
    tab_id = _one_tab(browser.state, batch)
    results: list[dict[str, Any]] = []
    for step in batch.steps:
        on_tab = step._replace(arguments={**step.arguments, "tab_id": tab_id})
        own = budget.child(at_most_ms=_budget(step, call.config).timeout_ms)
        try:
            results.append(await _done(on_tab, call._replace(budget=own)))
        except ActRefused as refused:
            results.append(refused.body())
        except TabwardenError as error:
            results.append(ActRefused(error).body())
        over = batch.stops or budget.expired or budget.cancelled is not None
        if over and not results[-1]["ok"]:
            break
    return {
        "ok": all(result["ok"] for result in results),
        "targetId": target_of(browser.state, tab_id),
        "tabId": tab_id,
        "results": results,
    }


def _one_tab(state: SupervisorSnapshot, batch: Step) -> str | None:
    """The tab of a batch and all in it, also when another one comes to the front meanwhile.

    Raises:
        ActRefused: an action names another one.
    """
    named = batch.arguments["tab_id"]
    tab_id = state.active_tab_id if named is None else tab_named(state, named)
    for number, step in enumerate(batch.steps):
        other = step.arguments.get("tab_id")
        if other is not None and tab_named(state, other) != tab_id:
            raise ActRefused(
                Denied(
                    f"actions.{number} names tab {other[:100]}, but the batch is for {tab_id}.",
                    "Name the tab on the batch only, or send another request.",
                    field=f"actions.{number}.targetId",
                ),
                "ACT_TARGET_ID_MISMATCH",
            )
    return tab_id
