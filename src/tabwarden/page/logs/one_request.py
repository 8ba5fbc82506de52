"""Return the headers, sent data, timings, redirects, messages and response body of one request."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any, TypeVar

from tabwarden.page.logs.timing import BODY_MS
from tabwarden.page.task import Call
from tabwarden.protocol import Command
from tabwarden.protocol import network as protocol
from tabwarden.supervisor.core.state.network_log import (
    MESSAGE_MAX,
    Message,
    Messages,
    NetworkRequest,
    TabRequests,
    Timing,
)
from tabwarden.supervisor.runtime import CommandRefused
from tabwarden.telemetry.redaction import body_without_secrets, without_credentials

R = TypeVar("R")

_TEXTUAL = re.compile(r"^text/|json|xml|javascript|ecmascript|x-www-form-urlencoded|graphql", re.I)
_BODY_MAX = 4_000_000
_LONGEST_SECRET = 10_000
_WITHOUT_BODY = (101, 204, 205, 304)
_FRAMING_MAX = 32
"""The maximum size on the network, in bytes, of an empty body with its chunks and compression."""
_TEXT_FRAME, _BINARY_FRAME = 1, 2
_KEPT = (
    "bodies are kept until the page navigates away or closes, up to 4 MB each and 16 MB in total"
)


async def one_request(
    call: Call, request: NetworkRequest, max_chars: int, *, as_bytes: bool = False
) -> dict[str, Any]:
    """Return one request with its headers and bodies.

    The sent text and the response's text have up to ``max_chars`` characters. For a binary
    response, only the size is returned. With ``as_bytes``, the whole response body is returned as
    bytes. ``body_missing`` says why there is no body.
    """
    known = call.state.network.get(call.tab.tab_id, TabRequests())
    value = {**shown(request), **facts(request)}
    sent = await post_data(call, request, max_chars)
    if sent is not None:
        value["post_data"], value["post_data_chars"] = sent
    hops = [one for one in known.requests.values() if one.request_id == request.request_id]
    if len(hops) > 1:
        value["redirects"] = [
            {"id": f"r-{one.number}", "url": one.url, "status": one.status} for one in hops
        ]
    is_last = _is_last(known, request)
    messages = known.messages.get(request.request_id) if is_last else None
    if messages is not None:
        value["messages"] = [_message(call, one, request) for one in messages.kept]
        value["messages_forgotten"] = messages.dropped
    body = await body_of(call, request, is_last=is_last, max_chars=max_chars, as_bytes=as_bytes)
    return {**value, **body}


def facts(request: NetworkRequest) -> dict[str, Any]:
    """Return the details that the list of requests omits: headers, IP address, timings,
    initiator."""
    details = request.details
    value: dict[str, Any] = {
        "status_text": details.status_text,
        "protocol": details.protocol,
        "remote_address": details.remote_address,
    }
    value = {name: detail for name, detail in value.items() if detail}
    value["request_headers"] = dict(details.request_headers)
    value["response_headers"] = dict(details.response_headers)
    timings = timings_of(request)
    if timings:
        value["timings_ms"] = timings
    if details.initiator is not None:
        by = details.initiator
        fields = {"type": by.type, "url": by.url, "line": by.line, "function": by.function}
        value["initiator"] = {name: one for name, one in fields.items() if one not in ("", None)}
    return value


def frames_of(
    request: NetworkRequest, messages: Messages, hide: Callable[[str], str]
) -> list[dict[str, Any]]:
    """Return a WebSocket's frames in HAR format: ``{"type", "time", "opcode", "data"}``, with the
    time in seconds since 1970. ``data`` is Base64 if ``opcode`` is 2, and ``""`` if it contained a
    secret. ``_size`` is the full size of data that was cut."""
    frames = []
    for one in messages.kept:
        text = one.text if one.text is not None else _decoded(one.data)
        plain = hide(without_credentials(text))
        data = plain[:MESSAGE_MAX]
        if one.text is None:
            data = one.data if plain == text else ""
        at = request.started_at + (one.at - request.began if request.began is not None else 0.0)
        frame = {
            "type": "send" if one.sent else "receive",
            "time": round(at, 6),
            "opcode": _TEXT_FRAME if one.text is not None else _BINARY_FRAME,
            "data": data,
        }
        kept = len(text) if one.text is not None else len(one.data) * 3 // 4
        frames.append({**frame, "_size": one.size} if one.size > kept or not data else frame)
    return frames


def _decoded(data: str) -> str:
    return base64.b64decode(data).decode("utf-8", "replace")


def timings_of(request: NetworkRequest) -> dict[str, float]:
    """Return each phase's duration in milliseconds, with HAR's names. ``connect`` includes ``ssl``.
    Phases that did not happen are omitted."""
    timing = request.details.timing
    if timing is None:
        return {}
    first = next((at for at in _starts(timing) if at >= 0), 0.0)
    phases = {
        "blocked": first,
        "dns": timing.dns_end - timing.dns_start if timing.dns_start >= 0 else -1.0,
        "connect": timing.connect_end - timing.connect_start if timing.connect_start >= 0 else -1.0,
        "ssl": timing.ssl_end - timing.ssl_start if timing.ssl_start >= 0 else -1.0,
        "send": timing.send_end - timing.send_start if timing.send_start >= 0 else -1.0,
        "wait": timing.receive_headers_end - timing.send_end if timing.send_end >= 0 else -1.0,
    }
    if request.began is not None and request.duration_ms is not None:
        ended = (request.began - timing.request_time) * 1000 + request.duration_ms
        phases["receive"] = ended - timing.receive_headers_end
    return {name: round(max(0.0, took), 2) for name, took in phases.items() if took >= -0.5}


def _starts(timing: Timing) -> tuple[float, ...]:
    return timing.dns_start, timing.connect_start, timing.send_start


async def contents(call: Call, request: NetworkRequest, *, bodies: bool) -> dict[str, Any]:
    """Return the content for a HAR file: the sent text, the messages and, if ``bodies``, the
    response's text. Data that the browser no longer has is left out."""
    known = call.state.network.get(call.tab.tab_id, TabRequests())
    result: dict[str, Any] = {}
    is_last = _is_last(known, request)
    messages = known.messages.get(request.request_id) if is_last else None
    if messages is not None and request.type == "websocket":
        result["frames"] = frames_of(request, messages, call.task.control.hide)
    elif messages is not None:
        result["messages"] = [_message(call, one, request) for one in messages.kept]
    if not is_last:
        return result
    sent = await post_data(call, request, _BODY_MAX)
    if sent is not None:
        result["post_data"], _ = sent
    if bodies:
        body = await body_of(call, request, is_last=is_last, max_chars=_BODY_MAX)
        result |= {name: body[name] for name in ("body", "body_missing") if name in body}
    return result


