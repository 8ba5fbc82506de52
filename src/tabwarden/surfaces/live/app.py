"""The routes under ``/live``: the page, entering by a link, links for people, and the socket."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from tabwarden.surfaces.guard.access import is_own_origin
from tabwarden.surfaces.live.links import Scope
from tabwarden.surfaces.live.live import Live
from tabwarden.surfaces.live.page import page
from tabwarden.surfaces.live.socket import cookie_name, speak
from tabwarden.surfaces.live.timing import LOGIN_S

PATH = "/live"
_LONGEST_BODY = 4096


def live_routes(live: Live, tokens: Iterable[str] = ()) -> list[BaseRoute]:
    """Return the routes of a server's live view. They check who asks; the server's own middleware
    must check ``Host`` and ``Origin``.

    Args:
        live: what the view shows.
        tokens: the server's tokens, whose owners may create links.
    """
    known = [live.key, *tokens]

    async def enter(request: Request) -> Response:
        """Turn a link's token into a login. Only our own page may do this."""
        if not _is_own_page(request):
            return _no("This request does not come from the live view's own page.", 403)
        given = await _json(request)
        login = live.links.enter(str(given.get("token", "")))
        if login is None:
            return _no("This link does not work any more. Links work once, for a short time.", 401)
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
        if not is_bearer(request.headers.get("authorization", ""), known):
            return _no("Send Authorization: Bearer <token>, with the server's token.", 401)
        given = await _json(request)
        scope = scope_of(given)
        base = f"{request.url.scheme}://{request.headers['host']}"
        return JSONResponse({"url": live.link(scope, base)})

    async def socket(websocket: WebSocket) -> None:
        is_program = is_bearer(websocket.headers.get("authorization", ""), known)
        await speak(live, websocket, is_program=is_program)

    async def to_page(request: Request) -> Response:
        return RedirectResponse(f"{PATH}/", headers={"referrer-policy": "no-referrer"})

    return [
        Route(PATH, to_page, methods=["GET"]),
        Route(f"{PATH}/", page, methods=["GET"]),
        Route(f"{PATH}/enter", enter, methods=["POST"]),
        Route(f"{PATH}/links", links, methods=["POST"]),
        WebSocketRoute(f"{PATH}/socket", socket),
        Route(f"{PATH}/{{file}}", page, methods=["GET"]),
    ]


def scope_of(given: dict[str, Any]) -> Scope:
    """Return the scope that a request for a link asks for."""
    task, name = given.get("task"), str(given.get("name") or "")[:80]
    scope = Scope(task=None if task is None else str(task), read_only=bool(given.get("read_only")))
    return scope if not name else Scope(task=scope.task, read_only=scope.read_only, name=name)


def is_bearer(shown: str, tokens: Iterable[str]) -> bool:
    """Whether an ``Authorization`` header has one of the tokens."""
    scheme, _, token = shown.partition(" ")
    same = [hmac.compare_digest(token.strip().encode(), one.encode()) for one in tokens]
    return any(same) and scheme.lower() == "bearer"


def _is_own_page(request: Request) -> bool:
    """Whether a request comes from a page of this server. Browsers always name the page's origin
    in a request that is not a GET."""
    return is_own_origin(request.headers)


async def _json(request: Request) -> dict[str, Any]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LONGEST_BODY:
            return {}
    try:
        given = json.loads(body or b"{}")
    except ValueError:
        return {}
    return given if isinstance(given, dict) else {}


def _no(message: str, status: int) -> Response:
    return JSONResponse({"message": message}, status)
