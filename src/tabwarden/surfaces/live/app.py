"""The routes under ``/live``: the page, opening and creating links, and the socket. A program that
has no server serves these routes on a separate port (``OwnServer``).
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import ExitStack
from importlib.resources import files
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from tabwarden.config import PERMISSIONS, Permission
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.surfaces.guard.access import Access, is_own_origin
from tabwarden.surfaces.guard.listening import listening, url_of
from tabwarden.surfaces.guard.principal import (
    OPERATOR,
    Principal,
    is_admitted,
    principal_of,
    validity_of,
)
from tabwarden.surfaces.guard.serving import config_of
from tabwarden.surfaces.guard.tokens import Tokens
from tabwarden.surfaces.live.live import LOGIN_S, Live, always, scope_of
from tabwarden.surfaces.live.registry import registered
from tabwarden.surfaces.live.socket import cookie_name, speak

PATH = "/live"
_LONGEST_BODY = 4096


def live_routes(
    live: Live, allow: Callable[[], Collection[Permission]] = lambda: PERMISSIONS
) -> list[BaseRoute]:
    """Return the routes of a server's live view. The routes check the viewer's login. The server's
    middleware (``Access``) must check ``Host``, ``Origin`` and tokens.

    Args:
        live: the server's live view. allow: returns the permissions that the configuration grants
            to the server's tokens.
    """

    async def enter(request: Request) -> Response:
        """Exchange a link's token for a login. Only the live view's own page may do this."""
        if not is_own_origin(request.headers):
            return _no("This request does not come from the live view's own page.", 403)
        body = await _json(request)
        login = live.links.enter(str(body.get("token", "")))
        if login is None:
            return _no("This link no longer works. A link works once, for a few minutes.", 401)
        entered = JSONResponse({"key": login.key})
        entered.set_cookie(
            cookie_name(live),
            login.cookie,
            max_age=int(LOGIN_S),
            path=PATH,
            secure=request.headers.get("origin", "").lower().startswith("https:"),
            httponly=True,
            samesite="strict",
        )
        return entered

    async def links(request: Request) -> Response:
        """Create a link, for a program that has the server's token."""
        principal = _program(request)
        if principal is None:
            return _no("Send Authorization: Bearer <token>, with the server's token.", 401)
        if "live" not in principal.permissions:
            return _no(
                "This request needs the permission 'live', which the token does not have.", 403
            )
        scope = scope_of(await _json(request), principal)
        base = f"{request.url.scheme}://{request.headers['host']}"
        is_valid = validity_of(request.scope) if is_admitted(request.scope) else always
        return JSONResponse({"url": live.link(scope, base, is_valid)})

    async def socket(websocket: WebSocket) -> None:
        await speak(live, websocket, _program(websocket))

    def _program(connection: HTTPConnection) -> Principal | None:
        """Return the sender of a program's request; None if the request has no token."""
        if is_admitted(connection.scope):
            found = principal_of(connection.scope)
            may = found.permissions.intersection(allow())
            return msgspec.structs.replace(found, permissions=may)
        is_own = _is_bearer(connection.headers.get("authorization", ""), live.key)
        return OPERATOR if is_own else None

    async def to_page(request: Request) -> Response:
        return RedirectResponse(f"{PATH}/", headers={"referrer-policy": "no-referrer"})

    return [
        Route(PATH, to_page, methods=["GET"]),
        Route(f"{PATH}/", page, methods=["GET"]),
        Route(f"{PATH}/enter", _with_refusals(enter), methods=["POST"]),
        Route(f"{PATH}/links", _with_refusals(links), methods=["POST"]),
        WebSocketRoute(f"{PATH}/socket", socket),
        Route(f"{PATH}/{{file}}", page, methods=["GET"]),
    ]


def _is_bearer(header: str, key: str) -> bool:
    """Whether an ``Authorization`` header contains the key."""
    scheme, _, token = header.partition(" ")
    is_same = hmac.compare_digest(token.strip().encode(), key.encode())
    return is_same and scheme.lower() == "bearer"


