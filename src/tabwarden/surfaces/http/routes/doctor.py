"""``GET /doctor``: run the doctor. The answer has a form that clients of similar APIs know."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.budget import Budget
from tabwarden.control_api import TimeoutMs, form
from tabwarden.surfaces.doctor import Finding, Patient, examine
from tabwarden.surfaces.doctor.threads import AbandonableThreads
from tabwarden.surfaces.http.pipeline import (
    cancelled_by_leaving,
    json_response,
    service_of,
    task_of,
)
from tabwarden.surfaces.http.routes.status import STATUS_SCHEMA, StatusRoute, about

_STATUS = {"ok": "pass", "warning": "warn", "problem": "fail", "skipped": "info"}
_CHECKS_PART = 0.9
"""The part of the budget that the checks may use. The rest leaves time to report slow checks."""


async def _checkup(request: Request, given: dict[str, Any]) -> Response:
    """Run the doctor's checks. Requests wait for each other, so that only one examination runs."""
    service, task = service_of(request), task_of(request)
    whole = service.whole
    budget = Budget.of(given.get("timeoutMs"), service.config.default_timeout_ms)
    async with cancelled_by_leaving(request, budget):
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
    # Use a separate loop, because hung threads are never joined.
    return asyncio.run(examine(patient, timeout_ms=timeout_ms))


def _check(found: Finding) -> dict[str, Any]:
    told = {
        "id": found.check,
        "label": found.check,
        "status": _STATUS[found.status],
        "summary": found.message,
    }
    return {**told, "fixHint": found.command} if found.command else told


_DEEP = Annotated[bool, Field(description="Has no effect: every check always runs in full.")]
CHECKUP = StatusRoute(
    form=form("GET /doctor", timeoutMs=(TimeoutMs, None), deep=(_DEEP, False), live=(_DEEP, False)),
    needs="operator",
    words="Find out why Tabwarden does not work here: run the checks of tabwarden doctor. ok is "
    "true if no check failed. fixHint is the command that fixes the problem. The checks start and "
    "close a browser.",
    serve=_checkup,
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
