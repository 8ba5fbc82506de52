"""Apply the network policy to the requests that the state machine sees.

With an egress proxy, the proxy refuses connections according to the gate in the state. Without a
proxy, this module refuses requests for documents.
"""

from __future__ import annotations

from typing import Any

from tabwarden.egress.gate import REASONS, Why
from tabwarden.egress.origins import Place, place_of
from tabwarden.protocol import Command, fetch, page
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.changes import kept_url
from tabwarden.supervisor.core.state.notices import ConnectionRefused
from tabwarden.supervisor.core.state.state import FailedConnection, SupervisorState
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.telemetry.redaction import without_login

ORIGINS_KEPT = 100


def arrived(turn: Turn, event: page.FrameNavigated, session_id: str | None) -> None:
    """Record a frame's new document, which may come from a service worker without a request."""
    session = turn.state.session(session_id)
    if session is None:
        return
    refused_url = event.frame.unreachable_url
    if refused_url and event.frame.parent_id is None and session.target_type == "page":
        _tell_if_refused(turn, session.tab_id, refused_url)
    origin = event.frame.security_origin
    if origin.startswith(("http://", "https://")):
        _keep(turn, origin)
    place = place_of(event.frame.url)
    if place is not None:
        _head_for(turn, place)


def _tell_if_refused(turn: Turn, tab_id: str, url: str) -> None:
    """Record that the network policy refused a tab's document, if that is why the tab shows an
    error page.
    """
    place = place_of(url)
    of_place = [one for one in turn.state.failed_connections if one.place == place]
    if of_place and of_place[-1].why is not None:
        url = without_login(kept_url(url))
        turn.record("navigation_refused", tab_id, url=url, reason="policy")


def origins_known(turn: Turn, input_: inputs.OriginsKnown) -> None:
    for origin in input_.origins:
        _keep(turn, origin)


def place_named(turn: Turn, input_: inputs.PlaceNamed) -> None:
    turn.change(gate=turn.state.gate.naming(input_.place))


def connection_failed(turn: Turn, input_: inputs.ConnectionFailed) -> None:
    _failed(turn, input_.place, input_.why, input_.error)


def _keep(turn: Turn, origin: str) -> None:
    """Record an origin as the most recent one, and forget the oldest."""
    known = turn.state.origins
    if known and known[-1] == origin:
        return
    others = [one for one in known if one != origin]
    turn.change(origins=(*others[1 - ORIGINS_KEPT :], origin))


PROXY_FAILED = "net::ERR_SOCKS_CONNECTION_FAILED"
"""Chromium reports only this error for a connection that the egress proxy did not open."""
_BLOCKED = "net::ERR_BLOCKED_BY_CLIENT"
_KEPT = 50
_NO_UDP = "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete self[name];"


def set_up(state: SupervisorState) -> Command[Any] | None:
    """Return the command that keeps a target's pages from using UDP, which bypasses any proxy. The
    command must run before the pages' first script. Browsers that we launch get a command-line
    switch instead, which does not exist for a single context.
    """
    if state.context is None or not state.proxied:
        return None
    return page.AddScriptToEvaluateOnNewDocument(source=_NO_UDP, run_immediately=True)


def _failed(turn: Turn, place: Place, why: Why | None, error: str) -> None:
    """Record a failed connection. Add a note if the connection was refused."""
    number = turn.state.connections_failed + 1
    one = FailedConnection(number=number, place=place, why=why, error=error)
    kept = (*turn.state.failed_connections, one)[-_KEPT:]
    turn.change(failed_connections=kept, connections_failed=number)
    if why is None:
        return
    tab_id = _tab_of(turn.state, place)
    text = f"{place}: {REASONS[why]}"
    if not any(note.kind == "refused" and note.text == text for note in turn.state.notes):
        turn.note(tab_id, "refused", "", text)
    turn.notify(ConnectionRefused(tab_id=tab_id, place=str(place), why=why))


def refused(turn: Turn, event: fetch.RequestPaused) -> bool:
    """Whether an intercepted request for a document must be refused. If the request is allowed,
    record its place, because local addresses stay allowed only as long as all documents are from
    this computer.
    """
    place = place_of(event.request.url)
    if place is None or event.resource_type != "Document":
        return False
    why = None if turn.state.proxied else turn.state.gate.refuses_document(place)
    if why is not None:
        _failed(turn, place, why, _BLOCKED)
        return True
    _head_for(turn, place)
    return False


def why_failed(
    state: SupervisorState, url: str, error: str, since: int = 0
) -> FailedConnection | None:
    """Return the failed connection that caused a browser's error, if there is one. A redirect may
    have led from ``url`` to another host. ``since`` is ``connections_failed`` at the time of the
    request.
    """
    if error not in (PROXY_FAILED, _BLOCKED):
        return None
    late = [one for one in state.failed_connections if one.number > since and _is(one, error)]
    place = place_of(url)
    own = [one for one in late if one.place == place]
    return next(reversed(own or late), None)


def _head_for(turn: Turn, place: Place) -> None:
    gate = turn.state.gate.heading_for(place)
    if gate is not turn.state.gate:
        turn.change(gate=gate)


def _is(one: FailedConnection, error: str) -> bool:
    return error == PROXY_FAILED or one.error == error


def _tab_of(state: SupervisorState, place: Place) -> str:
    """Return the id of the tab that is navigating to this place, or, if there is only one tab, that
    tab's ID; "" if unknown.
    """
    for frame in state.frames.values():
        session = state.sessions.get(frame.session_id)
        if session is not None and frame.bound_for and place_of(frame.bound_for) == place:
            return session.tab_id
    return next(iter(state.tabs)) if len(state.tabs) == 1 else ""


EVENTS = ((page.FrameNavigated, arrived),)
INPUTS = (
    (inputs.OriginsKnown, origins_known),
    (inputs.PlaceNamed, place_named),
    (inputs.ConnectionFailed, connection_failed),
)
