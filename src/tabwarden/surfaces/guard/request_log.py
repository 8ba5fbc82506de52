"""The access log: one line for each request, and an id that joins it to the request's other lines.

A line has no query, token, body or header: they may be secret.
"""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bind_contextvars

from tabwarden.actions import full_name
from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.guard.principal import OPERATOR, is_admitted, principal_of
from tabwarden.surfaces.guard.probes import ALIVE, READY

log = logging.getLogger("tabwarden.access")

_HEADER = "x-request-id"
_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")
_IN_SCOPE = "tabwarden.request_id"
_LONGEST_PATH = 200
_FAILED = 500


class RequestLog:
    """Logs each request when it ends: method, path, task, status, milliseconds, and the name of
    the tenant's token, if it has shown one.

    The request's id is the client's ``X-Request-Id`` if that is short and plain, else a new one.
    The answer has it as ``X-Request-Id``, and so has each log line of the request. Probes are not
    logged, since they come every few seconds.

    Args:
        task_of: returns the name of a request's task, "" if it names none.
    """

    def __init__(self, app: ASGIApp, task_of: Callable[[Scope], str] | None = None) -> None:
        self._app = app
        self._task_of = task_of or named_task

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in (ALIVE, READY):
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(_HEADER, "")
        request_id = given if _SANE.fullmatch(given) else secrets.token_hex(8)
        scope[_IN_SCOPE] = request_id
        # Each request has a context of its own: Uvicorn runs it in a task of its own. So nothing
        # unbinds this, and what Uvicorn logs of the request has the id too.
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
        # As it was sent: quoted, so that no path can look like a line of ours.
        path = scope["raw_path"].decode("latin-1")[:_LONGEST_PATH]
        told = {"method": scope["method"], "path": path, "status": status, "ms": ms}
        caller = principal_of(scope) if is_admitted(scope) else OPERATOR
        if caller.tenant is not None:
            told["caller"] = caller.name
        with suppress(InvalidArgument):  # a name that no task can have is not logged
            if task := self._task_of(scope):
                told["task_id"] = full_name(caller.tenant, task)
        log.info("request", extra={**told, "request_id": scope[_IN_SCOPE]})


def named_task(scope: Scope) -> str:
    """Return what a request's query names as its task; "" if it names none."""
    query = parse_qs(scope["query_string"].decode("latin-1"))
    name: str = (query.get("task") or query.get("profile") or [""])[0]
    return name


def bind_request_id(scope: Scope) -> None:
    """Give the log lines of the running asyncio task the id of this request, which another task
    received."""
    if _IN_SCOPE in scope:
        bind_contextvars(request_id=scope[_IN_SCOPE])
