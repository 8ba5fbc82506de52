"""List a tab's requests for the agent, or return one request with all its details."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from tabwarden.errors import InvalidArgument
from tabwarden.hints import Hint, Next
from tabwarden.page.logs.one_request import one_request, shown
from tabwarden.page.task import Call, Done, LogCursor, Task
from tabwarden.page.text import fits_url
from tabwarden.supervisor.core.state.inputs import RecordNetwork
from tabwarden.supervisor.core.state.network_log import NetworkRequest, TabRequests
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab

TYPES = (
    "document", "stylesheet", "image", "media", "font", "script", "xhr", "fetch", "eventsource",
    "websocket", "manifest", "ping", "preflight", "prefetch", "texttrack", "other",
)  # fmt: skip
_RECORDING_NOTE = (
    "Recording starts now, so there are no requests yet. Perform an action on the page or reload "
    "the page, then call again."
)
_LEFT = "the page navigated away"
_ID = re.compile(r"^r-(\d{1,18})\Z")


class Filter(NamedTuple):
    url: str | None = None
    type: str | None = None
    failed: bool = False
    since: str | None = None
    limit: int = 50
    new: bool = False
    """Only requests that began or ended since the last call with ``new``."""


def checked_filter(resource_type: str | None, since: str | None, request_id: str | None) -> None:
    """Raise ``InvalidArgument`` if the type does not exist or an id has the wrong format."""
    if resource_type is not None and resource_type not in TYPES:
        raise InvalidArgument(
            f"type must be one of {', '.join(TYPES)}, not {resource_type!r}.", field="type"
        )
    for field, value in (("since", since), ("request_id", request_id)):
        if value is not None and not _ID.match(str(value)):
            raise InvalidArgument(
                f"{field} must be a request id, not {str(value)[:100]!r}.",
                "Ids look like r-12.",
                field=field,
            )


async def listed(
    call: Call,
    wanted: Filter,
    *,
    request_id: str | None = None,
    max_chars: int = 20_000,
    as_bytes: bool = False,
) -> Any:
    """Return a tab's last requests, or all details of one request."""
    if request_id is not None:
        return await one_request(call, _request(call, request_id), max_chars, as_bytes=as_bytes)
    return _log(call, wanted)


def _log(call: Call, wanted: Filter) -> Done:
    """List requests, oldest first. The first call starts the recording."""
    note = start(call.task)
    requests, forgotten = recorded(call, wanted)
    if wanted.new:
        call.memory.network_read = _read_now(call.state, call.tab)
    value = {
        "recording_since": call.state.recording_since,
        "requests": [shown(one) for one in requests[-wanted.limit :]],
        "left_out": max(0, len(requests) - wanted.limit),
        "forgotten": forgotten,
    }
    return Done(value, note)


def start(task: Task) -> str:
    """Start recording unless it has already started. Return a note if recording starts only now."""
    if task.state.recording:
        return ""
    task.supervisor.feed(RecordNetwork())
    return _RECORDING_NOTE


def recorded(call: Call, wanted: Filter) -> tuple[list[NetworkRequest], int]:
    """Return a tab's matching requests, oldest first, and the number of requests that are no longer
    stored."""
    requests = _requests(call.state, call.tab)
    read = call.memory.network_read if wanted.new else LogCursor()
    after = _number(wanted.since) if wanted.since is not None else 0
    matches = [
        request
        for request in requests
        if request.number > after
        and (request.number > read.number or (request.number in read.pending and request.ended))
        and wanted.type in (None, request.type)
        and (not wanted.failed or _has_failed(request))
        and (wanted.url is None or fits_url(wanted.url, request.url))
    ]
    began = sum(request.number > read.number for request in requests)
    return matches, _count(call.state, call.tab) - read.total - began


def _requests(state: SupervisorState, tab: Tab) -> list[NetworkRequest]:
    """Return a tab's stored requests, oldest first."""
    known = state.network.get(tab.tab_id, TabRequests())
    documents = {frame.loader_id for frame in state.frames.values()}
    requests = [_settled(one, documents) for one in known.requests.values()]
    return sorted(requests, key=lambda request: request.number)


def _count(state: SupervisorState, tab: Tab) -> int:
    """Return how many requests of a tab have been recorded."""
    known = state.network.get(tab.tab_id, TabRequests())
    return known.dropped + len(known.requests)


def _read_now(state: SupervisorState, tab: Tab) -> LogCursor:
    pending = frozenset(one.number for one in _requests(state, tab) if not one.ended)
    return LogCursor(state.next_request - 1, _count(state, tab), pending)


def _request(call: Call, request_id: str) -> NetworkRequest:
    number = _number(request_id)
    known = call.state.network.get(call.tab.tab_id)
    requests = known.requests.values() if known is not None else ()
    request = next((one for one in requests if one.number == number), None)
    if request is None:
        raise InvalidArgument(
            f"Tab {call.tab.tab_id} has no request {request_id}, or the request was discarded.",
            Hint("List the requests", Next("network"), "."),
            field="request_id",
        )
    return request


def _number(request_id: str) -> int:
    return int(request_id.removeprefix("r-"))


def _has_failed(request: NetworkRequest) -> bool:
    return bool(request.error) or (request.status or 0) >= 400


def _settled(request: NetworkRequest, documents: set[str]) -> NetworkRequest:
    """Mark a request as ended if its document no longer exists, because the browser may not report
    the end."""
    is_over = (
        not request.ended
        and request.type not in ("document", "ping")
        and request.loader_id not in documents | {""}
    )
    return msgspec.structs.replace(request, ended=True, error=_LEFT) if is_over else request
