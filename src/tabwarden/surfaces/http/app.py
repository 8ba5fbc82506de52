"""The ASGI application: routes, access control, and error responses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from tabwarden.control_api import NoSuchTab
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.surfaces.guard.access import Access
from tabwarden.surfaces.guard.crowding import Crowding
from tabwarden.surfaces.guard.probes import Probes
from tabwarden.surfaces.guard.request_log import RequestLog
from tabwarden.surfaces.guard.tokens import Tokens
from tabwarden.surfaces.http.errors import ActRefused, refusal
from tabwarden.surfaces.http.files import FileTooLarge, NoSuchFile
from tabwarden.surfaces.http.openapi import openapi
from tabwarden.surfaces.http.pipeline import BodyTooLarge, NotJson, route_of
from tabwarden.surfaces.http.routes import SERVED, STATUS_ROUTES
from tabwarden.surfaces.http.routes.act import act
from tabwarden.surfaces.http.routes.profiles import NoSuchProfile, ProfileExists, TooManyProfiles
from tabwarden.surfaces.http.routes.status import status_route
from tabwarden.surfaces.http.screencast import PATH as SCREENCAST
from tabwarden.surfaces.http.screencast import show
from tabwarden.surfaces.http.service import Service
from tabwarden.surfaces.live.app import PATH, live_routes

ROUTES = [
    *map(status_route, STATUS_ROUTES),
    *map(route_of, SERVED),
    Route("/act", act, methods=["POST"]),
    Route("/openapi.json", openapi, methods=["GET"]),
]
_STATUS_OF_KIND = {
    NoSuchTab: 404,
    NoSuchFile: 404,
    NoSuchProfile: 404,
    ProfileExists: 409,
    TooManyProfiles: 409,
    BodyTooLarge: 413,
    FileTooLarge: 413,
    NotJson: 415,
}


def make_app(service: Service, *, tokens: Tokens, host: str) -> ASGIApp:
    """Create the application. It closes ``service`` when it ends."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        _ = app
        async with service.served():
            yield

    async def screencast(websocket: WebSocket) -> None:
        await show(websocket, service.tickets)

    app = Starlette(
        routes=[
            *ROUTES,
            WebSocketRoute(SCREENCAST, screencast),
            *live_routes(service.view, lambda: service.live.browser.allow),
        ],
        lifespan=lifespan,
        middleware=[
            Middleware(Probes, not_ready=service.not_ready),
            Middleware(
                Access,
                tokens=tokens,
                host=host,
                refuse=refusal,
                open_paths=(PATH, SCREENCAST),
                hosts=lambda: service.live.now.server.allowed_hosts,
            ),
            Middleware(
                Crowding,
                at_most=lambda: service.live.now.server.max_requests,
                refuse=refusal,
            ),
        ],
        exception_handlers={
            TabwardenError: _told,
            ActRefused: _told,
            HTTPException: _no_route,
            Exception: _unforeseen,
        },
    )
    app.router.redirect_slashes = False
    app.state.service = service
    return RequestLog(app)  # around all: Starlette answers its own failures outside of middleware


async def _told(request: Request, error: Exception) -> Response:
    _ = request
    assert isinstance(error, TabwardenError | ActRefused)
    return refusal(error, status=_STATUS_OF_KIND.get(type(error)))


async def _unforeseen(request: Request, error: Exception) -> Response:
    _ = request  # the server logs the error with its traceback
    return refusal(
        TabwardenError(
            f"The server failed with an unexpected {type(error).__name__}.",
            "The server's log (stderr) has the details. The task's browser is unchanged.",
        )
    )


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = sorted({f"{min(route.methods or ['?'])} {route.path}" for route in ROUTES})
    told = InvalidArgument(
        f"There is no route {request.method} {request.url.path[:200]}.",
        f"Routes: {', '.join(known)}.",
        field="path",
    )
    return refusal(told, status=error.status_code, headers=error.headers)
