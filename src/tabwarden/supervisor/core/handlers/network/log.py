"""The network log: the last requests of each tab. Recording starts when the log is first requested.

``Network.enable`` makes pages with many cached scripts 1.2 times slower. The Network domain is
therefore on only while requests are recorded, or while an emulation needs it (``emulating.py``). We
store no bodies, and remove secrets from URLs and headers before we store them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tabwarden.protocol import network
from tabwarden.supervisor.core.handlers.network import events as told
from tabwarden.supervisor.core.handlers.network import outgoing
from tabwarden.supervisor.core.handlers.network.events import (
    TEXT_MAX,
    initiator_of,
    kept_headers,
    kept_url,
)
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.network_log import (
    NETWORK_RING,
    Details,
    HeadersTold,
    NetworkRequest,
    TabRequests,
)
from tabwarden.supervisor.core.state.transition import Turn
from tabwarden.supervisor.core.state.values import frozen, replace

ENABLE = network.Enable(
    max_total_buffer_size=16_000_000, max_resource_buffer_size=4_000_000, max_post_data_size=0
)
"""The sizes of the renderer's buffers for response bodies, which the agent may request later."""
_EARLY_MAX = 50
"""How many requests may have headers that arrived before the request's own event."""


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
    """End a session's open requests, because no more events will arrive for them."""
    for tab_id, known in turn.state.network.items():
        lost = {
            key: replace(request, ended=True, error="its page navigated away or was closed")
            for key, request in known.requests.items()
            if request.session_id == session_id and not request.ended
        }
        if lost:
            requests = frozen(known.requests | lost)
            turn.put("network", tab_id, replace(known, requests=requests))


def _sent(turn: Turn, event: told.Sent, session_id: str | None) -> None:
    tab = turn.state.tab_of_session(session_id)
    bridge = turn.state.policy.bridge
    if tab is None or session_id is None:
        return
    if bridge is not None and event.request.url.startswith(bridge.url):
        return  # the bridge's request for a dialog
    known = turn.state.network.get(tab.tab_id, TabRequests())
    requests = known.requests.copy()
    before = requests.pop(event.request_id, None)
    hop = 0
    if before is not None and event.redirect_response is not None:
        hop = before.details.hop + event.redirect_has_extra_info
        answered = told.answered(before, event.redirect_response, turn.state)
        size = round(event.redirect_response.encoded_data_length)
        ended = _ended(answered, event.timestamp, size=size)
        # The headers for this hop may still arrive, unless the browser redirected the request
        # without contacting a server.
        key = before.details.hop if event.redirect_has_extra_info else f"{before.number} internal"
        requests[_hop_key(event.request_id, key)] = ended
    request = NetworkRequest(
        number=turn.state.next_request,
        request_id=event.request_id,
        session_id=session_id,
        frame_id=event.frame_id,
        loader_id=event.loader_id,
        method=event.request.method[:40],
        url=kept_url(event.request.url),
        type=event.type.lower(),
        started_at=event.wall_time,
        began=event.timestamp,
        details=Details(
            request_headers=_headers(turn, event.request.headers),
            initiator=initiator_of(event.initiator),
            has_post_data=event.request.has_post_data,
            hop=hop,
        ),
    )
    early = known.headers_told.get(event.request_id, HeadersTold())
    requests[event.request_id] = _with_headers(request, early)
    _keep(turn, tab.tab_id, requests, known)


def _socket_created(turn: Turn, event: told.SocketCreated, session_id: str | None) -> None:
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
        url=kept_url(event.url),
        type="websocket",
        started_at=turn.now.wall,
        began=None,
        details=Details(initiator=initiator_of(event.initiator)),
    )
    _keep(turn, tab.tab_id, known.requests | {event.request_id: opened}, known)


