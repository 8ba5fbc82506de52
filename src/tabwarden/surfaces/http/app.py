"""Run the server, which listens, reports its URL, and closes all browsers when it stops.

The application has the routes, access control, and error responses.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from tabwarden.actions import Limits, Session, Tasks, TenantConfig, session_of, tenant_of
from tabwarden.control_api import NoSuchTab
from tabwarden.errors import InvalidArgument, TabwardenError
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.guard.access import Access
from tabwarden.surfaces.guard.listening import greeting, listening, token_of, url_of
from tabwarden.surfaces.guard.middleware import Crowding, Probes, RequestLog
from tabwarden.surfaces.guard.serving import Drain, run
from tabwarden.surfaces.guard.token_file import tokens_file
from tabwarden.surfaces.guard.tokens import Tokens
from tabwarden.surfaces.http.errors import ActRefused, refusal
from tabwarden.surfaces.http.files import FileTooLarge, NoSuchFile
from tabwarden.surfaces.http.openapi import openapi
from tabwarden.surfaces.http.pipeline import BodyTooLarge, NotJson, route_of
from tabwarden.surfaces.http.plain_routes import status_route
from tabwarden.surfaces.http.routes import SERVED, STATUS_ROUTES
from tabwarden.surfaces.http.routes.act import act
from tabwarden.surfaces.http.routes.profiles import NoSuchProfile, ProfileExists, TooManyProfiles
from tabwarden.surfaces.http.screencast import PATH as SCREENCAST
from tabwarden.surfaces.http.screencast import show
from tabwarden.surfaces.http.service import Service
from tabwarden.surfaces.live.app import PATH, live_routes
from tabwarden.surfaces.live.registry import registered

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
    """Create the application, which closes ``service`` when it stops."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
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
                Crowding, at_most=lambda: service.live.now.server.max_requests, refuse=refusal
            ),
        ],
        exception_handlers={
            TabwardenError: _error_response,
            ActRefused: _error_response,
            HTTPException: _no_route,
            Exception: _unforeseen,
        },
    )
    app.router.redirect_slashes = False
    app.state.service = service
    # wrap the whole application, because Starlette responds to its own failures outside of the
    # middleware
    return RequestLog(app)


async def _error_response(_: Request, error: Exception) -> Response:
    assert isinstance(error, TabwardenError | ActRefused)
    return refusal(error, status=_STATUS_OF_KIND.get(type(error)))


async def _unforeseen(_: Request, error: Exception) -> Response:
    # The server logs the error with its traceback.
    return refusal(
        TabwardenError(
            f"The server failed with an unexpected {type(error).__name__}.",
            "For details, see the server's log (stderr). The task's browser is unchanged.",
        )
    )


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    known = sorted({f"{min(route.methods or ['?'])} {route.path}" for route in ROUTES})
    no_route = InvalidArgument(
        f"There is no route {request.method} {request.url.path[:200]}.",
        f"Routes: {', '.join(known)}.",
        field="path",
    )
    return refusal(no_route, status=error.status_code, headers=error.headers)


def serve(live: LiveConfig, tell: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT, then close every browser.

    Args:
        live: the configuration. The host, the port and the token never change while the server
            runs. Each request uses the current permissions and limits.
        tell: called once with the server's URL and the location of its token.

    Raises:
        InvalidArgument: the server can't listen on this host and port, or can't store its token.
    """
    server = live.now.server
    tokens = Tokens(token_of(server.token), tokens_file(server.tokens_file))

    def new_session(name: str) -> Session:
        source = TenantConfig(live, tenant_of(name))
        return session_of(source, own_context=True, task_id=name)

    with listening(server.host, server.port) as listener:
        words = greeting(listener, url_of(listener, server.host), server.token)
        tasks = Tasks(new_session, lambda: Limits.of(live.now.server))
        service = Service(live, tasks)
        view = service.view
        view.url = url_of(listener, server.host)
        view.title = f"port {listener.getsockname()[1]}"
        with registered(view.server()):
            run(
                make_app(service, tokens=tokens, host=server.host),
                listener,
                on_start=lambda: tell(words),
                on_stop=lambda: service.let_go("the server stops"),
                drain=Drain(lambda: live.now.server.drain_s, tasks.refuse_calls, tasks.has_calls),
            )
