"""Routes about the server and its tasks: they read the state, and wait for no page."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import Session
from tabwarden.budget import Budget
from tabwarden.errors import Disabled
from tabwarden.page.result import dialog_json
from tabwarden.supervisor import SupervisorSnapshot
from tabwarden.surfaces.http.answers import camel_keys, json_response, tabs_json
from tabwarden.surfaces.http.bodies import fields_of
from tabwarden.surfaces.http.calls import Service, heeding, service_of, task_of
from tabwarden.surfaces.http.shapes import TargetId, TimeoutMs, form
from tabwarden.surfaces.http.targets import tab_named
from tabwarden.telemetry import render

__all__ = ["STATUS_FORMS", "dialogs", "metrics", "start", "status", "stop", "tabs"]

STATUS_FORMS = {
    name: form(name, **fields)
    for name, fields in {
        "GET /": {},
        "POST /start": {"timeoutMs": (TimeoutMs, None)},
        "POST /stop": {},
        "GET /tabs": {},
        "GET /dialogs": {"targetId": (TargetId, None)},
        "GET /metrics": {},
    }.items()
}
"""What each takes, by method and path."""


async def status(request: Request) -> Response:
    """The version, the task's browser, and all tasks."""
    await _given(request)
    return json_response(_about(service_of(request), task_of(request)))


async def start(request: Request) -> Response:
    """Open the task's browser if none is open; its status."""
    given = await _given(request)
    service, task = service_of(request), task_of(request)
    if not service.config.enabled:
        raise Disabled(
            "Tabwarden is switched off by its configuration.", "Set browser.enabled: true."
        )
    budget = Budget.of(given.get("timeoutMs"), service.config.default_timeout_ms)
    with service.tasks.call(task, budget, opens=True) as session:
        async with heeding(request, budget):
            await session.browser(may_open=True, budget=budget)
    return json_response(_about(service, task))


async def stop(request: Request) -> Response:
    """End the task's calls and its browser."""
    await _given(request)
    task = task_of(request)
    stopped = await service_of(request).tasks.stop(task)
    return json_response({"ok": True, "task": task, "stopped": stopped})


async def tabs(request: Request) -> Response:
    """The tabs of the task's browser."""
    await _given(request)
    state = _state(service_of(request).tasks.session(task_of(request)))
    return json_response({"ok": True, "running": state is not None, "tabs": tabs_json(state)})


async def dialogs(request: Request) -> Response:
    """The dialogs that wait, and the last that were closed; of one tab if it is named."""
    named = (await _given(request)).get("targetId")
    state = _state(service_of(request).tasks.session(task_of(request)))
    body: dict[str, Any] = {"ok": True, "running": state is not None, "pending": [], "recent": []}
    if state is not None:
        tab_id = None if named is None else tab_named(state, named)
        for key, found in (("pending", state.pending_dialogs), ("recent", state.recent_dialogs)):
            body[key] = [
                camel_keys(dialog_json(d)) for d in found if tab_id is None or d.tab_id == tab_id
            ]
    return json_response(body)


async def metrics(request: Request) -> Response:
    """What has been counted, as Prometheus reads it."""
    await _given(request)
    text, media_type = render()
    return Response(text, headers={"Content-Type": media_type})


async def _given(request: Request) -> dict[str, Any]:
    name = f"{'GET' if request.method == 'HEAD' else request.method} {request.url.path}"
    return STATUS_FORMS[name].check(await fields_of(request)).arguments


def _about(service: Service, task: str) -> dict[str, Any]:
    session = service.tasks.session(task)
    state = _state(session)
    browser = session.current if session is not None else None
    return {
        "ok": True,
        "version": version("tabwarden"),
        "enabled": service.config.enabled,
        "task": task,
        "running": state is not None,
        "health": _health(state),
        "networkPolicy": state.network_policy if state is not None else "",
        "state": browser.state_message() if browser is not None else "",
        "tabs": tabs_json(state),
        "tasks": [
            {"task": name, "health": _health(found), "tabs": len(found.tabs)}
            for name, one in service.tasks.open_sessions().items()
            if (found := _state(one)) is not None
        ],
    }


def _health(state: SupervisorSnapshot | None) -> dict[str, str]:
    if state is None:
        return {"status": "closed", "reason": "no browser is open"}
    return {"status": state.health.status, "reason": state.health.reason}


def _state(session: Session | None) -> SupervisorSnapshot | None:
    browser = session.current if session is not None else None
    return browser.state if browser is not None else None