def _keep(turn: Turn, tab_id: str, requests: dict[str, NetworkRequest], known: TabRequests) -> None:
    """Keep the last requests and the data about them; drop older requests."""
    gone = [requests.pop(next(iter(requests))) for _ in range(len(requests) - NETWORK_RING)]
    ids = {one.request_id for one in gone} - requests.keys()
    turn.change(next_request=turn.state.next_request + 1)
    kept = replace(known, requests=frozen(requests), dropped=known.dropped + len(gone))
    if ids:
        headers, messages = known.headers_told.copy(), known.messages.copy()
        for one in ids:
            headers.pop(one, None)
            messages.pop(one, None)
        kept = replace(kept, headers_told=frozen(headers), messages=frozen(messages))
    turn.put("network", tab_id, kept)


def _headers_sent(turn: Turn, event: told.SentExtra, session_id: str | None) -> None:
    headers = _headers(turn, event.headers)
    _record_headers(turn, event.request_id, session_id, HeadersTold(sent=(headers,)))


def _headers_received(turn: Turn, event: told.ReceivedExtra, session_id: str | None) -> None:
    headers = _headers(turn, event.headers)
    _record_headers(turn, event.request_id, session_id, HeadersTold(received=(headers,)))


def _record_headers(turn: Turn, request_id: str, session_id: str | None, new: HeadersTold) -> None:
    """Record the headers for one hop of a request, which may arrive before the request itself."""
    tab = turn.state.tab_of_session(session_id)
    if tab is None:
        return
    known = turn.state.network.get(tab.tab_id, TabRequests())
    before = known.headers_told.get(request_id, HeadersTold())
    now = HeadersTold(sent=before.sent + new.sent, received=before.received + new.received)
    headers = known.headers_told | {request_id: now}
    if len(headers) > len(known.requests) + _EARLY_MAX:  # headers of requests that we don't log
        del headers[next(one for one in headers if one not in known.requests)]
    known = replace(known, headers_told=frozen(headers))
    key = request_id
    last = known.requests.get(request_id)
    hop = len(before.sent if new.sent else before.received)
    if last is not None and last.details.hop > hop:
        key = _hop_key(request_id, hop)
    request = known.requests.get(key)
    if request is not None:
        requests = known.requests | {key: _with_headers(request, now)}
        known = replace(known, requests=frozen(requests))
    turn.put("network", tab.tab_id, known)


def _hop_key(request_id: str, hop: int | str) -> str:
    """Return the key under which an earlier hop of a request is stored."""
    return f"{request_id}#{hop}"


def _with_headers(request: NetworkRequest, headers: HeadersTold) -> NetworkRequest:
    """Return a request with the headers that were reported separately for its hop."""
    details, hop = request.details, request.details.hop
    if len(headers.sent) > hop:
        details = replace(details, request_headers=headers.sent[hop])
    if len(headers.received) > hop:
        details = replace(details, response_headers=headers.received[hop])
    return replace(request, details=details) if details is not request.details else request


def _answered(turn: Turn, event: told.Answered, session_id: str | None) -> None:
    def answered(request: NetworkRequest) -> NetworkRequest:
        now = told.answered(request, event.response, turn.state)
        return replace(now, type=event.type.lower())

    _change(turn, event, session_id, answered)


def _add_data(turn: Turn, event: told.Data, session_id: str | None) -> None:
    def longer(request: NetworkRequest) -> NetworkRequest:
        size = request.details.decoded_size + event.data_length
        return replace(request, details=replace(request.details, decoded_size=size))

    _change(turn, event, session_id, longer)


def _finished(turn: Turn, event: told.Finished, session_id: str | None) -> None:
    size = round(event.encoded_data_length)
    _change(turn, event, session_id, lambda one: _ended(one, event.timestamp, size=size))


