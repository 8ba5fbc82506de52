"""Add, list and remove the routes of a task."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.errors import Disabled, InvalidArgument
from tabwarden.hints import Hint, Next
from tabwarden.page.input import file_in
from tabwarden.page.routing.timing import UNMATCHED_S
from tabwarden.page.routing.wanted import ABORTS, RESOURCE_TYPES, AskedRoute, wanted_route
from tabwarden.page.task import Call, Done, ForModels, card
from tabwarden.results import Routed, Routes, RoutesRemoved
from tabwarden.supervisor.core.handlers import intercepting
from tabwarden.supervisor.core.state.inputs import AddRoute, RemoveRoutes
from tabwarden.supervisor.core.state.routes import Route

MOST_ROUTES = 200
"""The maximum number of routes. It is limited because each request is compared with all routes."""
_OTHERS = (
    "The route does not apply to shared workers and service workers, because in this browser they "
    "may belong to another person."
)
_ID = re.compile(r"^ro-(\d{1,18})\Z")
_NAMES = {reason: name for name, reason in ABORTS.items()}


def _check(mode: str, asked: AskedRoute, route_id: str | None) -> None:
    """Raise ``InvalidArgument`` if an argument does not belong to the mode."""
    if route_id is not None and mode != "remove":
        raise InvalidArgument("route_id works only with mode 'remove'.", field="route_id")
    if route_id is not None and not _ID.match(str(route_id)):
        raise InvalidArgument(
            f"route_id must be a route's id, not {str(route_id)[:100]!r}.",
            "Ids look like ro-1.",
            field="route_id",
        )
    if mode == "add":
        return
    arguments = {"path" if name == "file" else name: one for name, one in asked._asdict().items()}
    for name, one in arguments.items():
        if one is not None and not (name == "url" and mode == "remove"):
            raise InvalidArgument(f"{name} does not work with mode {mode!r}.", field=name)


async def _route(
    call: Call, mode: str, wanted: Route | None, *, route_id: str | None, url: str | None
) -> Any:
    """Add the route ``wanted``, remove routes, or list all routes.

    Raises:
        InvalidArgument: the route to remove does not exist; the error lists the existing routes.
    """
    if wanted is not None:
        return Done(await _add(call, wanted), _OTHERS if call.state.own_window else "")
    if mode == "remove":
        return _remove(call, route_id, url)
    return {"routes": [route_json(one) for one in call.state.routes]}


async def _add(call: Call, wanted: Route) -> dict[str, Any]:
    """Apply a route to all later requests. Return when the route is active in this tab."""
    if len(call.state.routes) >= MOST_ROUTES:
        raise InvalidArgument(
            f"There are already {MOST_ROUTES} routes, which is the maximum.",
            Hint("Remove some routes", Next("route", mode="remove"), "."),
            field="url",
        )
    call.task.supervisor.feed(AddRoute(wanted))
    added = call.state.routes[-1]
    for session in list(call.state.sessions.values()):
        if session.tab_id == call.tab.tab_id:
            # The browser replies once it is ready to intercept the next request.
            await call.race.call(intercepting(call.state, session), session.session_id)
    return route_json(added)


def _remove(call: Call, route_id: str | None, url: str | None) -> dict[str, Any]:
    """Remove one route, the routes with this pattern, or all routes. Delayed requests continue."""
    routes = call.state.routes
    gone = [one for one in routes if _is_meant(one, route_id, url)]
    if not gone and (route_id is not None or url is not None):
        listed = ", ".join(f"{one.id} ({one.url or '**'})" for one in routes[-20:])
        raise InvalidArgument(
            f"There is no route {(route_id if route_id is not None else url)!r}.",
            Hint(
                f"Existing routes: {listed or 'none'}. List them", Next("route", mode="list"), "."
            ),
            field="route_id" if route_id is not None else "url",
        )
    call.task.supervisor.feed(RemoveRoutes(frozenset(one.number for one in gone)))
    return {"removed": [one.id for one in gone]}


def _is_meant(route: Route, route_id: str | None, url: str | None) -> bool:
    if route_id is not None and route.id != route_id:
        return False
    return url is None or route.url == url


def route_json(route: Route) -> dict[str, Any]:
    """Describe a route for callers. Include header names and sizes, but no values."""
    fields: dict[str, Any] = {"id": route.id, "url": route.url or "**", "does": does(route)}
    if route.method:
        fields["method"] = route.method
    if route.resource_types:
        fields["resource_type"] = list(route.resource_types)
    if route.times is not None:
        fields["times"] = route.times
    fields["matches"] = route.matched
    unmatched_s = time.time() - route.added_at
    if not route.matched and unmatched_s >= UNMATCHED_S:
        fields["unmatched_for_s"] = round(unmatched_s)
    return fields


def unmatched(routes: Iterable[Route]) -> list[str]:
    """Return a message about each route that has been active for a long time without matching a
    request."""
    return [
        f"{one['id']} ({one['url']}) has matched no request for {one['unmatched_for_s']} s"
        for one in map(route_json, routes)
        if "unmatched_for_s" in one
    ]


def does(route: Route) -> str:
    """Describe a route's effect in a few words."""
    parts = [f"delay {route.delay_s * 1000:.0f} ms"] if route.delay_s else []
    if route.error:
        parts.append(f"abort {_NAMES[route.error]}")
    if route.answer is not None:
        size = len(route.answer.body) * 3 // 4 - route.answer.body.count("=")
        parts.append(f"answer {route.answer.status} with {size} bytes")
    for word, is_removed in (("set", False), ("remove", True)):
        names = [name for name, value in route.headers.items() if (value is None) is is_removed]
        if names:
            parts.append(f"{word} {', '.join(names)}")
    sites = {one.name: ", ".join(sorted(one.origins)) for one in route.secret_headers}
    return ", ".join([*parts, *(f"set {name} for {only}" for name, only in sites.items())])


