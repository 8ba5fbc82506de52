"""Routes for traces and live images of a tab."""

from __future__ import annotations

import time
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import Performed
from tabwarden.browser import Browser
from tabwarden.control_api import TargetId, outcome, tab_named, tabs_json
from tabwarden.errors import Disabled, NotOpen
from tabwarden.surfaces.http.files import route_to
from tabwarden.surfaces.http.pipeline import action_route, json_response, optional, service_of
from tabwarden.surfaces.http.plain_routes import RouteRequest, plain_route
from tabwarden.surfaces.http.screencast import PATH, TICKET_S, Ticket

_LEAST_PX, _MOST_PX, _DEFAULT_PX = 320, 2000, 1280
_PIXELS = optional(float, "The images' width in pixels, 320 to 2000.")


def _unused(why: str) -> tuple[Any, None]:
    return Annotated[Any, Field(description=why)], None


_ALWAYS = _unused("Has no effect, because a trace always has the same parts.")
_TARGET = {"targetId": {"type": "string"}, "url": {"type": "string"}}


def _browser_and_tab(request: RouteRequest) -> tuple[Browser, dict[str, Any]]:
    """Return the task's browser, and the request's tab, or else the active tab."""
    service, task = request.service, request.task
    session = service.tasks.session(task)
    browser = session.current if session is not None else None
    if browser is None:
        raise NotOpen(f"Task {task} has no open browser.", "To open one, send POST /start.")
    state = browser.state
    named = request.fields.get("targetId")
    tab_id = state.active_tab_id if named is None else tab_named(state, named)
    tab = next((one for one in tabs_json(state, {}) if one["tabId"] == tab_id), None)
    if tab is None:
        raise NotOpen(f"Task {task} has no open tab.", "To open one, send POST /tabs/open.")
    return browser, tab


@plain_route(
    "POST /trace/start",
    needs="read",
    words="Check that the task is being recorded. Tabwarden records each task from its "
    "beginning, so this request does not start a recording.",
    targetId=(TargetId, None),
    **dict.fromkeys(("screenshots", "snapshots", "sources"), _ALWAYS),
    gives=_TARGET,
)
async def _start(request: RouteRequest) -> Response:
    if not request.service.config.recorder.enabled:
        raise Disabled(
            "Nothing is being recorded, because the recorder is disabled in the configuration.",
            "Set browser.recorder.enabled: true, and open a new browser.",
        )
    _, tab = _browser_and_tab(request)
    return json_response({"ok": True, "targetId": tab["targetId"], "url": tab["url"]})


async def _saved(request: Request, done: Performed) -> Response:
    value, state = done.result.value, done.state
    active = state.active_tab_id if state is not None else None
    tab = next((one for one in tabs_json(state, {}) if one["tabId"] == active), {})
    tab_fields = {name: tab.get(name) for name in ("targetId", "tabId", "url", "title")}
    route = route_to(service_of(request).config, value["path"])
    return json_response({**outcome(done), **tab_fields, **value, "route": route})


@plain_route(
    "POST /screencast",
    needs="read",
    words="Get a token for live images of a tab. The token opens the WebSocket at wsPath once, "
    f"within {TICKET_S:.0f} s.",
    targetId=(TargetId, None),
    maxWidth=_PIXELS,
    maxHeight=_unused("Has no effect, because the width determines the height."),
    quality=_unused("Has no effect."),
    gives={
        **_TARGET,
        "token": {"type": "string"},
        "wsPath": {"type": "string"},
        "expiresAtMs": {"type": "integer"},
    },
)
async def _screencast(request: RouteRequest) -> Response:
    service = request.service
    browser, tab = _browser_and_tab(request)
    wide = max(_LEAST_PX, min(_MOST_PX, int(request.fields.get("maxWidth") or _DEFAULT_PX)))
    caller = service.principal.tenant
    ticket = Ticket(browser, tab["tabId"], wide, caller, service.is_valid)
    token = service.tickets.issue(ticket)
    return json_response(
        {
            "ok": True,
            "token": token,
            "wsPath": f"{PATH}?token={token}",
            "expiresAtMs": int((time.time() + TICKET_S) * 1000),
            "targetId": tab["targetId"],
            "url": tab["url"],
        }
    )


WATCHING = (_start, _screencast)
STOP_TRACE = action_route(
    "POST /trace/stop",
    "browser_trace",
    names={"filename": "path"},
    ignores={"targetId": "`targetId` has no effect, because a trace contains all tabs."},
    answer=_saved,
    words="Save the task's recording as a file for Playwright's trace viewer. The file contains "
    "the last minutes (browser.recorder), or the whole task if browser.record is set.",
    gives={
        "path": {"type": "string"},
        "calls": {"type": "integer"},
        "seconds": {"type": "number"},
        "route": {"type": ["string", "null"], "description": "The path to request the file from."},
    },
)
