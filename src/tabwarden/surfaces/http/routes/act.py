"""``POST /act``: one action or a batch of actions. All actions are checked before the first action
runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import Performed
from tabwarden.actions.batch import StopOn, stop_reason
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.control_api import (
    BATCH,
    KINDS,
    WORK,
    NoSelector,
    TargetId,
    TimeoutMs,
    as_sent,
    checked_act,
    closing,
    form,
    kinds_without,
    outcome,
    outcome_with_value,
    runs_script,
    tab_named,
    target_of,
    tools_off,
)
from tabwarden.errors import Denied, Disabled, InvalidArgument, TabwardenError
from tabwarden.similar import get_close_matches
from tabwarden.supervisor.core import SupervisorSnapshot
from tabwarden.surfaces.http.errors import ActRefused, switched_off
from tabwarden.surfaces.http.pipeline import (
    BodyTooLarge,
    CheckedRequest,
    NotJson,
    TaskCall,
    json_response,
    optional,
    read_fields,
    required,
    saved_body,
    service_of,
    task_call,
)

_MOST = 100
_DEEPEST = 5
BATCH_FORM = form(
    BATCH,
    actions=required(
        list[dict[str, Any]], "Actions to run in sequence.", min_length=1, max_length=_MOST
    ),
    stopOn=optional(
        StopOn,
        "What stops the batch besides an error. any: a dialog that the next action does not "
        "answer, or an action that leaves the page. failure: only such a dialog. nothing: neither.",
        default="nothing",
    ),
    stopOnError=optional(bool, "Stop at the first failure.", default=True),
    targetId=(TargetId, None),
    timeoutMs=(TimeoutMs, None),
)


class Batch(NamedTuple):
    actions: tuple[CheckedRequest | Batch, ...]
    target_id: str | None
    """The tab of all actions; None for the active tab."""
    timeout_ms: float | None
    stops: bool
    """Whether the batch stops at the first failed action."""
    stop_on: StopOn
    """The other events that stop the batch."""

    def budget(self, config: BrowserConfig) -> Budget:
        return Budget.of(self.timeout_ms, config.default_timeout_ms)


async def act(request: Request) -> Response:
    service = service_of(request)
    if not service.config.enabled:
        raise switched_off()
    try:
        planned = _planned(await read_fields(request), service.config)
        async with task_call(request, planned.budget(service.config)) as call:
            return json_response(await _body_of(planned, call))
    except (BodyTooLarge, NotJson):
        raise
    except TabwardenError as error:
        if "permission" in error.data:  # the error is about the caller, not the action
            raise
        raise ActRefused(error) from None


# -- planning --------------------------------------------------------------------------------


def _planned(
    fields: Mapping[str, Any], config: BrowserConfig, depth: int = 0
) -> CheckedRequest | Batch:
    fields = dict(fields)
    if not isinstance(target := fields.get("targetId"), str | None):
        raise _other_tab("action targetId", target, "targetId")
    kind = fields.pop("kind", None)
    if kind == BATCH:
        return _planned_batch(fields, config, depth)
    shape = KINDS.get(kind) if isinstance(kind, str) else None
    if shape is None:
        raise ActRefused(_no_kind(kind, config), "ACT_KIND_REQUIRED")
    if runs_script(kind, fields) and not config.evaluate_enabled:
        raise ActRefused(
            Disabled(
                f"{kind} runs scripts, but scripts are disabled in the configuration "
                "(browser.evaluate_enabled=false).",
                "Use snapshot, click and type, or wait for text or a selector.",
            ),
            "ACT_EVALUATE_DISABLED",
        )
    try:
        arguments = checked_act(kind, fields)
    except NoSelector as error:
        raise ActRefused(error, "ACT_SELECTOR_UNSUPPORTED") from None
    return CheckedRequest(shape, arguments, fields, WORK.get(kind))


def _no_kind(kind: Any, config: BrowserConfig) -> InvalidArgument:
    kinds = kinds_without(tools_off(config))
    hint = f"Kinds: {', '.join(kinds)}."
    if kind is None:
        return InvalidArgument("kind is missing.", hint, field="kind")
    near = get_close_matches(str(kind), kinds, n=1)
    return InvalidArgument(
        f"There is no kind {str(kind)[:100]!r}.",
        f"Did you mean {near[0]}? {hint}" if near else hint,
        field="kind",
    )


def _planned_batch(fields: Mapping[str, Any], config: BrowserConfig, depth: int) -> Batch:
    if isinstance(actions := fields.get("actions"), list) and len(actions) > _MOST:
        raise InvalidArgument(
            f"batch exceeds maximum of {_MOST} actions.",
            f"Send the {len(actions)} actions in several requests.",
            field="actions",
        )
    checked = BATCH_FORM.check(as_sent(fields)).arguments
    if depth == _DEEPEST:
        raise InvalidArgument(
            f"Batches are nested more than {_DEEPEST} levels deep.",
            "Put their actions into one batch.",
            field="kind",
        )
    actions = []
    for number, action in enumerate(checked["actions"]):
        try:
            actions.append(_planned(action, config, depth + 1))
        except ActRefused as refused:
            raise ActRefused(_placed(refused.error, number), refused.code) from None
        except TabwardenError as error:
            raise _placed(error, number) from None
    return Batch(
        tuple(actions),
        checked.get("targetId"),
        checked.get("timeoutMs"),
        checked.get("stopOnError", True),
        checked.get("stopOn", "nothing"),
    )


def _placed(error: TabwardenError, number: int) -> TabwardenError:
    """Add the number of the action in the batch that caused an error to the error."""
    field = error.data.get("field")
    if field is not None:
        error.data["field"] = f"actions.{number}.{field}"
    error.message = f"actions.{number}: {error.message}"
    return error


# -- running ---------------------------------------------------------------------------------


async def _body_of(planned: CheckedRequest | Batch, call: TaskCall) -> dict[str, Any]:
    if isinstance(planned, Batch):
        return await _batch_body(planned, call)
    done = await _past_prepared(call, await planned.perform(call))
    if (saved := saved_body(call.config, done)) is not None:
        return saved
    body = _ANSWERS.get(planned.shape.name, outcome_with_value)(done)
    downloads = [*body.get("newSinceLast", {}).get("downloads", ())]
    if isinstance(waited := body.get("value"), dict) and planned.shape.name == "wait":
        downloads += [waited["download"]] if "download" in waited else []
    if downloads:
        body["downloads"] = downloads
    return body


async def _past_prepared(call: TaskCall, done: Performed) -> Performed:
    """If the client prepared an answer to the dialog that interrupted ``done``, wait until the
    answer is used. Such clients do not expect a report about a blocking dialog.
    """
    browser = call.session.current
    by = done.result.by
    if browser is None or not by or by["kind"] != "dialog":
        return done
    dialog = by["dialog"]
    await call.service.arming.answered(browser, dialog["tab_id"], call.budget)
    state = browser.state
    closed = [d for d in state.recent_dialogs if d.id == dialog["id"]]
    if not closed or closed[0].closed_by != "agent":
        return done
    note = f"The {dialog['type']} {dialog['id']} received the prepared answer."
    if done.result.action == "evaluate":
        note += " The script continued, but its value is lost."
    result = msgspec.structs.replace(done.result, status="ok", by=None, next="", note=note)
    return done._replace(result=result, state=state)


def _evaluated(done: Performed) -> dict[str, Any]:
    body = outcome(done)
    return body if done.result.interrupted else {**body, "result": done.result.value}


async def _batch_body(batch: Batch, call: TaskCall) -> dict[str, Any]:
    budget = call.budget
    browser, _ = await call.session.browser(may_open=False, budget=budget)
    tab_id = _one_tab(browser.state, batch)
    results: list[dict[str, Any]] = []
    why = ""
    for number, action in enumerate(batch.actions):
        own = budget.child(at_most_ms=action.budget(call.config).timeout_ms)
        try:
            results.append(await _body_of(_on_tab(action, tab_id), call._replace(budget=own)))
        except ActRefused as refused:
            results.append(refused.body())
        except TabwardenError as error:
            results.append(ActRefused(error).body())
        over = batch.stops or budget.expired or budget.cancelled is not None
        if over and not results[-1]["ok"]:
            break
        if tab_id is not None and all(tab.tab_id != tab_id for tab in browser.state.tabs):
            why = "closed"
            break
        following = batch.actions[number + 1 : number + 2]
        if following and (why := _why_stop(batch, action, following[0], results[-1], browser)):
            break
    aborted = why and len(results) < len(batch.actions)
    return {
        **(_aborted(batch, results, why) if aborted else {}),
        "ok": all(result["ok"] for result in results),
        "targetId": target_of(browser.state, tab_id),
        "tabId": tab_id,
        "results": results,
    }


def _why_stop(
    batch: Batch,
    action: CheckedRequest | Batch,
    following: CheckedRequest | Batch,
    body: Mapping[str, Any],
    browser: Browser,
) -> str:
    """Return why a batch must stop between two actions; "" if it continues."""
    if isinstance(action, Batch) or isinstance(following, Batch) or not body["ok"]:
        return ""
    return stop_reason(
        batch.stop_on,
        action.shape.action,
        following.shape.action,
        by=body.get("by"),
        navigation=body.get("navigation", ""),
        state=browser.state,
        tab_id=body.get("tabId"),
    )


def _aborted(batch: Batch, results: list[dict[str, Any]], why: str) -> dict[str, Any]:
    left, last = len(batch.actions) - len(results), results[-1]
    aborted = {"reason": why, "afterAction": len(results), "url": last.get("url", "")}
    return {"aborted": {**aborted, "skipped": left}}


def _on_tab(action: CheckedRequest | Batch, tab_id: str | None) -> CheckedRequest | Batch:
    if isinstance(action, Batch):
        return action._replace(target_id=tab_id)
    return action._replace(arguments={**action.arguments, "tab_id": tab_id})


def _one_tab(state: SupervisorSnapshot, batch: Batch) -> str | None:
    """Return the tab for all actions of a batch, even if a different tab becomes active later.

    Raises:
        ActRefused: an action names a different tab.
    """
    named = batch.target_id
    tab_id = state.active_tab_id if named is None else tab_named(state, named)
    for number, action in enumerate(batch.actions):
        other = action.target_id if isinstance(action, Batch) else action.arguments.get("tab_id")
        if other is not None and not _names(state, other, tab_id):
            field = f"actions.{number}.targetId"
            raise _other_tab(f"actions.{number}: batched action targetId", other, field)
    return tab_id


def _names(state: SupervisorSnapshot, named: str, tab_id: str | None) -> bool:
    try:
        return tab_named(state, named) == tab_id
    except InvalidArgument:  # no such tab exists, so it is a different tab
        return False


def _other_tab(what: str, named: Any, field: str) -> ActRefused:
    return ActRefused(
        Denied(
            f"{what} must match request targetId, but it is {str(named)[:100]!r}.",
            "Set targetId on the request only, or send a separate request.",
            field=field,
        ),
        "ACT_TARGET_ID_MISMATCH",
    )


_ANSWERS: Mapping[str, Callable[[Performed], dict[str, Any]]] = {
    "evaluate": _evaluated,
    "close": closing,
}
"""Maps each kind whose response is not ``outcome_with_value`` to the function that builds the
response.
"""