def _is_last(known: TabRequests, request: NetworkRequest) -> bool:
    """Whether a request is the last in a chain of redirects. Only the last one has messages and a
    body."""
    last = known.requests.get(request.request_id)
    return last is not None and last.number == request.number


async def post_data(call: Call, request: NetworkRequest, max_chars: int) -> tuple[str, int] | None:
    """Return up to ``max_chars`` characters of a request's sent text, and the text's full length.
    Secrets are masked unless the configuration allows them. Return None if the request sent no
    text, or if the browser no longer has the text."""
    if not request.details.has_post_data or request.session_id not in call.state.sessions:
        return None
    answer = await _answer(
        call, protocol.GetRequestPostData(request_id=request.request_id), request.session_id
    )
    if isinstance(answer, str):
        return None
    # Search only the returned text and a little more, because the search does not recognize a
    # secret that is cut off.
    sent = answer.post_data[: max_chars + _LONGEST_SECRET]
    sent = sent if call.state.policy.network_secrets else body_without_secrets(sent)
    return call.task.control.hide(sent)[:max_chars], len(answer.post_data)


async def _answer(call: Call, command: Command[R], session_id: str) -> R | str:
    """Return the reply from a page's process, or a message that says why there is no reply."""
    pending = call.race.start(command, session_id)
    if not await call.race.answered(pending, at_most_ms=BODY_MS):
        return "the page is not responding"
    try:
        return await call.race.result(pending)
    except CommandRefused as refused:
        return refused.error.message.rstrip(".")


