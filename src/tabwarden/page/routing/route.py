"""Route: add, list and remove the routes of a task."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from typing import Any

from tabwarden.errors import InvalidArgument
from tabwarden.hints import Hint, Next
from tabwarden.page.routing.timing import UNMATCHED_S
from tabwarden.page.routing.wanted import ABORTS, AskedRoute
from tabwarden.page.task import ActionSpec, Call, Done
from tabwarden.supervisor.core.handlers import intercepting
from tabwarden.supervisor.core.state.inputs import AddRoute, RemoveRoutes
from tabwarden.supervisor.core.state.routes import Route

ROUTE = ActionSpec(name="route", refreshes=False)
LIST_ROUTES = ActionSpec(name="route", refreshes=False, acts=False)

MOST_ROUTES = 200
"""Each request is compared with all of them."""
_OTHERS = (
    "Shared workers and service workers are left out: in this browser they may be another person's."
)
_ID = re.compile(r"^ro-(\d{1,18})\Z")
_NAMES = {reason: name for name, reason in ABORTS.items()}


def check_mode(mode: str, asked: AskedRoute, route_id: str | None) -> None:
    """Raise ``InvalidArgument`` if an argument does not belong to the mode."""
    if route_id is not None and mode != "remove":
        raise InvalidArgument("route_id is only for mode 'remove'.", field="route_id")
    if route_id is not None and not _ID.match(str(route_id)):
        raise InvalidArgument(
            f"route_id must be a route's id, not {str(route_id)[:100]!r}.",
            "Ids look like ro-1.",
            field="route_id",
        )
    if mode == "add":
        return
    given = {"path" if name == "file" else name: one for name, one in asked._asdict().items()}
    for name, one in given.items():
        if one is not None and not (name == "url" and mode == "remove"):
            raise InvalidArgument(f"{name} does not go with mode {mode!r}.", field=name)


async def route(
    call: Call, mode: str, wanted: Route | None, *, route_id: str | None, url: str | None
) -> Done | dict[str, Any]:
    """Add the route ``wanted``, remove routes, or list all.

    Raises:
        InvalidArgument: there is no such route to remove; the error lists the routes.
    """
    if wanted is not None:
        return Done(await _add(call, wanted), _OTHERS if call.state.own_window else "")
    if mode == "remove":
        return _remove(call, route_id, url)
    return {"routes": [route_json(one) for one in call.state.routes]}


async def _add(call: Call, wanted: Route) -> dict[str, Any]:
    """Apply a route to all requests from now on. Return when this tab's requests pass it."""
    if len(call.state.routes) >= MOST_ROUTES:
        raise InvalidArgument(
            f"There are {MOST_ROUTES} routes already.",
            Hint("Remove some", Next("route", mode="remove"), "."),
            field="url",
        )
    call.task.supervisor.feed(AddRoute(wanted))
    added = call.state.routes[-1]
    for session in list(call.state.sessions.values()):
        if session.tab_id == call.tab.tab_id:
            # The browser answers when it will intercept the next request.
            await call.race.call(intercepting(call.state, session), session.session_id)
    return route_json(added)


def _remove(call: Call, route_id: str | None, url: str | None) -> dict[str, Any]:
    """Remove one route, those with this pattern, or all. The requests that they delay go on."""
    routes = call.state.routes
    gone = [one for one in routes if _is_meant(one, route_id, url)]
    if not gone and (route_id is not None or url is not None):
        there = ", ".join(f"{one.id} ({one.url or '**'})" for one in routes[-20:])
        raise InvalidArgument(
            f"There is no route {(route_id if route_id is not None else url)!r}.",
            Hint(f"There is: {there or 'none'}. List them", Next("route", mode="list"), "."),
            field="route_id" if route_id is not None else "url",
        )
    call.task.supervisor.feed(RemoveRoutes(frozenset(one.number for one in gone)))
    return {"removed": [one.id for one in gone]}


def _is_meant(route: Route, route_id: str | None, url: str | None) -> bool:
    if route_id is not None and route.id != route_id:
        return False
    return url is None or route.url == url


def route_json(route: Route) -> dict[str, Any]:
    """Return what callers see of a route: names of headers and sizes, but no values."""
    told: dict[str, Any] = {"id": route.id, "url": route.url or "**", "does": does(route)}
    if route.method:
        told["method"] = route.method
    if route.resource_types:
        told["resource_type"] = list(route.resource_types)
    if route.times is not None:
        told["times"] = route.times
    told["matches"] = route.matched
    unmatched_s = time.time() - route.added_at
    if not route.matched and unmatched_s >= UNMATCHED_S:
        told["unmatched_for_s"] = round(unmatched_s)
    return told


def unmatched(routes: Iterable[Route]) -> list[str]:
    """Return a sentence about each route that has matched nothing for long."""
    return [
        f"{one['id']} ({one['url']}) has matched nothing in {one['unmatched_for_s']} s"
        for one in map(route_json, routes)
        if "unmatched_for_s" in one
    ]


def does(route: Route) -> str:
    """Return what a route does, in a few words."""
    said = [f"delay {route.delay_s * 1000:.0f} ms"] if route.delay_s else []
    if route.error:
        said.append(f"abort {_NAMES[route.error]}")
    if route.answer is not None:
        size = len(route.answer.body) * 3 // 4 - route.answer.body.count("=")
        said.append(f"answer {route.answer.status} with {size} bytes")
    for word, is_removed in (("set", False), ("remove", True)):
        names = [name for name, value in route.headers.items() if (value is None) is is_removed]
        if names:
            said.append(f"{word} {', '.join(names)}")
    sites = {one.name: ", ".join(sorted(one.origins)) for one in route.secret_headers}
    return ", ".join([*said, *(f"set {name} for {only}" for name, only in sites.items())])