@card(
    "route",
    about="Block, answer, change or delay requests in all tabs. The latest matching route wins.",
    permission="scripts",
    group="network",
    opens_browser=True,
    gives=(Routed, Routes, RoutesRemoved),
    shows=False,
    without_page=True,
    varies={("mode", "list"): {"acts": False}},
)
async def route(
    call: Call,
    url: Annotated[
        str | None,
        Field(
            description="A glob for the whole URL (**/api/*.{png,jpg}) or a /regex/. Default: all "
            "URLs."
        ),
    ] = None,
    *,
    mode: Annotated[
        Literal["add", "list", "remove"],
        Field(
            description="remove: remove the route with route_id, the routes with `url`, or all "
            "routes."
        ),
    ] = "add",
    method: Annotated[str | None, Field(description="Match only this HTTP method.")] = None,
    resource_type: Annotated[
        str | Sequence[str] | None,
        ForModels(list[Literal[RESOURCE_TYPES]] | None),
        Field(
            description="Match only these resource types. xhr, fetch and eventsource are "
            "equivalent."
        ),
    ] = None,
    abort: Annotated[
        str | None,
        ForModels(Literal[tuple(ABORTS)] | None),
        Field(description="Fail the request."),
    ] = None,
    status: Annotated[
        int | None, Field(description="Respond with this status. Default: 200.")
    ] = None,
    body: Annotated[str | None, Field(description="Respond with this text.")] = None,
    path: Annotated[
        str | None, Field(description="Respond with this file from the upload folder.")
    ] = None,
    content_type: Annotated[str | None, Field(description="The response's MIME type.")] = None,
    headers: Annotated[
        Mapping[str, str | None] | None,
        Field(
            description="The response headers. Without a response: request headers to set; null "
            "removes a header."
        ),
    ] = None,
    delay_ms: Annotated[
        float | None, Field(description="Delay each request by this many milliseconds.")
    ] = None,
    times: Annotated[int | None, Field(description="Apply to only this many requests.")] = None,
    route_id: Annotated[
        str | None, Field(description="For remove: the route's id, such as ro-1.")
    ] = None,
) -> Any:
    """Block, answer, change or delay the requests of all the task's pages and workers, until
    the route is removed (docs/routes.md). The latest matching route wins.

    ``value`` is the route (``{"id": "ro-1", "url", "does", "matches"}``); for ``list``,
    ``{"routes"}``; for ``remove``, ``{"removed": [ids]}``.

    Args:
        url: a glob for the whole URL, as in Playwright (``**/api/*``), or a regular expression
            between slashes. All requests by default.
        mode: add a route, list all routes with their numbers of matches, or remove the route
            with ``route_id``, the routes with exactly this ``url``, or all routes.
        method: only requests with this HTTP method.
        resource_type: only ``document``, ``image``, ``script``, ..., or a list of them.
        abort: fail the request: ``failed``, ``timedout``, ``connectionrefused``, ...
        status: answer with this HTTP status, by default 200.
        body: answer with this text.
        path: answer with the current content of this file in the upload folder
            (``upload_dir``).
        content_type: the answer's MIME type. By default, it is guessed.
        headers: the answer's headers. Without an answer: headers to set on the request, or to
            remove from the request (None). A value with ``{{SECRET}}`` is sent only to that
            secret's own sites.
        delay_ms: delay each request by this many milliseconds.
        times: apply the route to only this many requests.
        route_id: for ``remove``, the route's id.
        tab_id: the tab in which the route is active when the call returns; the active tab by
            default.

    Raises:
        InvalidArgument: an argument is wrong, or can't be combined with another;
            ``data["field"]`` has its name.
        Denied: ``path`` is outside the upload folder.
        Disabled: ``evaluate_enabled`` is false, and the answer has a body or headers, which
            could make the page run a script.
    """
    file = None
    if path is not None:
        file = Path(file_in(call.task.upload_folders, path, "path"))
    asked = AskedRoute(
        url, method, resource_type, abort, status, body, file, content_type, headers,
        delay_ms, times,
    )  # fmt: skip
    _check(mode, asked, route_id)
    if asked.may_answer_with_a_script and not call.task.config.evaluate_enabled:
        raise Disabled(
            "The response could run a script in the page, but the configuration forbids scripts "
            "(evaluate_enabled: false).",
            "Respond with only a status, or use `abort`.",
            field="body" if body is not None else "path" if path is not None else "headers",
        )
    wanted = wanted_route(asked, call.task.vault) if mode == "add" else None
    return await _route(call, mode, wanted, route_id=route_id, url=url)
