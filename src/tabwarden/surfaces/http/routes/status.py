"""Routes about the server, its tasks, and the browser itself: open, connect, disconnect."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import ACTIONS, Performed, Session
from tabwarden.config import BrowserConfig
from tabwarden.control_api import TargetId, camel_keys, outcome, tab_named, tabs_json
from tabwarden.endpoints.schemes import other_kind
from tabwarden.errors import InvalidArgument, NotOpen
from tabwarden.page import ActionResult
from tabwarden.page.routing import unmatched
from tabwarden.page.task import change_json, dialog_json
from tabwarden.supervisor.core import SupervisorSnapshot
from tabwarden.supervisor.core.state.changes import Changes
from tabwarden.surfaces.http.pipeline import (
    TaskCall,
    action_route,
    json_response,
    optional,
    service_of,
    task_of,
)
from tabwarden.surfaces.http.plain_routes import RouteRequest, plain_route
from tabwarden.surfaces.http.schema import OBJECTS
from tabwarden.surfaces.http.service import CallerService
from tabwarden.surfaces.http.streams import NAMES, EventStream
from tabwarden.telemetry import render

_TABS = {"type": "array", "items": {"$ref": "#/components/schemas/Tab"}}
STATUS_SCHEMA: Mapping[str, Any] = {
    "version": {"type": "string"},
    "enabled": {"type": "boolean"},
    "task": {"type": "string"},
    "profile": {"type": "string", "description": "An alias of task."},
    "running": {"type": "boolean"},
    "health": {
        "type": "object",
        "properties": {"status": {"type": "string"}, "reason": {"type": "string"}},
    },
    "lacks": {
        "type": "array",
        "items": {"enum": ["cdp", "dialogs"]},
        "description": "The limitations of the task's browser, or of the browser that will open.",
    },
    "state": {
        "type": "string",
        "description": "A one-line description of the browser, for a model.",
    },
    "unmatchedRoutes": {"type": "array", "items": {"type": "string"}},
    "tabs": _TABS,
    "tasks": OBJECTS,
}
"""The fields of responses about a task's browser."""


def about(service: CallerService, task: str) -> dict[str, Any]:
    """Return the version, a task's browser, and all tasks."""
    session = service.tasks.session(task)
    state = state_of(session)
    browser = session.current if session is not None else None
    return {
        "ok": True,
        "version": version("tabwarden"),
        "enabled": service.config.enabled,
        "task": task,
        "profile": task,
        "running": state is not None,
        "health": _health(state),
        "lacks": _lacks(session, service.config),
        "networkPolicy": state.network_policy if state is not None else "",
        "unmatchedRoutes": unmatched(state.routes) if state is not None else [],
        "state": browser.state_message() if browser is not None else "",
        "tabs": tabs_json(state, service.labels_of(task)),
        "tasks": [
            {"task": name, "health": _health(found), "tabs": len(found.tabs)}
            for name, one in service.tasks.open_sessions().items()
            if (found := state_of(one)) is not None
        ],
    }


@plain_route(
    "GET /",
    needs="read",
    words="Return the version, the state of the task's browser, and all tasks.",
    gives=STATUS_SCHEMA,
    always=True,
)
async def _status(request: RouteRequest) -> Response:
    return json_response(about(request.service, request.task))


@plain_route(
    "POST /stop",
    needs="act",
    words="Stop the task's calls and close its browser. If Tabwarden only attached to the "
    "browser, disconnect instead.",
    gives={"task": {"type": "string"}, "stopped": {"type": "boolean"}},
    always=True,
)
async def _stop(request: RouteRequest) -> Response:
    task = request.task
    stopped = await request.service.tasks.stop(task)
    return json_response({"ok": True, "task": task, "profile": task, "stopped": stopped})


@plain_route(
    "GET /tabs",
    needs="read",
    words="List the tabs of the task's browser, oldest first.",
    gives={"running": {"type": "boolean"}, "tabs": _TABS},
)
async def _tabs(request: RouteRequest) -> Response:
    service, task = request.service, request.task
    state = state_of(service.tasks.session(task))
    tabs = tabs_json(state, service.labels_of(task))
    return json_response({"ok": True, "running": state is not None, "tabs": tabs})


@plain_route(
    "GET /dialogs",
    needs="read",
    words="List the waiting and the last closed dialogs in all tabs or in one tab.",
    targetId=(TargetId, None),
    gives={"running": {"type": "boolean"}, "pending": OBJECTS, "recent": OBJECTS},
)
async def _dialogs(request: RouteRequest) -> Response:
    named = request.fields.get("targetId")
    state = state_of(request.service.tasks.session(request.task))
    body: dict[str, Any] = {"ok": True, "running": state is not None, "pending": [], "recent": []}
    if state is not None:
        tab_id = None if named is None else tab_named(state, named)
        for key, found in (("pending", state.pending_dialogs), ("recent", state.recent_dialogs)):
            body[key] = [
                camel_keys(dialog_json(d)) for d in found if tab_id is None or d.tab_id == tab_id
            ]
    return json_response(body)


