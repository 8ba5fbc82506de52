"""The ASGI application: routes, who may come in, and errors as bodies."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tabwarden.actions import TaskLimit
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.surfaces.guard.access import Access
from tabwarden.surfaces.http.act import act
from tabwarden.surfaces.http.bodies import BodyTooLarge, NotJson
from tabwarden.surfaces.http.checkup import CHECKUP
from tabwarden.surfaces.http.crowding import Crowding
from tabwarden.surfaces.http.feed import TooManyStreams
from tabwarden.surfaces.http.openapi import openapi
from tabwarden.surfaces.http.refusals import ActRefused, refusal
from tabwarden.surfaces.http.routes import SERVED
from tabwarden.surfaces.http.served import route_of
from tabwarden.surfaces.http.service import Service
from tabwarden.surfaces.http.status import PLAIN, plain_route
from tabwarden.surfaces.http.targets import NoSuchTab

__all__ = ["make_app"]

_ROUTES = [
    *map(plain_route, (*PLAIN, CHECKUP)),
    *map(route_of, SERVED),
    Route("/act", act, methods=["POST"]),
    Route("/openapi.json", openapi, methods=["GET"]),
]
_STATUS_OF_KIND = {
    NoSuchTab: 404,
    BodyTooLarge: 413,
    NotJson: 415,
    TaskLimit: 429,
    TooManyStreams: 429,
}


def make_app(service: Service, *, token: str, host: str, max_requests: int) -> Starlette:
    """The application.

    Args:
        service: what requests act on; it is closed when the application ends.
        token: what clients must show.
        host: what the server was told to listen on.
        max_requests: that are served at once.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        _ = app
        async with service.served():
            yield

    app = Starlette(
        routes=_ROUTES,
        lifespan=lifespan,
        middleware=[
            Middleware(Access, token=token, host=host, refuse=refusal),
            Middleware(Crowding, at_most=max_requests),
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
    return app


async def _told(request: Request, error: Exception) -> Response:
    _ = request
    assert isinstance(error, TabwardenError | ActRefused)
    return refusal(error, status=_STATUS_OF_KIND.get(type(error)))


async def _unforeseen(request: Request, error: Exception) -> Response:
    _ = request  # the server logs it, with where it happened
    return refusal(
        TabwardenError(
            f"The server met {type(error).__name__}, which it should not have.",
            "Its log (stderr) says where; the task's browser is as it was.",
        )
    )


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = sorted({f"{min(route.methods or ['?'])} {route.path}" for route in _ROUTES})
    told = InvalidArgument(
        f"There is no {request.method} {request.url.path[:200]}.",
        f"There is: {', '.join(known)}.",
        field="path",
    )
    return refusal(told, status=error.status_code, headers=error.headers)
