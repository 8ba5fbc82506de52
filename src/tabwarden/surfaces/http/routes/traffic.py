"""Routes for pages' network requests."""

from __future__ import annotations

import asyncio
from typing import Any

from tabwarden.actions import ACTIONS, Performed
from tabwarden.control_api import camel_keys, outcome
from tabwarden.errors import InvalidArgument, NotSupported
from tabwarden.hints import Hint, Next
from tabwarden.surfaces.http.pipeline import TaskCall, action_route

TRAFFIC_POLL_S = 0.05
"""The pause between checks whether a response has arrived."""

_NETWORK = ACTIONS["browser_network"]
_MOST = 500
_FILE = ("filename", "content", "overwrite")
"""The parameters for a HAR file."""


def _requests(done: Performed) -> dict[str, Any]:
    return {**outcome(done), **camel_keys(done.result.value)}


async def _body(call: TaskCall, arguments: dict[str, Any]) -> Performed:
    """Return the body of the named request's response, or of the last response from a URL.

    If that URL has not sent a response yet, wait for its next response.
    """
    url: str | None = arguments.get("url")
    request_id: str | None = arguments.get("request_id")
    if (url is None) == (request_id is None):
        raise InvalidArgument("Send either `url` or `requestId`.", field="url")
    if url is None:
        return await call.run(_NETWORK, arguments)
    tab = {"tab_id": arguments.get("tab_id")}
    listed = {**tab, "url": url, "since": arguments.get("since"), "limit": _MOST}
    while True:
        done = await call.run(_NETWORK, listed)
        came = [
            request
            for request in done.result.value["requests"]
            if not request["pending"] and "error" not in request and _has_body(request)
        ]
        if came:
            wanted = {"request_id": came[-1]["id"], "max_chars": arguments.get("max_chars")}
            wanted = {k: v for k, v in wanted.items() if v is not None}
            return await call.run(_NETWORK, {**tab, **wanted})
        async with call.budget.waiting_for(f"a response from {url[:200]!r}"):
            await asyncio.sleep(TRAFFIC_POLL_S)


def _has_body(request: dict[str, Any]) -> bool:
    status = request["status"]
    redirected = status is not None and 300 <= status < 400
    return status is not None and not redirected and request["type"] != "preflight"


_HEADERS = {"request_headers": "requestHeaders", "response_headers": "responseHeaders"}


def _response(done: Performed) -> dict[str, Any]:
    value = done.result.value
    if "body_missing" in value:
        raise NotSupported(
            f"The body of {value['id']} is not available: {value['body_missing']}.",
            Hint(
                "Make the page send the request again, or fetch the URL",
                Next("evaluate", script="..."),
                ".",
            ),
            request_id=value["id"],
        )
    headers = {theirs: value[ours] for ours, theirs in _HEADERS.items() if ours in value}
    rest = {name: one for name, one in value.items() if name not in _HEADERS}
    return {**outcome(done), "response": {**camel_keys(rest), **headers}}


TRAFFIC = (
    action_route(
        "GET /requests",
        "browser_network",
        without=("request_id", "max_chars", *_FILE),
        aliases={"filter": "url"},
        ignores={"clear": "`clear` has no effect. To list only newer requests, pass `since`."},
        body=_requests,
        gives={"requests": {"type": "array", "items": {"type": "object"}}},
    ),
    action_route(
        "POST /requests/har",
        "browser_network",
        without=("request_id", "max_chars", "limit"),
        translate=lambda arguments: {"filename": "requests.har", **arguments},
        body=_requests,
        words="Write the matching recorded requests to a HAR file in the download folder.",
        gives={"path": {"type": "string"}, "requests": {"type": "integer"}},
    ),
    action_route(
        "POST /response/body",
        "browser_network",
        without=("type", "failed", "limit", *_FILE),
        body=_response,
        work=_body,
        words="Read the body of one request's response, or of the latest response from a URL. If "
        "the URL has not sent a response since recording began, wait for its next response. "
        "The first GET /requests starts the recording.",
        gives={
            "response": {
                "type": "object",
                "description": "The response, with `body`, `chars` and `truncated`.",
            }
        },
    ),
)
