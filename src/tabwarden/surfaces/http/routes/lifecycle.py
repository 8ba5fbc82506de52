"""Routes for the browser itself: open, connect, disconnect."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import ACTIONS, Performed
from tabwarden.control_api import outcome, shape
from tabwarden.page import ActionResult
from tabwarden.surfaces.http.pipeline import (
    ActionRoute,
    TaskCall,
    json_response,
    service_of,
    task_of,
)
from tabwarden.surfaces.http.routes.status import STATUS_SCHEMA, about

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
    ActionRoute(
        shape=shape("POST /start", "browser_open"),
        answer=_running,
        work=_start,
        words="Open the task's browser: launch one or attach to a running one. If the request has "
        "no fields except timeoutMs, an open browser stays open.",
        gives=STATUS_SCHEMA,
        in_query=("headless",),
    ),
    ActionRoute(
        shape=shape("POST /connect", "browser_connect"), answer=_running, gives=STATUS_SCHEMA
    ),
    ActionRoute(
        shape=shape("POST /disconnect", "browser_disconnect"),
        answer=_running,
        gives=STATUS_SCHEMA,
    ),
)
