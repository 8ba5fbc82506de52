"""The network log: the last requests of each tab, recorded once someone has asked for the log.

``Network.enable`` makes pages with many cached scripts 1.2 times slower. So the Network domain is
on only while requests are recorded, or while an emulation needs it (``emulating.py``). Headers and
bodies may contain secrets, so we never decode them, and we remove secrets from URLs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tabwarden.protocol import Event, network
from tabwarden.supervisor.core.handlers import outgoing
from tabwarden.supervisor.core.state import (
    NETWORK_RING,
    NetworkRequest,
    TabRequests,
    Turn,
    frozen,
    inputs,
    replace,
)
from tabwarden.telemetry.redaction import url_without_secrets

ENABLE = network.Enable(
    max_total_buffer_size=16_000_000, max_resource_buffer_size=4_000_000, max_post_data_size=0
)
"""The renderer's buffers keep response bodies, which the agent may ask for later."""
_URL_MAX = 2_000
"""How many characters of a URL we read, because data: URLs may have millions."""
_TEXT_MAX = 300


class _Struct(msgspec.Struct, frozen=True, rename="camel"):
    """Base of structs that have only the fields that we read."""


class _Request(_Struct, frozen=True):
    url: str
    method: str = ""


class _Response(_Struct, frozen=True):
    status: int = 0
    mime_type: str = ""
    encoded_data_length: float = 0
    from_disk_cache: bool = False
    from_service_worker: bool = False
    from_prefetch_cache: bool = False


class _Sent(Event, frozen=True, kw_only=True, rename="camel"):
    METHOD = network.RequestWillBeSent.METHOD

    request_id: str
    request: _Request
    timestamp: float
    wall_time: float
    loader_id: str = ""
    type: str = "Other"
    frame_id: str | None = None
    redirect_response: _Response | None = None


class _Answered(Event, frozen=True, kw_only=True, rename="camel"):
    METHOD = network.ResponseReceived.METHOD

    request_id: str
    response: _Response
    type: str = "Other"


class _Finished(Event, frozen=True, kw_only=True, rename="camel"):
    METHOD = network.LoadingFinished.METHOD

    request_id: str
    timestamp: float
    encoded_data_length: float = 0


class _Failed(Event, frozen=True, kw_only=True, rename="camel"):
    METHOD = network.LoadingFailed.METHOD

    request_id: str
    timestamp: float
    error_text: str = ""
    canceled: bool = False
    blocked_reason: str | None = None
    cors_error_status: Mapping[str, Any] | None = None


class _FromCache(Event, frozen=True, kw_only=True, rename="camel"):
    METHOD = network.RequestServedFromCache.METHOD

    request_id: str


class _SocketCreated(Event, frozen=True, kw_only=True, rename="camel"):
    METHOD = network.WebSocketCreated.METHOD

    request_id: str
    url: str


class _SocketAnswered(Event, frozen=True, kw_only=True, rename="camel"):
    METHOD = network.WebSocketHandshakeResponseReceived.METHOD

    request_id: str
    response: _Response


class _SocketFailed(Event, frozen=True, kw_only=True, rename="camel"):
    METHOD = network.WebSocketFrameError.METHOD

    request_id: str
    timestamp: float
    error_message: str = ""


class _SocketClosed(Event, frozen=True, kw_only=True, rename="camel"):
    METHOD = network.WebSocketClosed.METHOD

    request_id: str
    timestamp: float


def record(turn: Turn, _: inputs.RecordNetwork) -> None:
    if turn.state.recording:
        return
    turn.change(recording=True, recording_since=turn.now.wall)
    for session_id in turn.state.sessions:
        turn.send(ENABLE, session_id)


def begin(turn: Turn, session_id: str) -> None:
    """Start recording in a new target, before its first request."""
    if turn.state.recording:
        turn.send(ENABLE, session_id)


def drop_session(turn: Turn, session_id: str) -> None:
    """A session is gone, so no more events will arrive for its open requests."""
    for tab_id, known in turn.state.network.items():
        lost = {
            key: replace(request, ended=True, error="its page navigated away or was closed")
            for key, request in known.requests.items()
            if request.session_id == session_id and not request.ended
        }
        if lost:
            requests = frozen({**known.requests, **lost})
            turn.put("network", tab_id, replace(known, requests=requests))


def _sent(turn: Turn, event: _Sent, session_id: str | None) -> None:
    tab = turn.state.tab_of_session(session_id)
    bridge = turn.state.policy.bridge
    if tab is None or session_id is None:
        return
    if bridge is not None and event.request.url.startswith(bridge.url):
        return  # the bridge's request for a dialog
    known = turn.state.network.get(tab.tab_id, TabRequests())
    requests = dict(known.requests)
    hop = requests.pop(event.request_id, None)
    if hop is not None and event.redirect_response is not None:
        answered = _with(hop, event.redirect_response)
        size = round(event.redirect_response.encoded_data_length)
        requests[f"{event.request_id}#{hop.number}"] = _ended(answered, event.timestamp, size=size)
    number = turn.state.next_request
    requests[event.request_id] = NetworkRequest(
        number=number,
        request_id=event.request_id,
        session_id=session_id,
        frame_id=event.frame_id,
        loader_id=event.loader_id,
        method=event.request.method[:40],
        url=_shown(event.request.url),
        type=event.type.lower(),
        started_at=event.wall_time,
        began=event.timestamp,
    )
    _keep(turn, tab.tab_id, requests, known.dropped)