def _message(call: Call, one: Message, request: NetworkRequest) -> dict[str, Any]:
    fields: dict[str, Any] = {"direction": "sent" if one.sent else "received"}
    if request.began is not None:
        fields["after_ms"] = round((one.at - request.began) * 1000, 1)
    if one.event:
        fields["event"] = one.event
    if one.text is None:
        return {**fields, "bytes": one.size}
    text = call.task.control.hide(without_credentials(one.text))
    return {**fields, "chars": one.size, "text": text[:MESSAGE_MAX]}


async def body_of(
    call: Call,
    request: NetworkRequest,
    *,
    is_last: bool,
    max_chars: int,
    as_bytes: bool = False,
) -> dict[str, Any]:
    """Return a response's body, or ``{"body_missing": why}``."""
    if not request.ended and request.type != "eventsource":
        return _missing("the response is not complete yet")
    if request.type == "websocket":
        return {}
    if not is_last:
        return _missing("the request was redirected")
    if request.error and request.status is None:
        return _missing("the request failed")
    if request.session_id not in call.state.sessions:
        return _missing(f"the page navigated away or was closed; {_KEPT}")
    answer = await _answer(
        call, protocol.GetResponseBody(request_id=request.request_id), request.session_id
    )
    if isinstance(answer, str):
        return _missing(f"{answer}; {_KEPT}")
    text = answer.body
    if not text and _had_body(request):
        return _missing("the page read the body as a Blob, and the browser keeps no copy of Blobs")
    if answer.base64_encoded:
        raw = base64.b64decode(answer.body)
        if not _TEXTUAL.search(request.mime_type):
            size: dict[str, Any] = {"binary": True, "bytes": len(raw)}
            return {**size, "body": raw} if as_bytes else size
        text = raw.decode("utf-8", "replace")
    text = call.task.control.hide(text)
    return {
        "binary": False,
        "chars": len(text),
        "truncated": len(text) > max_chars,
        "body": text.encode("utf-8", "replace") if as_bytes else text[:max_chars],
    }


def body_size(request: NetworkRequest) -> int | None:
    """Return a response body's size on the network, in bytes; None if it is unknown."""
    if request.status in _WITHOUT_BODY or request.method == "HEAD":
        return 0
    return None if request.size is None else max(0, request.size - request.details.head_size)


def content_size(request: NetworkRequest) -> int | None:
    """Return a response body's size without compression, in bytes; None if it is unknown."""
    known, received = request.details.decoded_size, body_size(request)
    if known or (received and _header(request, "content-encoding")):
        return known or None
    length = _header(request, "content-length")
    return int(length) if request.from_cache and length.isdecimal() else received


def _had_body(request: NetworkRequest) -> bool:
    """Whether a body was not empty although the browser returns an empty body. A few bytes on the
    network can be the chunks and compression alone."""
    framed = _header(request, "content-encoding") or _header(request, "transfer-encoding")
    return (content_size(request) or body_size(request) or 0) > (_FRAMING_MAX if framed else 0)


def _header(request: NetworkRequest, wanted: str) -> str:
    headers = request.details.response_headers.items()
    return next((value for name, value in headers if name.lower() == wanted), "")


def _missing(why: str) -> dict[str, Any]:
    return {"body_missing": why}


def shown(request: NetworkRequest) -> dict[str, Any]:
    """Return a request's fields for the list of requests."""
    fields: dict[str, Any] = {
        "id": f"r-{request.number}",
        "method": request.method,
        "url": request.url,
        "type": request.type,
        "status": request.status,
        "mime_type": request.mime_type,
        "started_at": request.started_at,
        "duration_ms": request.duration_ms,
        "size": request.size,
        "pending": not request.ended,
    }
    if request.from_cache:
        fields["from_cache"] = request.from_cache
    if request.error:
        fields["error"] = request.error
    if request.frame_id is not None:
        fields["frame_id"] = request.frame_id
    return fields
