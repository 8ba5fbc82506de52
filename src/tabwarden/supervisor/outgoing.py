"""Outgoing: what the network policy makes of requests, as far as the machine sees them.

Connections are refused by the egress proxy, which asks the gate in the state; where there is none,
documents are refused here, before they are asked for.
"""

from __future__ import annotations

from typing import Any

from tabwarden.egress.gate import REASONS, Why
from tabwarden.egress.origins import Place, place_of
from tabwarden.protocol import Command, fetch, page
from tabwarden.supervisor import noted
from tabwarden.supervisor.notices import ConnectionRefused
from tabwarden.supervisor.state import FailedConnection, SupervisorState
from tabwarden.supervisor.turn import Turn

__all__ = ["PROXY_FAILED", "arrived", "failed", "refused", "set_up", "why_failed"]

PROXY_FAILED = "net::ERR_SOCKS_CONNECTION_FAILED"
"""All that Chromium tells of a connection that the egress proxy did not make."""
_BLOCKED = "net::ERR_BLOCKED_BY_CLIENT"
_KEPT = 50
_NO_UDP = "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete self[name];"


def set_up(state: SupervisorState) -> Command[Any] | None:
    """What keeps a target's pages from UDP, which goes past any proxy, before their first script.

    A browser that we launch is told by a switch; a context takes none.
    """
    if state.context is None or not state.proxied:
        return None
    return page.AddScriptToEvaluateOnNewDocument(source=_NO_UDP, run_immediately=True)


def failed(turn: Turn, place: Place, why: Why | None, error: str) -> None:
    """A connection did not come about; a refusal is told."""
    number = turn.state.connections_failed + 1
    one = FailedConnection(number=number, place=place, why=why, error=error)
    kept = (*turn.state.failed_connections, one)[-_KEPT:]
    turn.change(failed_connections=kept, connections_failed=number)
    if why is None:
        return
    tab_id = _tab_of(turn.state, place)
    text = f"{place}: {REASONS[why]}"
    if not any(note.kind == "refused" and note.text == text for note in turn.state.notes):
        noted.add(turn, tab_id, "refused", "", text)
    turn.notify(ConnectionRefused(tab_id=tab_id, place=str(place), why=why))


def refused(turn: Turn, event: fetch.RequestPaused) -> bool:
    """Whether a document that is held may not be asked for. What may is remembered: pages of this
    machine reach more of it while there have been no others."""
    place = place_of(event.request.url)
    if place is None or event.resource_type != "Document":
        return False
    why = None if turn.state.proxied else turn.state.gate.refuses_document(place)
    if why is not None:
        failed(turn, place, why, _BLOCKED)
        return True
    _head_for(turn, place)
    return False


def arrived(turn: Turn, event: page.FrameNavigated, session_id: str | None) -> None:
    """A document stands there, perhaps one that a service worker gave: none was asked for."""
    place = place_of(event.frame.url)
    if place is not None and session_id in turn.state.sessions:
        _head_for(turn, place)


def why_failed(
    state: SupervisorState, url: str, error: str, since: int = 0
) -> FailedConnection | None:
    """What is behind an error of the browser's, when it is a connection that was not made.

    Args:
        state: as it is now.
        url: what was asked for; a redirect may have led elsewhere.
        error: the browser's.
        since: ``connections_failed`` when it was asked for.
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
    """The tab whose frame is on its way there, or the only one that there is; else nobody knows."""
    for frame in state.frames.values():
        session = state.sessions.get(frame.session_id)
        if session is not None and frame.bound_for and place_of(frame.bound_for) == place:
            return session.tab_id
    return next(iter(state.tabs)) if len(state.tabs) == 1 else ""
