"""The parts of the Network domain's events that the log reads, and how the log stores them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from tabwarden.protocol import Event, network
from tabwarden.supervisor.core.state.network_log import Details, Initiator, NetworkRequest, Timing
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.values import replace
from tabwarden.telemetry.redaction import headers_without_secrets, url_without_secrets

_URL_MAX = 2_000
"""How many characters of a URL we read; a data: URL may have millions."""
TEXT_MAX = 300
_HEADERS_MAX = 100
_HEADER_MAX = 4_000
"""The maximum length of a header value, in characters. Servers seldom accept more than 8,000
characters for all headers together.
"""


class Struct(msgspec.Struct, frozen=True, rename="camel"):
    """The base class for structs with only the fields that we read."""


class _CallFrame(Struct, frozen=True):
    url: str = ""
    line_number: int = 0
    function_name: str = ""


class _Stack(Struct, frozen=True):
    call_frames: tuple[_CallFrame, ...] = ()


class _Initiator(Struct, frozen=True):
    type: str = ""
    url: str = ""
    line_number: float | None = None
    stack: _Stack | None = None


class Request(Struct, frozen=True):
    url: str
    method: str = ""
    headers: Mapping[str, str] = MappingProxyType({})
    has_post_data: bool = False


class Response(Struct, frozen=True):
    status: int = 0
    status_text: str = ""
    headers: Mapping[str, str] = MappingProxyType({})
    mime_type: str = ""
    protocol: str = ""
    remote_ip: str = msgspec.field(default="", name="remoteIPAddress")
    remote_port: int = 0
    timing: Timing | None = None
    encoded_data_length: float = 0
    from_disk_cache: bool = False
    from_service_worker: bool = False
    from_prefetch_cache: bool = False


class OfRequest(Event, frozen=True, rename="camel"):
    """The base class for events about one request."""

    request_id: str


class Sent(OfRequest, frozen=True, kw_only=True):
    METHOD = network.RequestWillBeSent.METHOD

    request: Request
    timestamp: float
    wall_time: float
    loader_id: str = ""
    type: str = "Other"
    frame_id: str | None = None
    initiator: _Initiator | None = None
    redirect_has_extra_info: bool = False
    redirect_response: Response | None = None


class Answered(OfRequest, frozen=True, kw_only=True):
    METHOD = network.ResponseReceived.METHOD

    response: Response
    type: str = "Other"


class SentExtra(OfRequest, frozen=True, kw_only=True):
    METHOD = network.RequestWillBeSentExtraInfo.METHOD

    headers: Mapping[str, str]


class ReceivedExtra(OfRequest, frozen=True, kw_only=True):
    METHOD = network.ResponseReceivedExtraInfo.METHOD

    headers: Mapping[str, str]


class Data(OfRequest, frozen=True, kw_only=True):
    METHOD = network.DataReceived.METHOD

    data_length: int = 0


class Finished(OfRequest, frozen=True, kw_only=True):
    METHOD = network.LoadingFinished.METHOD

    timestamp: float
    encoded_data_length: float = 0


class Failed(OfRequest, frozen=True, kw_only=True):
    METHOD = network.LoadingFailed.METHOD

    timestamp: float
    error_text: str = ""
    canceled: bool = False
    blocked_reason: str | None = None
    cors_error_status: Mapping[str, Any] | None = None


class FromCache(OfRequest, frozen=True, kw_only=True):
    METHOD = network.RequestServedFromCache.METHOD


class SocketCreated(OfRequest, frozen=True, kw_only=True):
    METHOD = network.WebSocketCreated.METHOD

    url: str
    initiator: _Initiator | None = None


class SocketRequest(Struct, frozen=True):
    headers: Mapping[str, str] = MappingProxyType({})


class SocketAsks(OfRequest, frozen=True, kw_only=True):
    METHOD = network.WebSocketWillSendHandshakeRequest.METHOD

    request: SocketRequest
    timestamp: float
    wall_time: float


class SocketAnswered(OfRequest, frozen=True, kw_only=True):
    METHOD = network.WebSocketHandshakeResponseReceived.METHOD

    response: Response


class SocketFailed(OfRequest, frozen=True, kw_only=True):
    METHOD = network.WebSocketFrameError.METHOD

    error_message: str = ""


class SocketClosed(OfRequest, frozen=True, kw_only=True):
    METHOD = network.WebSocketClosed.METHOD

    timestamp: float


class SocketFrame(Struct, frozen=True):
    opcode: float
    payload_data: str


class Frame(OfRequest, frozen=True, kw_only=True):
    """A WebSocket frame."""

    timestamp: float
    response: SocketFrame


class FrameSent(Frame, frozen=True, kw_only=True):
    METHOD = network.WebSocketFrameSent.METHOD


class FrameReceived(Frame, frozen=True, kw_only=True):
    METHOD = network.WebSocketFrameReceived.METHOD


class SourceMessage(OfRequest, frozen=True, kw_only=True):
    METHOD = network.EventSourceMessageReceived.METHOD

    timestamp: float
    data: str
    event_name: str = ""


def kept_headers(headers: Mapping[str, str], *, secrets: bool) -> dict[str, str]:
    """Return headers as the log stores them: shortened, and without secrets unless these are
    allowed.
    """
    short = {
        name[:TEXT_MAX]: value[:_HEADER_MAX] for name, value in list(headers.items())[:_HEADERS_MAX]
    }
    return short if secrets else headers_without_secrets(short)


def kept_url(url: str) -> str:
    """Return a URL as the log stores it: shortened and without secrets."""
    if url[:5].lower() == "data:":
        kind = url[5:105].partition(",")[0]
        return f"data:{kind},… ({len(url)} characters)"
    plain = url_without_secrets(url[:_URL_MAX])
    if len(plain) <= TEXT_MAX and len(url) <= _URL_MAX:
        return plain
    return f"{plain[: TEXT_MAX - 1]}…"


def initiator_of(initiator: _Initiator | None) -> Initiator | None:
    if initiator is None:
        return None
    frames = initiator.stack.call_frames if initiator.stack is not None else ()
    if frames:
        top = frames[0]
        return Initiator(
            type=initiator.type[:40],
            url=kept_url(top.url),
            line=top.line_number + 1,
            function=top.function_name[:TEXT_MAX],
        )
    line = round(initiator.line_number) + 1 if initiator.line_number is not None else None
    return Initiator(type=initiator.type[:40], url=kept_url(initiator.url), line=line)


def answered(request: NetworkRequest, response: Response, state: SupervisorState) -> NetworkRequest:
    """Return a request with its response. Headers that were reported separately are kept, because
    they are complete. With an egress proxy, the browser knows only the proxy's address.
    """
    cached = [
        name
        for name, is_it in (
            ("disk", response.from_disk_cache),
            ("service worker", response.from_service_worker),
            ("prefetch", response.from_prefetch_cache),
        )
        if is_it
    ]
    known = request.details
    secrets = state.policy.network_secrets
    ip = "" if state.proxied else response.remote_ip
    ip = f"[{ip}]" if ":" in ip else ip
    details: Details = replace(
        known,
        response_headers=known.response_headers or kept_headers(response.headers, secrets=secrets),
        status_text=response.status_text[:TEXT_MAX],
        protocol=response.protocol[:40],
        remote_address=f"{ip}:{response.remote_port}" if ip else "",
        timing=response.timing,
        head_size=round(response.encoded_data_length),
    )
    return replace(
        request,
        status=response.status,
        mime_type=response.mime_type[:100],
        from_cache=cached[0] if cached else request.from_cache,
        details=details,
    )
