"""Routes about what a tab shows over time: traces, and live pictures."""

from __future__ import annotations

import time
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import Performed
from tabwarden.browser import Browser
from tabwarden.control_api import TargetId, form, outcome, shape, tab_named, tabs_json
from tabwarden.errors import Disabled, NotOpen
from tabwarden.surfaces.http.files import route_to
from tabwarden.surfaces.http.pipeline import ActionRoute, json_response, service_of, task_of
from tabwarden.surfaces.http.routes.status import StatusRoute
from tabwarden.surfaces.http.screencast import PATH, Ticket
from tabwarden.surfaces.http.timing import TICKET_S

_LEAST_PX, _MOST_PX, _DEFAULT_PX = 320, 2000, 1280
_TARGET = {"targetId": {"type": "string"}, "url": {"type": "string"}}


def _shown(request: Request, given: dict[str, Any]) -> tuple[Browser, dict[str, Any]]:
    """Return the task's browser, and the tab that a request names, or else the active one."""
    service, task = service_of(request), task_of(request)
    session = service.tasks.session(task)
    browser = session.current if session is not None else None
    if browser is None:
        raise NotOpen(f"Task {task} has no open browser.", "POST /start opens one.")
    state = browser.state
    named = given.get("targetId")
    tab_id = state.active_tab_id if named is None else tab_named(state, named)
    tab = next((one for one in tabs_json(state, {}) if one["tabId"] == tab_id), None)
    if tab is None:
        raise NotOpen(f"Task {task} has no open tab.", "POST /tabs/open opens one.")
    return browser, tab


async def _start(request: Request, given: dict[str, Any]) -> Response:
    if not service_of(request).config.recorder.enabled:
        raise Disabled(
            "Nothing is recorded: the configuration switches the recorder off.",
            "Set browser.recorder.enabled: true, and open another browser.",
        )
    _, tab = _shown(request, given)
    return json_response({"ok": True, "targetId": tab["targetId"], "url": tab["url"]})


async def _saved(request: Request, done: Performed) -> Response:
    value, state = done.result.value, done.state
    active = state.active_tab_id if state is not None else None
    tab = next((one for one in tabs_json(state, {}) if one["tabId"] == active), {})
    shown = {name: tab.get(name) for name in ("targetId", "tabId", "url", "title")}
    route = route_to(service_of(request).config, value["path"])
    return json_response({**outcome(done), **shown, **value, "route": route})


async def _screencast(request: Request, given: dict[str, Any]) -> Response:
    service = service_of(request)
    browser, tab = _shown(request, given)
    wide = max(_LEAST_PX, min(_MOST_PX, int(given.get("maxWidth") or _DEFAULT_PX)))
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


def _unused(why: str) -> tuple[Any, None]:
    return (Annotated[Any, Field(description=why)], None)


_ALWAYS = _unused("Has no effect: a trace always has the same parts.")
_PIXELS = Annotated[float | None, Field(description="Their width in pixels, 320 to 2000.")]
WATCHING = (
    StatusRoute(
        form=form(
            "POST /trace/start",
            targetId=(TargetId, None),
            **dict.fromkeys(("screenshots", "snapshots", "sources"), _ALWAYS),
        ),
        needs="read",
        words="Say that a trace will be wanted. Tabwarden records each task from its beginning "
        "anyway, so this only checks that it does.",
        serve=_start,
        gives=_TARGET,
    ),
    StatusRoute(
        form=form(
            "POST /screencast",
            targetId=(TargetId, None),
            maxWidth=(_PIXELS, None),
            maxHeight=_unused("Has no effect: the height follows from the width."),
            quality=_unused("Has no effect."),
        ),
        needs="read",
        words="Get a token for live pictures of a tab. It opens the WebSocket at wsPath once, "
        f"within {TICKET_S:.0f} s.",
        serve=_screencast,
        gives={
            **_TARGET,
            "token": {"type": "string"},
            "wsPath": {"type": "string"},
            "expiresAtMs": {"type": "integer"},
        },
    ),
)
STOP_TRACE = ActionRoute(
    shape=shape(
        "POST /trace/stop",
        "browser_trace",
        names={"filename": "path"},
        ignores={"targetId": "A trace has all tabs of the task."},
    ),
    answer=_saved,
    words="Save what Tabwarden has recorded of the task, as a file that Playwright's trace viewer "
    "opens: the last minutes (browser.recorder), or everything with browser.record.",
    gives={
        "path": {"type": "string"},
        "calls": {"type": "integer"},
        "seconds": {"type": "number"},
        "route": {"type": ["string", "null"], "description": "The route that gets the file."},
    },
)
