"""Routes that one registry action serves each: its shape, and how its result is answered."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabwarden.errors import NoDialog, TabwardenError
from tabwarden.page import Screenshot, Snapshot
from tabwarden.supervisor import SupervisorSnapshot
from tabwarden.surfaces.http.answers import (
    camel_keys,
    closing,
    json_response,
    news_json,
    outcome,
    tabs_json,
    target_of,
)
from tabwarden.surfaces.http.bodies import fields_of
from tabwarden.surfaces.http.calls import (
    Aim,
    Done,
    budget_for,
    heeding,
    run,
    service_of,
    task_of,
    with_tab,
)
from tabwarden.surfaces.http.shapes import Shape, TargetId, shape
from tabwarden.surfaces.http.targets import tab_named

__all__ = ["SERVED", "Served", "route_of"]


class Served(NamedTuple):
    """One route."""

    shape: Shape
    """Its name is method and path."""
    answer: Callable[[Request, Done], Response]
    aim: Aim = with_tab

    @property
    def method(self) -> str:
        """GET, POST or DELETE."""
        return self.shape.name.partition(" ")[0]

    @property
    def path(self) -> str:
        """As Starlette writes it."""
        return self.shape.name.partition(" ")[2]


def route_of(served: Served) -> Route:
    """The route as Starlette takes it."""

    async def serve(request: Request) -> Response:
        service = service_of(request)
        given = {**await fields_of(request), **request.path_params}
        arguments = served.shape.check(given)
        action = served.shape.action
        budget = budget_for(service.config, action, arguments)
        with service.tasks.call(task_of(request), budget, opens=action.opens) as session:
            async with heeding(request, budget):
                try:
                    done = await run(
                        session, service.config, action, arguments, budget, aim=served.aim
                    )
                except TabwardenError as error:
                    if "field" in error.data:
                        error.data["field"] = served.shape.field_of(error.data["field"])
                    raise
        return served.answer(request, done)

    return Route(served.path, serve, methods=[served.method])


# -- answers ---------------------------------------------------------------------------------


def _outcome(request: Request, done: Done) -> Response:
    _ = request
    return json_response(outcome(done))


def _snapshot(request: Request, done: Done) -> Response:
    _ = request
    read: Snapshot = done.result
    body = {
        "ok": True,
        "format": "ai",
        "targetId": target_of(done.state, read.tab_id),
        "tabId": read.tab_id,
        "url": read.url,
        "title": read.title,
        "snapshot": read.text,
        "refs": {ref: camel_keys(about) for ref, about in read.refs.items()},
        "truncated": read.truncated,
        "stale": read.stale,
        "pendingDialogs": camel_keys(read.pending_dialogs),
        "recentDialogs": camel_keys(read.recent_dialogs),
        "fileChoosers": camel_keys(read.file_choosers),
        "authChallenges": camel_keys(read.auth_challenges),
        "downloads": camel_keys(read.downloads),
        "frameTree": camel_keys(read.frame_tree),
        "tabs": tabs_json(done.state),
    }
    return json_response(body | news_json(read.new_since_last))


def _screenshot(request: Request, done: Done) -> Response:
    """The picture itself for those who ask for one (``Accept: image/*``), else in JSON."""
    picture: Screenshot = done.result
    if request.headers.get("accept", "").startswith("image/"):
        return Response(picture.data, media_type=picture.media_type)
    body = {
        "ok": True,
        "targetId": target_of(done.state, done.asked_tab),
        "tabId": done.asked_tab,
        "mediaType": picture.media_type,
        "data": base64.b64encode(picture.data).decode("ascii"),
    }
    return json_response({**body, "note": picture.note} if picture.note else body)


def _console(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**outcome(done), "messages": camel_keys(done.result.value)})


def _tabs(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**outcome(done), "tabs": tabs_json(done.state)})


def _closed(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**closing(done), "tabs": tabs_json(done.state)})


def _answered(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**outcome(done), "closed": camel_keys(done.result.value)})


# -- translations ----------------------------------------------------------------------------


def _with_mode(mode: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda arguments: {**arguments, "mode": mode}


def _reading(arguments: dict[str, Any]) -> dict[str, Any]:
    arguments.pop("format", None)
    return arguments


def _answering(arguments: dict[str, Any]) -> dict[str, Any]:
    accept = arguments.pop("accept")
    return {**arguments, "action": "accept" if accept else "dismiss"}


def _dialog_of_tab(state: SupervisorSnapshot, arguments: dict[str, Any]) -> dict[str, Any]:
    """The dialog that waits in the tab that was named, when no dialog was."""
    named = arguments.pop("targetId", None)
    if named is None or arguments.get("dialog_id") is not None:
        return arguments
    tab_id = tab_named(state, named)
    waiting = [d for d in state.pending_dialogs if d.tab_id == tab_id]
    if not waiting:
        raise NoDialog(f"No dialog waits in tab {tab_id}.", "GET /dialogs lists those that do.")
    return {**arguments, "dialog_id": waiting[-1].id}


_NAMED_TAB = {
    "targetId": (
        Annotated[str, Field(description="The tab: t1, its target id, or the beginning of that.")],
        ...,
    )
}
_TAB_MODES = ("mode", "tab_index", "url")

SERVED = (
    Served(shape("POST /navigate", "browser_navigate"), _outcome),
    Served(
        shape(
            "GET /snapshot",
            "browser_snapshot",
            more={
                "format": (
                    Annotated[Literal["ai"], Field(description="The outline; there is no other.")],
                    "ai",
                )
            },
            translate=_reading,
        ),
        _snapshot,
    ),
    Served(shape("POST /screenshot", "browser_screenshot", names={"format": "type"}), _screenshot),
    Served(shape("GET /console", "browser_console"), _console),
    Served(
        shape(
            "POST /tabs/open",
            "browser_tabs",
            without=("mode", "tab_index", "tab_id"),
            translate=_with_mode("open"),
        ),
        _tabs,
    ),
    Served(
        shape(
            "POST /tabs/focus",
            "browser_tabs",
            without=_TAB_MODES,
            more=_NAMED_TAB,
            translate=_with_mode("switch"),
        ),
        _tabs,
    ),
    Served(
        shape(
            "DELETE /tabs/{targetId}",
            "browser_tabs",
            without=_TAB_MODES,
            more=_NAMED_TAB,
            translate=_with_mode("close"),
        ),
        _closed,
    ),
    Served(
        shape(
            "POST /hooks/dialog",
            "browser_dialog",
            without=("action",),
            more={
                "accept": (Annotated[bool, Field(description="true: OK; false: Cancel.")], ...),
                "targetId": (TargetId, None),
            },
            translate=_answering,
        ),
        _answered,
        _dialog_of_tab,
    ),
    Served(shape("POST /hooks/auth", "browser_auth"), _outcome),
)