def _failed(turn: Turn, event: told.Failed, session_id: str | None) -> None:
    cors = (event.cors_error_status or {}).get("corsError")
    why = [event.blocked_reason, f"CORS: {cors}" if cors else None]
    error_text = ", ".join(word for word in why if word)

    def failed(request: NetworkRequest) -> NetworkRequest:
        is_read = event.canceled and request.type == "fetch" and request.status is not None
        if is_read or request.status in (204, 205):  # these requests do not lead to a document
            # Chromium also cancels the loading of a body that is empty or that nobody reads.
            return _ended(request, event.timestamp)
        error = event.error_text or ("canceled" if event.canceled else "failed")
        behind = outgoing.why_failed(turn.state, request.url, error)
        error = behind.words if behind is not None else error
        error = f"{error} ({error_text})" if error_text else error
        return replace(_ended(request, event.timestamp), error=error[:TEXT_MAX])

    _change(turn, event, session_id, failed)


def _from_cache(turn: Turn, event: told.FromCache, session_id: str | None) -> None:
    _change(turn, event, session_id, lambda one: replace(one, from_cache="memory"))


def _socket_asks(turn: Turn, event: told.SocketAsks, session_id: str | None) -> None:
    headers = _headers(turn, event.request.headers)

    def asks(socket: NetworkRequest) -> NetworkRequest:
        details = replace(socket.details, request_headers=headers)
        return replace(socket, details=details, started_at=event.wall_time, began=event.timestamp)

    _change(turn, event, session_id, asks)


def _socket_answered(turn: Turn, event: told.SocketAnswered, session_id: str | None) -> None:
    _change(turn, event, session_id, lambda one: told.answered(one, event.response, turn.state))


def _socket_failed(turn: Turn, event: told.SocketFailed, session_id: str | None) -> None:
    error = event.error_message[:TEXT_MAX]
    _change(turn, event, session_id, lambda one: replace(one, error=error))


def _socket_closed(turn: Turn, event: told.SocketClosed, session_id: str | None) -> None:
    _change(turn, event, session_id, lambda one: _ended(one, event.timestamp))


EVENTS = (
    (told.Sent, _sent),
    (told.SentExtra, _headers_sent),
    (told.Answered, _answered),
    (told.ReceivedExtra, _headers_received),
    (told.Data, _add_data),
    (told.Finished, _finished),
    (told.Failed, _failed),
    (told.FromCache, _from_cache),
    (told.SocketCreated, _socket_created),
    (told.SocketAsks, _socket_asks),
    (told.SocketAnswered, _socket_answered),
    (told.SocketFailed, _socket_failed),
    (told.SocketClosed, _socket_closed),
)
INPUTS = ((inputs.RecordNetwork, record),)


def find(turn: Turn, request_id: str, session_id: str | None) -> NetworkRequest | None:
    """Return a request's last hop; None if the request is not in its tab's log."""
    tab = turn.state.tab_of_session(session_id)
    known = turn.state.network.get(tab.tab_id) if tab is not None else None
    return known.requests.get(request_id) if known is not None else None


def _change(
    turn: Turn,
    event: told.OfRequest,
    session_id: str | None,
    changed: Callable[[NetworkRequest], NetworkRequest],
) -> None:
    """Change a request, keeping its position in the log. A frame's document may be requested in one
    session and received in another. The second session then has the body.
    """
    tab = turn.state.tab_of_session(session_id)
    request = find(turn, event.request_id, session_id)
    if request is None or tab is None or session_id is None:
        return
    known = turn.state.network[tab.tab_id]
    now = replace(changed(request), session_id=session_id)
    requests = frozen(known.requests | {event.request_id: now})
    turn.put("network", tab.tab_id, replace(known, requests=requests))


def _headers(turn: Turn, headers: Mapping[str, str]) -> dict[str, str]:
    return kept_headers(headers, secrets=turn.state.policy.network_secrets)


def _ended(request: NetworkRequest, at: float, *, size: int | None = None) -> NetworkRequest:
    took = round((at - request.began) * 1000, 1) if request.began is not None else None
    return replace(request, ended=True, duration_ms=took, size=size)
