"""Routes on what pages ask of the network."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from tabwarden.actions import ACTIONS
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.http.answers import camel_keys, json_response, outcome
from tabwarden.surfaces.http.calls import Call, Done, run
from tabwarden.surfaces.http.served import Served
from tabwarden.surfaces.http.shapes import shape

__all__ = ["TRAFFIC"]

_NETWORK = ACTIONS["browser_network"]
_MOST = 500
_PAUSE_S = 0.05


def _requests(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**outcome(done), **camel_keys(done.result.value)})


async def _body(call: Call, arguments: dict[str, Any]) -> Done:
    """The body of a response: of the one that is named, or of the last from a URL; where none has
    come from there, of the next."""
    url: str | None = arguments.get("url")
    request_id: str | None = arguments.get("request_id")
    if (url is None) == (request_id is None):
        raise InvalidArgument("Give url or requestId: one of them.", field="url")
    if url is None:
        return await run(call, _NETWORK, arguments)
    tab = {"tab_id": arguments.get("tab_id")}
    listed = {**tab, "url": url, "since": arguments.get("since"), "limit": _MOST}
    while True:
        done = await run(call, _NETWORK, listed)
        came = [
            request
            for request in done.result.value["requests"]
            if not request["pending"] and "error" not in request and _has_body(request)
        ]
        if came:
            wanted = {"request_id": came[-1]["id"], "max_chars": arguments.get("max_chars")}
            return await run(
                call, _NETWORK, {**tab, **{k: v for k, v in wanted.items() if v is not None}}
            )
        async with call.budget.waiting_for(f"a response from {url[:200]!r}"):
            await asyncio.sleep(_PAUSE_S)


def _has_body(request: dict[str, Any]) -> bool:
    status = request["status"]
    redirected = status is not None and 300 <= status < 400
    return status is not None and not redirected and request["type"] != "preflight"


def _response(request: Request, done: Done) -> Response:
    _ = request
    return json_response({**outcome(done), "response": camel_keys(done.result.value)})


TRAFFIC = (
    Served(
        shape=shape(
            "GET /requests",
            "browser_network",
            without=("request_id", "max_chars"),
            aliases={"filter": "url"},
            ignores={"clear": "clear has no effect: since shows what came after a request."},
        ),
        answer=_requests,
        gives={"requests": {"type": "array", "items": {"type": "object"}}},
    ),
    Served(
        shape=shape(
            "POST /response/body",
            "browser_network",
            without=("type", "failed", "limit"),
        ),
        answer=_response,
        work=_body,
        words="Read the body of a response: of one request, or the last from a URL; where none has "
        "come from there since recording began (GET /requests begins it), the next.",
        gives={"response": {"type": "object", "description": "With body, chars and truncated."}},
    ),
)