def _with_refusals(
    answer: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """Wrap a handler. An ``InvalidArgument`` becomes a response with status 400."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except InvalidArgument as error:
            return _no(error.message, 400)

    return answered


async def _json(request: Request) -> dict[str, Any]:
    """Return the object in a request's body.

    Raises:
        InvalidArgument: the body is too long, or is not a JSON object.
    """
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_BODY:
            raise _not_an_object(f"it is longer than {_LONGEST_BODY} bytes")
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise _not_an_object("it is not valid JSON") from None
    if not isinstance(value, dict):
        raise _not_an_object("it is not a JSON object")
    return value


def _not_an_object(why: str) -> InvalidArgument:
    return InvalidArgument(
        f"The body can't be read: {why}.",
        "Send a JSON object. {} applies the defaults.",
        field="body",
    )


def _no(message: str, status: int) -> Response:
    return JSONResponse({"message": message}, status)


_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FILES = {
    file.name: file.read_bytes()
    for file in files("tabwarden.surfaces.live").joinpath("static").iterdir()
    if file.name.endswith(tuple(_TYPES))
}


def page_headers(host: str) -> dict[str, str]:
    """Return the page's headers. The headers allow only the page's own files, and forbid embedding
    the page.

    Args:
        host: the server's name and port, as the browser knows it.
    """
    rules = [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        f"connect-src 'self' ws://{host} wss://{host}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ]
    return {
        "content-security-policy": "; ".join(rules),
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=(), display-capture=()",
        "referrer-policy": "no-referrer",
        "x-frame-options": "DENY",
    }


async def page(request: Request) -> Response:
    """Serve one of the page's files. The files contain no data from tasks."""
    name = request.path_params.get("file") or "index.html"
    body = _FILES.get(name)
    if body is None:
        return Response("Not found.", 404, media_type="text/plain")
    kind = _TYPES[name[name.rindex(".") :]]
    headers = page_headers(request.headers["host"])
    return Response(body, headers={**headers, "content-type": kind})


log = logging.getLogger("tabwarden.live")

HOST = "127.0.0.1"


class OwnServer:
    """Serves a live view on a free port of this machine, in the running event loop."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self._stack = ExitStack()
        self._serving: asyncio.Task[None] | None = None
        self._server: _Quiet | None = None

    async def start(self) -> str:
        """Start the server, unless it is running. Return its URL."""
        if self._serving is None:
            listener = self._stack.enter_context(listening(HOST, 0))
            self.live.url = url_of(listener, HOST)
            tokens = Tokens(self.live.key)
            app = Starlette(
                routes=live_routes(self.live),
                middleware=[
                    Middleware(
                        Access, tokens=tokens, host=HOST, refuse=_refusal, open_paths=(PATH,)
                    )
                ],
            )
            self._server = _Quiet(config_of(app, lifespan="off"))
            self._serving = asyncio.ensure_future(self._server.serve(sockets=[listener]))
            self._serving.add_done_callback(_tell_failure)
            self._stack.enter_context(registered(self.live.server()))
        return self.live.url

    async def stop(self) -> None:
        """Stop serving, and disconnect all viewers."""
        if self._server is not None and self._serving is not None:
            self._server.should_exit = True
            await asyncio.wait([self._serving])
        self._stack.close()
        self.live.close()


def _tell_failure(serving: asyncio.Task[None]) -> None:
    if not serving.cancelled() and (error := serving.exception()) is not None:
        log.error("The live view can't be served: %r", error)


class _Quiet(uvicorn.Server):
    """A server that does not handle signals."""

    def capture_signals(self) -> ExitStack:  # type: ignore[override]
        return ExitStack()


def _refusal(
    error: TabwardenError, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> ASGIApp:
    return JSONResponse(error.to_dict(), status or 403, headers)
