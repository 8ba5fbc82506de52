"""Network: list a tab's requests for the agent, or return the body of one response."""

from __future__ import annotations

import base64
import fnmatch
import re
from typing import Any, NamedTuple

import msgspec

from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.hints import Hint, Next
from tabwarden.page.task import ActionSpec, Call, Done, Task
from tabwarden.protocol import network as protocol
from tabwarden.supervisor import CommandRefused, NetworkRequest, RecordNetwork, Tab

NETWORK = ActionSpec(name="network", acts=False)

TYPES = (
    "document", "stylesheet", "image", "media", "font", "script", "xhr", "fetch", "eventsource",
    "websocket", "manifest", "ping", "preflight", "prefetch", "texttrack", "other",
)  # fmt: skip
_RECORDING_NOTE = (
    "Recording starts now, so there are no requests yet. Perform an action on the page or reload "
    "it, then call again."
)
_LEFT = "the page navigated away"
_ID = re.compile(r"^r-(\d{1,18})\Z")
_TEXTUAL = re.compile(r"^text/|json|xml|javascript|ecmascript|x-www-form-urlencoded|graphql", re.I)


class Filter(NamedTuple):
    url: str | None = None
    type: str | None = None
    failed: bool = False
    since: str | None = None
    limit: int = 50


def checked_filter(resource_type: str | None, since: str | None, request_id: str | None) -> None:
    """Raise ``InvalidArgument`` if the type does not exist or an id has the wrong form."""
    if resource_type is not None and resource_type not in TYPES:
        raise InvalidArgument(
            f"type must be one of {', '.join(TYPES)}, not {resource_type!r}.", field="type"
        )
    for field, given in (("since", since), ("request_id", request_id)):
        if given is not None and not _ID.match(str(given)):
            raise InvalidArgument(
                f"{field} must be a request id, not {str(given)[:100]!r}.",
                "Ids look like r-12.",
                field=field,
            )


async def network(
    call: Call,
    wanted: Filter,
    *,
    request_id: str | None = None,
    max_chars: int = 20_000,
) -> Any:
    """Return a tab's last requests, or one request with its response body. Raise ``NotSupported``
    if the browser has no body for the request, or no longer keeps it."""
    if request_id is not None:
        return await _body(call, request_id, max_chars)
    return _log(call.task, call.tab, wanted)


def _log(task: Task, tab: Tab, wanted: Filter) -> Done:
    """List requests, oldest first. The first call starts the recording."""
    was_on = task.state.recording
    if not was_on:
        task.supervisor.feed(RecordNetwork())
    known = task.state.network.get(tab.tab_id)
    after = _number(wanted.since) if wanted.since is not None else 0
    found = [
        request
        for request in (known.requests.values() if known is not None else ())
        if request.number > after
        and wanted.type in (None, request.type)
        and (not wanted.failed or _has_failed(request))
        and (wanted.url is None or _matches(request.url, wanted.url))
    ]
    found.sort(key=lambda request: request.number)
    documents = {frame.loader_id for frame in task.state.frames.values()}
    value = {
        "recording_since": task.state.recording_since,
        "requests": [_shown(_settled(one, documents)) for one in found[-wanted.limit :]],
        "left_out": max(0, len(found) - wanted.limit),
        "forgotten": known.dropped if known is not None else 0,
    }
    return Done(value, "" if was_on else _RECORDING_NOTE)


async def _body(call: Call, request_id: str, max_chars: int) -> dict[str, Any]:
    """Return one response with up to ``max_chars`` of its text or, if it is binary, its size."""
    number = _number(request_id)
    known = call.state.network.get(call.tab.tab_id)
    requests = known.requests if known is not None else {}
    request = next((one for one in requests.values() if one.number == number), None)
    if request is None:
        raise InvalidArgument(
            f"Tab {call.tab.tab_id} has no request {request_id}, or no longer keeps it.",
            Hint("List the requests", Next("network"), "."),
            field="request_id",
        )
    if not request.ended and request.type != "eventsource":
        raise _no_body(request_id, "its response is not complete yet")
    if requests.get(request.request_id) is not request:
        raise _no_body(request_id, "it was redirected")
    if request.session_id not in call.state.sessions:
        raise _no_body(request_id, "its page navigated away or was closed")
    command = protocol.GetResponseBody(request_id=request.request_id)
    try:
        answer = await call.race.call(command, request.session_id)
    except CommandRefused as refused:
        raise _no_body(request_id, refused.error.message) from None
    return {**_shown(request), **_told(answer, request, max_chars)}


def _told(
    answer: protocol.GetResponseBodyResult, request: NetworkRequest, max_chars: int
) -> dict[str, Any]:
    text = answer.body
    if answer.base64_encoded:
        raw = base64.b64decode(answer.body)
        if not _TEXTUAL.search(request.mime_type):
            return {"binary": True, "bytes": len(raw)}
        text = raw.decode("utf-8", "replace")
    return {
        "binary": False,
        "chars": len(text),
        "truncated": len(text) > max_chars,
        "body": text[:max_chars],
    }


def _no_body(request_id: str, why: str) -> NotSupported:
    return NotSupported(
        f"The body of {request_id} is not available: {why}.",
        Hint(
            "Bodies are kept until the page is navigated away or closed, up to 4 MB each and 16 MB "
            "in total. Redirects and preflights have no body. Make the page send the request "
            "again, or fetch the URL",
            Next("evaluate", script="..."),
            ".",
        ),
        request_id=request_id,
    )


def _number(request_id: str) -> int:
    return int(request_id.removeprefix("r-"))


def _has_failed(request: NetworkRequest) -> bool:
    return bool(request.error) or (request.status or 0) >= 400


def _matches(url: str, wanted: str) -> bool:
    if "*" in wanted:
        return fnmatch.fnmatchcase(url, wanted.replace("[", "[[]").replace("?", "[?]"))
    return wanted in url


def _settled(request: NetworkRequest, documents: set[str]) -> NetworkRequest:
    """Mark a request as ended if its document is gone: the browser may never report its end."""
    is_over = (
        not request.ended
        and request.type not in ("document", "ping")
        and request.loader_id not in documents | {""}
    )
    return msgspec.structs.replace(request, ended=True, error=_LEFT) if is_over else request


def _shown(request: NetworkRequest) -> dict[str, Any]:
    shown: dict[str, Any] = {
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
        shown["from_cache"] = request.from_cache
    if request.error:
        shown["error"] = request.error
    if request.frame_id is not None:
        shown["frame_id"] = request.frame_id
    return shown
