"""Middleware for the probes, the limit of concurrent requests, and the access log."""

from __future__ import annotations

import logging
import math
import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from tabwarden.actions import full_name
from tabwarden.errors import Capacity, InvalidArgument
from tabwarden.surfaces.guard.access import Refuse
from tabwarden.surfaces.guard.principal import OPERATOR, is_admitted, principal_of

ALIVE = "/healthz"
READY = "/readyz"


class Probes:
    """Responds to ``/healthz`` and ``/readyz``, and passes on all other requests. and accept any
    ``Host``, because Kubernetes sends the pod's address. So they report nothing else.

    ``/healthz`` answers 200. ``/readyz`` answers 503 with ``Retry-After`` and a reason while the
    server accepts no new tasks.

    Args:
        not_ready: returns why the server accepts no new tasks now (``data["reason"]``); None if it
            accepts them.
    """

    def __init__(self, app: ASGIApp, not_ready: Callable[[], Capacity | None]) -> None:
        self._app = app
        self._not_ready = not_ready

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            if scope["path"] == ALIVE:
                await _probe_response({"ok": True})(scope, receive, send)
                return
            if scope["path"] == READY:
                await self._ready()(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _ready(self) -> Response:
        full = self._not_ready()
        if full is None:
            return _probe_response({"ok": True})
        again = {"Retry-After": str(math.ceil(full.retry_after_s))}
        return _probe_response({"ok": False, "reason": full.data["reason"]}, 503, again)


def _probe_response(
    body: dict[str, object], status: int = 200, more: dict[str, str] | None = None
) -> Response:
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", **(more or {})}
    return JSONResponse(body, status, headers)


RETRY_AFTER_S = 1
"""How long a client should wait while the limit of requests is reached. Most requests finish
soon.
"""

_FOR_OPERATOR = 8
"""One of this many places is reserved for the operator, so that tenants can't lock the operator
out.
"""


def places(most: int, *, for_operator: bool) -> int:
    """Return how many of ``most`` places a caller may use. The rest is reserved for the
    operator.
    """
    return most if for_operator else most - most // _FOR_OPERATOR


class Crowding:
    """Rejects requests with 503 and Retry-After while ``at_most()`` requests with a token are
    running. ``Connection`` limits requests without a token.
    """

    def __init__(self, app: ASGIApp, at_most: Callable[[], int], refuse: Refuse) -> None:
        self._app = app
        self._at_most = at_most
        self._refuse = refuse
        self._now = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_admitted(scope):
            await self._app(scope, receive, send)
        elif self._now >= places(self._at_most(), for_operator=principal_of(scope).is_operator):
            await self._full()(scope, receive, send)
        else:
            self._now += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._now -= 1

    def _full(self) -> ASGIApp:
        full = Capacity(
            f"The server is handling {self._now} requests, which is the limit "
            "(server.max_requests).",
            f"Retry in {RETRY_AFTER_S} s, or after another request has finished.",
            retry_after_s=RETRY_AFTER_S,
        )
        return self._refuse(full, status=503, headers={"Retry-After": str(RETRY_AFTER_S)})


log = logging.getLogger("tabwarden.access")

_HEADER = "x-request-id"
_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")
_IN_SCOPE = "tabwarden.request_id"
_LONGEST_PATH = 200
_FAILED = 500


class RequestLog:
    """Logs each request when it finishes: method, path, task, status, milliseconds, and the name of
    the tenant's token, if any. Queries, tokens, bodies and headers are not logged, because they may
    be secret. The request's id is the client's ``X-Request-Id`` if that is short and plain;
    otherwise it is a new ID. The response's ``X-Request-Id`` and each log line of the request
    contain the id. Probes are not logged, because they arrive every few seconds.

    Args:
        task_of: returns the name of a request's task; "" if the request has no task.
    """

    def __init__(self, app: ASGIApp, task_of: Callable[[Scope], str] | None = None) -> None:
        self._app = app
        self._task_of = task_of or named_task

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in (ALIVE, READY):
            await self._app(scope, receive, send)
            return
        client_id = Headers(scope=scope).get(_HEADER, "")
        request_id = client_id if _SANE.fullmatch(client_id) else secrets.token_hex(8)
        scope[_IN_SCOPE] = request_id
        # Uvicorn runs each request in its own task and context, so the ID need not be unbound, and
        # Uvicorn's log lines contain the ID too.
        bind_contextvars(request_id=request_id)
        began, status = time.perf_counter(), _FAILED

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[_HEADER] = request_id
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            self._tell(scope, status, round((time.perf_counter() - began) * 1000, 1))

    def _tell(self, scope: Scope, status: int, ms: float) -> None:
        if not log.isEnabledFor(logging.INFO):
            return
        # Log the path as it was sent, percent-encoded, so that no path can look like a log line.
        path = scope["raw_path"].decode("latin-1")[:_LONGEST_PATH]
        fields = {"method": scope["method"], "path": path, "status": status, "ms": ms}
        caller = principal_of(scope) if is_admitted(scope) else OPERATOR
        if caller.tenant is not None:
            fields["caller"] = caller.name
        with suppress(InvalidArgument):  # an invalid task name is not logged
            if task := self._task_of(scope):
                fields["task_id"] = full_name(caller.tenant, task)
        log.info("request", extra={**fields, "request_id": scope[_IN_SCOPE]})


def named_task(scope: Scope) -> str:
    """Return the task's name in a request's query; "" if there is none."""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    name: str = (query.get("task") or query.get("profile") or [""])[0]
    return name


def bind_request_id(scope: Scope) -> None:
    """Add the ID of this request to the log lines of this asyncio task, because another asyncio
    task received the request.
    """
    if _IN_SCOPE in scope:
        bind_contextvars(request_id=scope[_IN_SCOPE])
