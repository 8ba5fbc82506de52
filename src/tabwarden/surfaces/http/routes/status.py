"""Routes about the server and its tasks. They read the state and never wait for a page."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from importlib.metadata import version
from typing import Annotated, Any, Literal

import msgspec
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabwarden.actions import ACTIONS, Form, Session, check_permission
from tabwarden.config import BrowserConfig, Permission
from tabwarden.control_api import TargetId, camel_keys, form, tab_named, tabs_json
from tabwarden.endpoints.schemes import other_kind
from tabwarden.errors import InvalidArgument, NotOpen
from tabwarden.page.routing import unmatched
from tabwarden.page.task import dialog_json
from tabwarden.supervisor.core import SupervisorSnapshot
from tabwarden.surfaces.guard.principal import for_operator
from tabwarden.surfaces.http.errors import switched_off
from tabwarden.surfaces.http.pipeline import (
    fields_in_query,
    json_response,
    read_fields,
    service_of,
    task_of,
)
from tabwarden.surfaces.http.service import CallerService
from tabwarden.surfaces.http.streams import NAMES, EventStream
from tabwarden.telemetry import render

_TABS = {"type": "array", "items": {"$ref": "#/components/schemas/Tab"}}
_OBJECTS = {"type": "array", "items": {"type": "object"}}
STATUS_SCHEMA: Mapping[str, Any] = {
    "version": {"type": "string"},
    "enabled": {"type": "boolean"},
    "task": {"type": "string"},
    "profile": {"type": "string", "description": "The same as task."},
    "running": {"type": "boolean"},
    "health": {
        "type": "object",
        "properties": {"status": {"type": "string"}, "reason": {"type": "string"}},
    },
    "lacks": {
        "type": "array",
        "items": {"enum": ["cdp", "dialogs"]},
        "description": "What the task's browser can't do, or the one that will open.",
    },
    "state": {"type": "string", "description": "The browser in one line, for a model."},
    "unmatchedRoutes": {"type": "array", "items": {"type": "string"}},
    "tabs": _TABS,
    "tasks": _OBJECTS,
}
"""The fields of answers about a task's browser."""


class StatusRoute(msgspec.Struct, frozen=True, kw_only=True):
    """A route that runs no action."""

    form: Form
    """Checks and describes the request's fields. Its name is the method and path."""
    words: str
    serve: Callable[[Request, dict[str, Any]], Awaitable[Any]]
    """Takes the request and its checked fields. Returns the response."""
    gives: Mapping[str, Any] = {}
    """JSON Schema of a success answer."""
    needs: Permission | Literal["operator"]
    """The permission that a caller needs; or the route is for the operator alone."""
    media_type: str = "application/json"
    takes_file: bool = False
    """Whether the request's body is a file, which ``serve`` reads."""
    always: bool = False
    """Whether the route works while Tabwarden is disabled."""


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


def status_route(plain: StatusRoute) -> Route:
    method, _, path = plain.form.tool.partition(" ")

    async def serve(request: Request) -> Any:
        service = service_of(request)
        if plain.needs != "operator":
            check_permission(plain.needs, service.config)
        elif not service.principal.is_operator:
            raise for_operator()
        given = (
            {**fields_in_query(request), **request.path_params}
            if plain.takes_file
            else await read_fields(request)
        )
        if not (plain.always or service.config.enabled):
            raise switched_off()
        return await plain.serve(request, plain.form.check(given).arguments)

    return Route(path, serve, methods=[method])


async def _status(request: Request, given: dict[str, Any]) -> Response:
    _ = given
    return json_response(about(service_of(request), task_of(request)))


async def _stop(request: Request, given: dict[str, Any]) -> Response:
    _ = given
    task = task_of(request)
    stopped = await service_of(request).tasks.stop(task)
    return json_response({"ok": True, "task": task, "profile": task, "stopped": stopped})


async def _tabs(request: Request, given: dict[str, Any]) -> Response:
    _ = given
    service, task = service_of(request), task_of(request)
    state = state_of(service.tasks.session(task))
    tabs = tabs_json(state, service.labels_of(task))
    return json_response({"ok": True, "running": state is not None, "tabs": tabs})


async def _dialogs(request: Request, given: dict[str, Any]) -> Response:
    named = given.get("targetId")
    state = state_of(service_of(request).tasks.session(task_of(request)))
    body: dict[str, Any] = {"ok": True, "running": state is not None, "pending": [], "recent": []}
    if state is not None:
        tab_id = None if named is None else tab_named(state, named)
        for key, found in (("pending", state.pending_dialogs), ("recent", state.recent_dialogs)):
            body[key] = [
                camel_keys(dialog_json(d)) for d in found if tab_id is None or d.tab_id == tab_id
            ]
    return json_response(body)


async def _metrics(request: Request, given: dict[str, Any]) -> Response:
    _ = request, given
    text, media_type = await asyncio.to_thread(render)
    return Response(text, headers={"Content-Type": media_type})


async def _events(request: Request, given: dict[str, Any]) -> EventStream:
    wanted = _wanted(given.get("types"))
    service, task = service_of(request), task_of(request)
    session = service.tasks.session(task)
    if session is None:
        raise NotOpen(f"Task {task} never had a browser.", "POST /start opens one.")
    last_seen = request.headers.get("last-event-id", "")
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
    """Return the state of a session's browser; None if it has no browser."""
    browser = session.current if session is not None else None
    return browser.state if browser is not None else None


_TYPES = Annotated[
    str | None,
    Field(
        description="Send only these events, separated by commas. The stream always has state, "
        "gap and end."
    ),
]
STATUS = (
    StatusRoute(
        form=form("GET /"),
        needs="read",
        words="The version, the task's browser, and all tasks.",
        serve=_status,
        gives=STATUS_SCHEMA,
        always=True,
    ),
    StatusRoute(
        form=form("POST /stop"),
        needs="act",
        words="Stop the task's calls and close its browser. If Tabwarden only attached to the "
        "browser, disconnect instead.",
        serve=_stop,
        gives={"task": {"type": "string"}, "stopped": {"type": "boolean"}},
        always=True,
    ),
    StatusRoute(
        form=form("GET /tabs"),
        needs="read",
        words="The tabs of the task's browser, oldest first.",
        serve=_tabs,
        gives={"running": {"type": "boolean"}, "tabs": _TABS},
    ),
    StatusRoute(
        form=form("GET /dialogs", targetId=(TargetId, None)),
        needs="read",
        words="The waiting dialogs and the last closed dialogs, of all tabs or of one tab.",
        serve=_dialogs,
        gives={"running": {"type": "boolean"}, "pending": _OBJECTS, "recent": _OBJECTS},
    ),
    StatusRoute(
        form=form("GET /events", types=(_TYPES, None)),
        needs="read",
        words="Follow the task's browser as server-sent events: state first, then "
        f"{', '.join(NAMES)}. Each event has an id. If the request has Last-Event-ID, missed "
        "events follow the state, up to 1000. gap reports lost events. end gives the reason why "
        "the server ends the stream. A comment every 15 s shows that the stream is alive.",
        serve=_events,
        media_type="text/event-stream",
    ),
    StatusRoute(
        form=form("GET /metrics"),
        needs="operator",
        words="Metrics in Prometheus format.",
        serve=_metrics,
        media_type="text/plain",
        always=True,
    ),
)
"""Routes about the server and a task's browser, as it is now."""
