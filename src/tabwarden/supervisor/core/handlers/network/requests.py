"""Requests that the browser intercepts for us (the ``Fetch`` domain).

The browser intercepts the dialog bridge's requests, and all requests for documents. A document's
server may request a password (``Fetch.authRequired`` arrives only for intercepted requests), and
the network policy may refuse the document. Each request for a document is continued or refused
immediately. While there are routes, the browser intercepts all requests, and ``routes.py`` decides
how to handle them.

The dialog bridge's requests are dialogs that wait in a synchronous request of the page. While the
debugger is off, ``js/dialogs.js`` sends a request to a nonexistent host, and we delay the response
until the dialog is answered. Clients that dismiss native dialogs don't see the dialog, and the page
can still be navigated meanwhile. However, the page can't be read, and if its ``connect-src`` or
``sync-xhr`` policy blocks the request, the native function is used (docs/facts.md, "Dialogs that
wait in a request").
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from tabwarden.protocol import fetch, page
from tabwarden.supervisor.core.handlers import dialogs
from tabwarden.supervisor.core.handlers.network import outgoing, routes
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.policy import Bridge
from tabwarden.supervisor.core.state.routes import DelayedRequest, Route
from tabwarden.supervisor.core.state.transition import Turn

_ALL = fetch.RequestPattern(url_pattern="*")
_DOCUMENTS = fetch.RequestPattern(url_pattern="*", resource_type="Document")


class _Request(msgspec.Struct, frozen=True):
    key: str
    type: str
    message: str
    initial: str
    url: str


def set_up(bridge: Bridge | None, *, asks_us: bool, takes_all: bool = False) -> fetch.Enable:
    """Return the command that makes the browser intercept a target's requests. ``takes_all``
    includes all requests, and ``asks_us`` includes requests for passwords.
    """
    patterns = [_ALL if takes_all else _DOCUMENTS]
    if bridge is not None and not takes_all:
        patterns.append(fetch.RequestPattern(url_pattern=f"{bridge.url}*", resource_type="XHR"))
    return fetch.Enable(patterns=patterns, handle_auth_requests=asks_us)


def paused(turn: Turn, event: fetch.RequestPaused, session_id: str | None) -> None:
    """Handle an intercepted request. Requests from a helper page are handled by the action that
    opened the page.
    """
    if session_id in turn.state.backstage_sessions:
        return
    if session_id is not None and _handle_bridge_request(turn, event, session_id):
        return
    route = routes.taken(turn, event)
    if route is not None and route.delay_s:
        routes.hold(turn, event, session_id, route)
    else:
        _go_on(turn, event, session_id, route)


def _go_on(
    turn: Turn, event: fetch.RequestPaused, session_id: str | None, route: Route | None
) -> None:
    command = routes.command_for(route, event) if route is not None else None
    if command is None and outgoing.refused(turn, event):
        command = fetch.FailRequest(request_id=event.request_id, error_reason="BlockedByClient")
    turn.send(command or routes.continued(turn.state, route, event), session_id)


def release(turn: Turn, _: inputs.Tick) -> None:
    """Continue the requests whose delay is over."""
    _resume(turn, lambda one: one.due <= turn.now.monotonic)


def let_go(turn: Turn, input_: inputs.RemoveRoutes) -> None:
    """Continue the requests that a removed route delays, without that route."""
    _resume(turn, lambda one: one.route.number in input_.numbers, is_routed=False)


def stopped(turn: Turn, event: page.FrameStoppedLoading, _: str | None) -> None:
    """Handle a frame that stopped loading. No call is waiting for its next document any more."""
    _resume(
        turn,
        lambda one: (one.event.resource_type, one.event.frame_id) == ("Document", event.frame_id),
    )


def left(turn: Turn, event: page.FrameNavigated, session_id: str | None) -> None:
    """Handle a frame's new document: no call is waiting for the old document's requests."""
    _resume(turn, lambda one: (one.session_id, one.event.frame_id) == (session_id, event.frame.id))


def _resume(
    turn: Turn, goes_on: Callable[[DelayedRequest], bool], *, is_routed: bool = True
) -> None:
    """End the delay of some requests."""
    for key, one in turn.state.delayed.items():
        if goes_on(one):
            turn.drop("delayed", key)
            _go_on(turn, one.event, one.session_id, one.route if is_routed else None)


def _handle_bridge_request(turn: Turn, event: fetch.RequestPaused, session_id: str) -> bool:
    """Handle an intercepted request; return whether it was the bridge's."""
    bridge = turn.state.policy.bridge
    session = turn.state.sessions.get(session_id)
    if bridge is None or session is None or not event.request.url.startswith(bridge.url):
        return False
    try:
        request = msgspec.json.decode(event.request.post_data or "", type=_Request)
    except msgspec.DecodeError:
        request = None
    if request is None or request.key != bridge.key:
        # A page may have seen the bridge's URL in its timings and requested it. Our responses
        # contain the key, so don't respond to such a request.
        turn.send(_unknown_host(event.request_id), session_id)
        return True
    dialogs.open_dialog(
        turn,
        session,
        kind=request.type,
        message=request.message,
        default_prompt=request.initial,
        frame_id=event.frame_id,
        url=request.url,
        channel="xhr",
        held_by=event.request_id,
    )
    return True


def _unknown_host(request_id: str) -> fetch.FailRequest:
    """Return the failure that a request to a nonexistent host normally gets."""
    return fetch.FailRequest(request_id=request_id, error_reason="NameNotResolved")


EVENTS = (
    (fetch.RequestPaused, paused),
    (page.FrameNavigated, left),
    (page.FrameStoppedLoading, stopped),
)
INPUTS = ((inputs.Tick, release), (inputs.RemoveRoutes, let_go))