@plain_route(
    "GET /changes",
    needs="read",
    words="List the latest state changes of the task's browser, at most 64, oldest first. "
    "`sequence` is the number of the latest change. `dropped` counts the older changes that are "
    "no longer kept. The numbers start again when another browser opens.",
    since=optional(int, "List only changes with higher numbers than this.", ge=0),
    gives={
        "running": {"type": "boolean"},
        "sequence": {"type": "integer"},
        "dropped": {"type": "integer"},
        "changes": OBJECTS,
    },
)
async def _changes(request: RouteRequest) -> Response:
    state = state_of(request.service.tasks.session(request.task))
    changes = state.changes if state is not None else Changes()
    since = request.fields.get("since") or 0
    body = {
        "ok": True,
        "running": state is not None,
        "sequence": changes.sequence,
        "dropped": changes.dropped,
        "changes": [camel_keys(change_json(one)) for one in changes.after(since)],
    }
    return json_response(body)


@plain_route(
    "GET /metrics",
    needs="operator",
    words="Return metrics in Prometheus format.",
    media_type="text/plain",
    always=True,
)
async def _metrics(request: RouteRequest) -> Response:
    text, media_type = await asyncio.to_thread(render)
    return Response(text, headers={"Content-Type": media_type})


@plain_route(
    "GET /events",
    needs="read",
    words="Follow the task's browser with server-sent events: first state, then "
    f"{', '.join(NAMES)}. Each event has an ID. If the request has a Last-Event-ID header, up "
    f"to 1000 missed events follow `state`. `gap` reports lost events. `end` contains the "
    f"reason why the server ends the stream. A comment every 15 s shows that the stream is alive.",
    types=optional(
        str,
        "The events to send, separated by commas. The stream always contains `state`, `gap` and "
        "`end`.",
    ),
    media_type="text/event-stream",
)
async def _events(request: RouteRequest) -> EventStream:
    wanted = _wanted(request.fields.get("types"))
    service, task = request.service, request.task
    session = service.tasks.session(task)
    if session is None:
        raise NotOpen(f"Task {task} never had a browser.", "To open one, send POST /start.")
    last_seen = request.request.headers.get("last-event-id", "")
    reader, leave = service.feeds.follow(
        session, last_seen, for_operator=service.principal.is_operator
    )

    def state() -> dict[str, Any]:
        return {"type": "state", **about(service, task)}

    return EventStream(reader, wanted, state, leave)


def _wanted(types: str | None) -> set[str]:
    named = {name.strip() for name in (types or "").split(",")} - {""}
    unknown = sorted(named - NAMES.keys())
    if unknown:
        raise InvalidArgument(
            f"There is no event {unknown[0][:100]!r}.",
            f"Events: {', '.join(NAMES)}.",
            field="types",
        )
    return named


def _lacks(session: Session | None, config: BrowserConfig) -> list[str]:
    if session is None or not (session.current or session.lacks):
        return [] if other_kind(config.endpoint) is None else ["cdp"]
    needed = {one.needs for one in ACTIONS.values() if not session.can_do(one.name, one.needs)}
    return sorted(need for need in needed if need is not None)


def _health(state: SupervisorSnapshot | None) -> dict[str, str]:
    if state is None:
        return {"status": "closed", "reason": "no browser is open"}
    return {"status": state.health.status, "reason": state.health.reason}


def state_of(session: Session | None) -> SupervisorSnapshot | None:
    """Return the state of a session's browser; None if the session has no browser."""
    browser = session.current if session is not None else None
    return browser.state if browser is not None else None


STATUS = (_status, _stop, _tabs, _dialogs, _changes, _events, _metrics)
"""The routes about the server and a task's browser."""


_OPEN = ACTIONS["browser_open"]


async def _start(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Open a browser. If a browser is open and the request has no options, keep the browser."""
    wishes = {k for k, v in arguments.items() if v not in (None, "") and k != "timeout_ms"}
    if arguments.get("attach_to_existing") is False:
        wishes.discard("attach_to_existing")
    if wishes:
        return await call.run(_OPEN, arguments)
    browser, note = await call.session.browser(may_open=True, budget=call.budget)
    state = browser.state
    result = ActionResult(action="open", tab_id=state.active_tab_id)
    return Performed(result, note, {}, state, state)


async def _running(request: Request, done: Performed) -> Response:
    """Return the task's status, and the result of opening its browser."""
    body = about(service_of(request), task_of(request))
    ended = {name: value for name, value in outcome(done).items() if value not in (None, "")}
    return json_response({**body, **ended})


LIFECYCLE = (
    action_route(
        "POST /start",
        "browser_open",
        answer=_running,
        work=_start,
        words="Open the task's browser: launch a browser, or attach to a running browser. If "
        "the request has no fields except `timeoutMs`, a browser that is already open stays open.",
        gives=STATUS_SCHEMA,
        in_query=("headless",),
    ),
    action_route("POST /connect", "browser_connect", answer=_running, gives=STATUS_SCHEMA),
    action_route("POST /disconnect", "browser_disconnect", answer=_running, gives=STATUS_SCHEMA),
)