def _socket_created(turn: Turn, event: _SocketCreated, session_id: str | None) -> None:
    tab = turn.state.tab_of_session(session_id)
    if tab is None or session_id is None:
        return
    known = turn.state.network.get(tab.tab_id, TabRequests())
    opened = NetworkRequest(
        number=turn.state.next_request,
        request_id=event.request_id,
        session_id=session_id,
        frame_id=None,
        loader_id="",
        method="GET",
        url=_shown(event.url),
        type="websocket",
        started_at=turn.now.wall,
        began=None,
    )
    _keep(turn, tab.tab_id, {**known.requests, event.request_id: opened}, known.dropped)


def _keep(turn: Turn, tab_id: str, requests: dict[str, NetworkRequest], dropped: int) -> None:
    while len(requests) > NETWORK_RING:
        del requests[next(iter(requests))]
        dropped += 1
    turn.change(next_request=turn.state.next_request + 1)
    turn.put("network", tab_id, TabRequests(requests=frozen(requests), dropped=dropped))


def _answered(turn: Turn, event: _Answered, session_id: str | None) -> None:
    request = _find(turn, event.request_id, session_id)
    if request is not None:
        answered = _with(request, event.response)
        _put(turn, replace(answered, type=event.type.lower()), session_id)


def _finished(turn: Turn, event: _Finished, session_id: str | None) -> None:
    request = _find(turn, event.request_id, session_id)
    if request is not None:
        size = round(event.encoded_data_length)
        _put(turn, _ended(request, event.timestamp, size=size), session_id)


def _failed(turn: Turn, event: _Failed, session_id: str | None) -> None:
    request = _find(turn, event.request_id, session_id)
    if request is None:
        return
    cors = (event.cors_error_status or {}).get("corsError")
    why = [event.blocked_reason, f"CORS: {cors}" if cors else None]
    said = ", ".join(word for word in why if word)
    error = event.error_text or ("canceled" if event.canceled else "failed")
    behind = outgoing.why_failed(turn.state, request.url, error)
    if behind is not None:
        error = behind.words
    error = f"{error} ({said})" if said else error
    _put(turn, replace(_ended(request, event.timestamp), error=error[:_TEXT_MAX]), session_id)


def _from_cache(turn: Turn, event: _FromCache, session_id: str | None) -> None:
    request = _find(turn, event.request_id, session_id)
    if request is not None:
        _put(turn, replace(request, from_cache="memory"), session_id)


def _socket_answered(turn: Turn, event: _SocketAnswered, session_id: str | None) -> None:
    request = _find(turn, event.request_id, session_id)
    if request is not None:
        _put(turn, replace(request, status=event.response.status), session_id)


def _socket_failed(turn: Turn, event: _SocketFailed, session_id: str | None) -> None:
    request = _find(turn, event.request_id, session_id)
    if request is not None:
        _put(turn, replace(request, error=event.error_message[:_TEXT_MAX]), session_id)


def _socket_closed(turn: Turn, event: _SocketClosed, session_id: str | None) -> None:
    request = _find(turn, event.request_id, session_id)
    if request is not None:
        _put(turn, replace(request, ended=True), session_id)


EVENTS = (
    (_Sent, _sent),
    (_Answered, _answered),
    (_Finished, _finished),
    (_Failed, _failed),
    (_FromCache, _from_cache),
    (_SocketCreated, _socket_created),
    (_SocketAnswered, _socket_answered),
    (_SocketFailed, _socket_failed),
    (_SocketClosed, _socket_closed),
)
INPUTS = ((inputs.RecordNetwork, record),)


def _find(turn: Turn, request_id: str, session_id: str | None) -> NetworkRequest | None:
    tab = turn.state.tab_of_session(session_id)
    known = turn.state.network.get(tab.tab_id) if tab is not None else None
    return known.requests.get(request_id) if known is not None else None


def _put(turn: Turn, request: NetworkRequest, session_id: str | None) -> None:
    """Replace a request, keeping its position in the log. A frame's document may be requested in
    one session and answered in another. The second session then has the body."""
    tab = turn.state.tab_of_session(session_id)
    if tab is None or session_id is None:
        return
    known = turn.state.network[tab.tab_id]
    told = replace(request, session_id=session_id)
    requests = frozen({**known.requests, request.request_id: told})
    turn.put("network", tab.tab_id, replace(known, requests=requests))


def _with(request: NetworkRequest, response: _Response) -> NetworkRequest:
    cached = [
        name
        for name, is_it in (
            ("disk", response.from_disk_cache),
            ("service worker", response.from_service_worker),
            ("prefetch", response.from_prefetch_cache),
        )
        if is_it
    ]
    return replace(
        request,
        status=response.status,
        mime_type=response.mime_type[:100],
        from_cache=cached[0] if cached else request.from_cache,
    )


def _ended(request: NetworkRequest, at: float, *, size: int | None = None) -> NetworkRequest:
    took = round((at - request.began) * 1000, 1) if request.began is not None else None
    return replace(request, ended=True, duration_ms=took, size=size)


def _shown(url: str) -> str:
    """Return a URL as the log keeps it: shortened and without secrets."""
    if url[:5].lower() == "data:":
        kind = url[5:105].partition(",")[0]
        return f"data:{kind},… ({len(url)} characters)"
    plain = url_without_secrets(url[:_URL_MAX])
    if len(plain) <= _TEXT_MAX and len(url) <= _URL_MAX:
        return plain
    return f"{plain[: _TEXT_MAX - 1]}…"
