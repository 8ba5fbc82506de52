"""Routes for the agent's operator: control of the browser, hand-offs to people, and the doctor. No
route gives control to a person. Only the live view does so. The doctor's response has a format that
clients of similar APIs know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Literal

from starlette.responses import Response

from tabwarden.budget import Budget
from tabwarden.control_api import TimeoutMs, camel_keys
from tabwarden.errors import NotOpen
from tabwarden.page.control import Control, control_json, handoff_json
from tabwarden.surfaces.doctor import Finding, Patient, examine
from tabwarden.surfaces.doctor.examine import AbandonableThreads
from tabwarden.surfaces.http.pipeline import (
    cancelled_by_leaving,
    json_response,
    optional,
    required,
)
from tabwarden.surfaces.http.plain_routes import RouteRequest, plain_route
from tabwarden.surfaces.http.routes.status import STATUS_SCHEMA, about
from tabwarden.surfaces.http.schema import OBJECTS

_CONTROL: Mapping[str, Any] = {
    "task": {"type": "string"},
    "holder": {
        "anyOf": [{"type": "object"}, {"type": "null"}],
        "description": "The person who has control, as {name, since}. null: the agent has control.",
    },
    "waitingHandoffs": OBJECTS,
    "endedHandoffs": OBJECTS,
}


@plain_route(
    "GET /control",
    needs="read",
    words="Report whether the agent or a person has control of the task's browser, and list the "
    "agent's waiting and recently ended hand-offs.",
    gives=_CONTROL,
)
async def _control(request: RouteRequest) -> Response:
    return _response(request.task, _control_of(request))


@plain_route(
    "POST /control/release",
    needs="operator",
    words="Take control back from a person and give it to the agent.",
    gives=_CONTROL,
)
async def _release(request: RouteRequest) -> Response:
    control = _open_control(request)
    control.release("operator")
    return _response(request.task, control)


@plain_route(
    "GET /handoffs",
    needs="read",
    words="List the hand-offs in all tasks that are waiting for a person.",
    gives={"handoffs": OBJECTS},
)
async def _handoffs(request: RouteRequest) -> Response:
    waiting = [
        {"task": name, **camel_keys(handoff_json(one))}
        for name, session in request.service.tasks.open_sessions().items()
        if (browser := session.current) is not None and browser.can_hand_off
        for one in browser.control.waiting_handoffs
    ]
    return json_response({"ok": True, "handoffs": waiting})


@plain_route(
    "POST /handoffs/answer",
    needs="operator",
    words="End a hand-off on behalf of a person who does not use the live view.",
    id=required(str, "The hand-off's id, such as h-1."),
    outcome=required(Literal["done", "refused"], "How the hand-off ended."),
    name=required(str, "The person's name.", max_length=80),
    message=optional(str, "The person's message to the agent.", default="", max_length=500),
    gives=_CONTROL,
)
async def _answer(request: RouteRequest) -> Response:
    control = _open_control(request)
    control.answer(
        request.fields["id"],
        request.fields["outcome"],
        request.fields["name"],
        request.fields.get("message", ""),
    )
    return _response(request.task, control)


def _response(task: str, control: Control | None) -> Response:
    state = control_json(control.lease if control is not None else None)
    return json_response({"ok": True, "task": task, **camel_keys(state)})


def _control_of(request: RouteRequest) -> Control | None:
    session = request.service.tasks.session(request.task)
    browser = session.current if session is not None else None
    return browser.control if browser is not None and browser.can_hand_off else None


def _open_control(request: RouteRequest) -> Control:
    control = _control_of(request)
    if control is None:
        raise NotOpen(f"Task {request.task} has no browser.", "To open one, send POST /start.")
    return control


CONTROL = (_control, _release, _handoffs, _answer)
"""The routes about control. They require the operator's token. People use the live view instead of
these routes.
"""


_STATUS = {"ok": "pass", "warning": "warn", "problem": "fail", "skipped": "info"}
_CHECKS_PART = 0.9
"""The fraction of the budget that the checks may use. The remaining time is for reporting slow
checks.
"""
_DEEP = optional(bool, "Has no effect, because every check always runs in full.", default=False)


@plain_route(
    "GET /doctor",
    needs="operator",
    words="Run the checks of `tabwarden doctor`, which find out why Tabwarden does not work. "
    "`ok` is true if no check failed. `fixHint` is the command that fixes the problem. The "
    "checks start and "
    "close a browser.",
    timeoutMs=(TimeoutMs, None),
    deep=_DEEP,
    live=_DEEP,
    gives={
        "profile": {"type": "string"},
        "transport": {"const": "cdp"},
        "checks": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "label": {"type": "string"},
                    "status": {"enum": [*_STATUS.values()]},
                    "summary": {"type": "string"},
                    "fixHint": {"type": "string"},
                },
            },
        },
        "status": {"type": "object", "properties": STATUS_SCHEMA},
    },
)
async def _checkup(request: RouteRequest) -> Response:
    """Run the doctor's checks. Requests wait for each other, so that the checks run only once at a
    time.
    """
    service, task = request.service, request.task
    whole = service.whole
    budget = Budget.of(request.fields.get("timeoutMs"), service.config.default_timeout_ms)
    async with cancelled_by_leaving(request.request, budget):
        async with budget.waiting_for("another doctor run to finish"):
            await whole.examining.acquire()
        try:
            patient = Patient(whole.live.file, whole.live.now)
            async with budget.waiting_for("the doctor's checks"):
                within_ms = budget.remaining_ms() * _CHECKS_PART
                found = await asyncio.get_running_loop().run_in_executor(
                    AbandonableThreads(), _examined, patient, within_ms
                )
        finally:
            whole.examining.release()
    checks = [_check(one) for one in found]
    return json_response(
        {
            "ok": all(one["status"] != "fail" for one in checks),
            "profile": task,
            "transport": "cdp",
            "checks": checks,
            "status": about(service, task),
        }
    )


def _examined(patient: Patient, timeout_ms: float) -> list[Finding]:
    # Use a separate loop, because the threads of hung checks are never joined.
    return asyncio.run(examine(patient, timeout_ms=timeout_ms))


def _check(found: Finding) -> dict[str, Any]:
    row = {
        "id": found.check,
        "label": found.check,
        "status": _STATUS[found.status],
        "summary": found.message,
    }
    return {**row, "fixHint": found.command} if found.command else row


CHECKUP = _checkup
