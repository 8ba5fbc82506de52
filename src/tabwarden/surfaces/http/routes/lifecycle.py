"""Routes on the browser itself: which one, and whether there is one."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import ACTIONS, check_allowed
from tabwarden.page import ActionResult
from tabwarden.surfaces.http.answers import json_response, outcome
from tabwarden.surfaces.http.calls import Call, Done, run, service_of, task_of
from tabwarden.surfaces.http.served import Served
from tabwarden.surfaces.http.shapes import shape
from tabwarden.surfaces.http.status import STATUS_SCHEMA, about

__all__ = ["LIFECYCLE"]

_OPEN = ACTIONS["browser_open"]


async def _start(call: Call, arguments: dict[str, Any]) -> Done:
    """Open a browser; without any wish, the one that is open will do."""
    wishes = {k for k, v in arguments.items() if v not in (None, "") and k != "timeout_ms"}
    if arguments.get("attach_to_existing") is False:
        wishes.discard("attach_to_existing")
    if wishes:
        return await run(call, _OPEN, arguments)
    check_allowed(_OPEN, call.config)
    browser, note = await call.session.browser(may_open=True, budget=call.budget)
    state = browser.state
    result = ActionResult(action="open", tab_id=state.active_tab_id)
    return Done(result, note, state.active_tab_id, state, state)


def _running(request: Request, done: Done) -> Response:
    """The task's status, and what opening its browser led to."""
    body = about(service_of(request), task_of(request))
    ended = {name: value for name, value in outcome(done).items() if value not in (None, "")}
    return json_response({**body, **ended})


LIFECYCLE = (
    Served(
        shape=shape("POST /start", "browser_open"),
        answer=_running,
        work=_start,
        words="Open the task's browser: launch one, or attach to one that runs. Without any field "
        "but timeoutMs the one that is open will do.",
        gives=STATUS_SCHEMA,
        in_query=("headless",),
    ),
    Served(shape=shape("POST /connect", "browser_connect"), answer=_running, gives=STATUS_SCHEMA),
    Served(
        shape=shape("POST /disconnect", "browser_disconnect"),
        answer=_running,
        gives=STATUS_SCHEMA,
    ),
)
