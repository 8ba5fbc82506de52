"""Decide how the agent's routes handle a request, without I/O.

``requests.py`` gets the browser's intercepted requests and calls this module for each. If several
routes match, the latest route is used. Requests that a route only delays or changes are still
subject to the network policy, and so are their redirects.
"""

from __future__ import annotations

from typing import Any

from tabwarden.egress.origins import origin_of
from tabwarden.protocol import Command, fetch
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.routes import DelayedRequest, MockedAnswer, Route
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import frozen, replace

_ALIKE = ("xhr", "fetch", "eventsource")
"""The resource types that Chromium intercepts as XHR."""
_PREFLIGHT = "access-control-request-method"


def add(turn: Turn, input_: inputs.AddRoute) -> None:
    number = turn.state.next_route
    route = replace(input_.route, number=number, added_at=turn.now.wall)
    turn.change(routes=(*turn.state.routes, route), next_route=number + 1)


def remove(turn: Turn, input_: inputs.RemoveRoutes) -> None:
    turn.change(routes=tuple(r for r in turn.state.routes if r.number not in input_.numbers))


def taken(turn: Turn, event: fetch.RequestPaused) -> Route | None:
    """Return the route for a request, and count the request."""
    route = matching(turn.state, event)
    if route is None:
        return None
    counted = replace(route, matched=route.matched + 1)
    turn.change(routes=tuple(counted if r is route else r for r in turn.state.routes))
    return counted


def matching(state: SupervisorState, event: fetch.RequestPaused) -> Route | None:
    """Return the latest route that matches a request."""
    for route in reversed(state.routes):
        if not route.is_over and _fits(route, event):
            return route
    return None


def _fits(route: Route, event: fetch.RequestPaused) -> bool:
    method = _preflight_of(event)
    if method is not None and route.answer is None and not route.error:
        return False  # the route's effect on the actual request needs no preflight
    if route.method and route.method != (method or event.request.method):
        return False
    return _is_of(route, event.resource_type.lower()) and route.covers(event.request.url)


def _is_of(route: Route, kind: str) -> bool:
    kinds = _ALIKE if kind in _ALIKE else (kind,)
    return not route.resource_types or not set(kinds).isdisjoint(route.resource_types)


def failing_route(state: SupervisorState, url: str) -> Route | None:
    """Return the route that makes a document's request fail."""
    for route in reversed(state.routes):
        if _is_of(route, "document") and route.covers(url):
            return route if route.error else None
    return None


def command_for(route: Route, event: fetch.RequestPaused) -> Command[Any] | None:
    """Return the command that responds to a request without contacting its server; None if the
    request is sent to its server.
    """
    if route.error:
        return fetch.FailRequest(request_id=event.request_id, error_reason=route.error)
    if route.answer is None:
        return None
    answer = _permission(event) if _preflight_of(event) else route.answer
    return fetch.FulfillRequest(
        request_id=event.request_id,
        response_code=answer.status,
        response_headers=[
            fetch.HeaderEntry(name=name, value=value)
            for name, value in (*answer.headers, *_for_origin(answer, event))
        ],
        body=answer.body,
    )


def continued(
    state: SupervisorState, route: Route | None, event: fetch.RequestPaused
) -> fetch.ContinueRequest:
    """Return the command that sends a request to its server, with the route's headers.

    A redirected request still has the first request's headers, so this command removes headers that
    are only for other sites.
    """
    origin = origin_of(event.request.url) or ""
    known = [one for each in state.routes for one in each.secret_headers]
    secret = {
        one.name: one.value
        for one in (route.secret_headers if route is not None else ())
        if origin in one.origins
    }
    request_headers = {name: str(one) for name, one in event.request.headers.items()}
    # The first request of a tab that a link opened without an opener has the browser's own client
    # hints.
    client_hints = state.emulation.client_hints
    hints = {
        name: client_hints[name.lower()]
        for name, one in request_headers.items()
        if client_hints.get(name.lower(), one) != one
    }
    set_here = {**hints, **(route.headers if route is not None else {}), **secret}
    foreign = {(one.name.lower(), one.value) for one in known if origin not in one.origins}
    kept = {
        name: one for name, one in request_headers.items() if (name.lower(), one) not in foreign
    }
    if not set_here and kept == request_headers:
        return fetch.ContinueRequest(request_id=event.request_id)
    ours = {name.lower() for name in set_here}
    headers = {name: one for name, one in kept.items() if name.lower() not in ours}
    headers |= {name: one for name, one in set_here.items() if one is not None}
    entries = [fetch.HeaderEntry(name=name, value=one) for name, one in headers.items()]
    return fetch.ContinueRequest(request_id=event.request_id, headers=entries)


def hold(turn: Turn, event: fetch.RequestPaused, session_id: str | None, route: Route) -> None:
    held = DelayedRequest(
        route=route,
        event=event,
        session_id=session_id,
        tab_id=turn.state.tab_id_of_session(session_id),
        due=turn.now.monotonic + route.delay_s,
    )
    turn.put("delayed", f"{session_id} {event.request_id}", held)


def drop_session(turn: Turn, session_id: str) -> None:
    """Drop the delayed requests of a session that ended."""
    turn.drop("worker_sessions", session_id)
    turn.drop(
        "delayed", *(k for k, one in turn.state.delayed.items() if one.session_id == session_id)
    )


def drop_all(turn: Turn) -> None:
    """Drop all delayed requests, because the browser continues them after a connection loss."""
    turn.change(delayed=frozen({}), worker_sessions=frozen({}))


def _header(event: fetch.RequestPaused, wanted: str) -> str | None:
    for name, value in event.request.headers.items():
        if name.lower() == wanted:
            return str(value)
    return None


def _preflight_of(event: fetch.RequestPaused) -> str | None:
    """Return the method that a CORS preflight requests; None if the request is not a preflight."""
    return _header(event, _PREFLIGHT) if event.request.method == "OPTIONS" else None


def _permission(event: fetch.RequestPaused) -> MockedAnswer:
    """Return the response that allows the request after a preflight."""
    requested_headers = _header(event, "access-control-request-headers")
    headers = [("Access-Control-Allow-Methods", _header(event, _PREFLIGHT) or "*")]
    if requested_headers is not None:
        headers.append(("Access-Control-Allow-Headers", requested_headers))
    return MockedAnswer(204, tuple(headers), "")


def _for_origin(answer: MockedAnswer, event: fetch.RequestPaused) -> tuple[tuple[str, str], ...]:
    """Return the headers that let a page from another origin read a response. Playwright adds the
    same headers.
    """
    origin = _header(event, "origin")
    named = any(name.lower() == "access-control-allow-origin" for name, _ in answer.headers)
    if origin is None or named:
        return ()
    return (
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Allow-Credentials", "true"),
        ("Vary", "Origin"),
    )


INPUTS = ((inputs.AddRoute, add), (inputs.RemoveRoutes, remove))
