"""MCP over streamable HTTP: many clients at once, each with its own task and browser.

A request's URL may name its task (``/mcp?task=NAME``). Otherwise the request's MCP session decides.
Since protocol version 2026-07-28, a request may have no session; its URL must then name the task.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from typing import Any, cast

import mcp_types as types
from mcp import MCPError
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, AuthorizationContext
from mcp.server.auth.provider import AccessToken
from mcp.server.context import CallNext, HandlerResult
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabwarden.actions import Limits, Toolset, full_name
from tabwarden.config import ServerConfig
from tabwarden.errors import Capacity, InvalidArgument, TabwardenError
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.guard.access import Access, Refuse
from tabwarden.surfaces.guard.listening import greeting, listening, token_of, url_of
from tabwarden.surfaces.guard.middleware import (
    Crowding,
    Probes,
    RequestLog,
    bind_request_id,
    named_task,
    places,
)
from tabwarden.surfaces.guard.principal import Principal, principal_of, validity_of
from tabwarden.surfaces.guard.serving import run
from tabwarden.surfaces.guard.token_file import tokens_file
from tabwarden.surfaces.guard.tokens import Tokens
from tabwarden.surfaces.live.app import PATH as LIVE_PATH
from tabwarden.surfaces.live.app import live_routes
from tabwarden.surfaces.live.registry import registered
from tabwarden.surfaces.mcp.calls import Structured
from tabwarden.surfaces.mcp.clients import Clients
from tabwarden.surfaces.mcp.elicitation import Context
from tabwarden.surfaces.mcp.server import Caller, make_server

DEFAULT_PORT = 8415
PATH = "/mcp"
_CONNECTIONS = 3
"""How many additional requests each session may have, such as a long-lived stream."""
_SESSION_HEADER = "mcp-session-id"
_BAD_REQUEST = 400


def serve_http(
    config: LiveConfig,
    toolset: Toolset,
    tell: Callable[[str], None],
    *,
    port: int = DEFAULT_PORT,
    structured: Structured = "none",
) -> None:
    """Serve MCP clients until SIGTERM or SIGINT, then close every browser.

    Args:
        config: the configuration. The host, the token and ``max_mcp_sessions`` never change
            while the server runs.
        tell: called once with the server's URL and the location of its token.
        port: the port; 0 for any free port.
        structured: how much structured content the answers have.

    Raises:
        InvalidArgument: the server can't listen on this host and port, or can't store its token.
    """
    server = config.now.server
    tokens = Tokens(token_of(server.token), tokens_file(server.tokens_file))
    clients = Clients(
        toolset, config, limits=lambda: Limits.of(config.now.server), structured=structured
    )
    with listening(server.host, port) as listener:
        words = greeting(listener, url_of(listener, server.host) + PATH, server.token)
        view = clients.view
        view.url = url_of(listener, server.host)
        view.title = f"port {listener.getsockname()[1]}"
        with registered(view.server()):
            run(
                make_app(clients, server, tokens=tokens),
                listener,
                on_start=lambda: tell(words),
                on_stop=clients.stopping,
                drain=clients.drain,
            )


def make_app(clients: Clients, config: ServerConfig, *, tokens: Tokens) -> ASGIApp:
    """Create the application. It closes the clients' browsers when it ends."""
    server = make_server(clients, _client_of, _connection_of, _caller_of)
    server.middleware.append(_with_a_task)
    manager = Sessions(
        server,
        session_idle_timeout=config.idle_minutes * 60 or None,
        max_sessions=config.max_mcp_sessions,
    )

    def at_most() -> int:
        return clients.server_config.max_requests + _CONNECTIONS * config.max_mcp_sessions

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with clients.served(), manager.run():
            yield

    app = Starlette(
        routes=[
            Route(PATH, _Endpoint(manager, clients)),
            *live_routes(clients.view, lambda: clients.allow),
        ],
        lifespan=lifespan,
        middleware=[
            Middleware(Probes, not_ready=clients.not_ready),
            Middleware(
                Access,
                tokens=tokens,
                host=config.host,
                refuse=_refusal,
                open_paths=(LIVE_PATH,),
                hosts=lambda: clients.server_config.allowed_hosts,
            ),
            Middleware(Crowding, at_most=at_most, refuse=_refusal),
            Middleware(SessionLimit, refuse=_refusal),
        ],
        exception_handlers={404: _no_route},
    )
    app.router.redirect_slashes = False
    return RequestLog(app, _task_in_log)


class _Endpoint:
    """Lets the SDK serve requests, and tracks which clients are busy or have disconnected."""

    def __init__(self, manager: Sessions, clients: Clients) -> None:
        self._manager = manager
        self._clients = clients

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        session = request.headers.get(_SESSION_HEADER)
        task = request.query_params.get("task")
        principal = principal_of(scope)
        name = _full_name(principal, task or session)
        if principal.tenant is not None:
            # A session is unknown to other tenants, because the SDK compares these names.
            token = AccessToken(token="", client_id=principal.tenant, scopes=[])
            scope = {**scope, "user": AuthenticatedUser(token)}
        # The SDK stores no events for replay, and does not answer requests for them.
        headers = [one for one in scope["headers"] if one[0] != b"last-event-id"]
        scope = {**scope, "headers": headers}
        status = 0
        is_open = False

        async def watched(message: Message) -> None:
            nonlocal status, is_open
            status = message.get("status", status)
            is_open = message["type"] == "http.response.start" or message.get("more_body", False)
            await send(message)

        with self._clients.busy(name) if name else nullcontext():
            await self._manager.handle_request(scope, receive, watched)
        if is_open:  # the stream ended because the server is stopping
            await send({"type": "http.response.body"})
        if request.method == "DELETE" and session and status < _BAD_REQUEST:
            await self._left(session, name, has_task=task is not None)

    async def _left(self, session: str, name: str | None, *, has_task: bool) -> None:
        if name is None:
            return
        if has_task:  # others may use this task too, so keep it until it is idle for too long
            self._clients.disconnected(name, session)
        else:
            await self._clients.left(name)


def _full_name(principal: Principal, name: str | None) -> str | None:
    """Return the server's name for a request's task; None if the request has no valid task name."""
    try:
        return full_name(principal.tenant, name) if name else None
    except InvalidArgument:
        return None  # the request's handler reports the error


def _task_in_log(scope: Scope) -> str:
    return named_task(scope) or Headers(scope=scope).get(_SESSION_HEADER, "")


def _client_of(context: Context) -> str:
    name = _task_of(context) or _connection_of(context)
    return full_name(_caller_of(context).principal.tenant, name)


def _caller_of(context: Context) -> Caller:
    scope = _request_of(context).scope
    principal = principal_of(scope)
    return Caller(principal, None if principal.is_operator else validity_of(scope))


def _connection_of(context: Context) -> str:
    return _request_of(context).headers.get(_SESSION_HEADER, "")


def _task_of(context: Context) -> str | None:
    return _request_of(context).query_params.get("task")


def _request_of(context: Context) -> Request:
    # The SDK's HTTP transport sets this field.
    return cast("Request", context.request)


async def _with_a_task(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Reject a request that has neither a session nor a valid task name."""
    bind_request_id(_request_of(ctx).scope)  # a session's task serves all of its requests
    task = _task_of(ctx)
    if task is not None:
        try:
            full_name(_caller_of(ctx).principal.tenant, task)
        except InvalidArgument as error:
            raise MCPError(types.INVALID_PARAMS, str(error), error.to_dict()) from None
    elif ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        wanted = types.UnsupportedProtocolVersionErrorData(
            supported=list(HANDSHAKE_PROTOCOL_VERSIONS), requested=ctx.protocol_version
        )
        raise MCPError(
            types.UNSUPPORTED_PROTOCOL_VERSION,
            "This request has neither a session nor a task, so it has no browser. Send initialize "
            f"first, or put a task's name into the URL ({PATH}?task=NAME).",
            wanted.model_dump(mode="json"),
        )
    return await call_next(ctx)


def _refusal(
    error: TabwardenError, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a JSON-RPC error without an id, because the error belongs to no MCP request."""
    error_body: dict[str, Any] = {
        "code": types.INVALID_REQUEST,
        "message": f"{error.message} {error.hint}".strip(),
        "data": error.to_dict(),
    }
    body = {"jsonrpc": "2.0", "id": None, "error": error_body}
    return JSONResponse(body, status or 403, headers)


async def _no_route(request: Request, _: Exception) -> Response:
    error = InvalidArgument(
        f"There is no route {request.url.path[:200]}.", f"The MCP endpoint is {PATH}.", field="path"
    )
    return _refusal(error, status=404)


SESSION_RETRY_AFTER_S = 5.0
"""How long a client should wait before it requests an MCP session again. Sessions last for
minutes.
"""

_FULL = 503


class Sessions(StreamableHTTPSessionManager):
    """The SDK's sessions, some of which are reserved for the operator."""

    def _admit_session(
        self, requestor: AuthorizationContext | None
    ) -> StreamableHTTPServerTransport | None:
        most = places(self.max_sessions or 0, for_operator=requestor is None)
        return super()._admit_session(requestor) if len(self._server_instances) < most else None


class SessionLimit:
    """Replaces the SDK's refusal of a new session, which does not say why, or when to retry."""

    def __init__(self, app: ASGIApp, refuse: Refuse) -> None:
        self._app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or "mcp-session-id" in Headers(scope=scope):
            await self._app(scope, receive, send)
            return
        is_full = False

        async def watched(message: Message) -> None:
            nonlocal is_full
            is_full = is_full or message.get("status") == _FULL
            if not is_full:
                await send(message)

        await self._app(scope, receive, watched)
        if is_full:
            full = Capacity(
                "The server has reached its limit of MCP sessions (server.max_mcp_sessions).",
                f"Retry in {SESSION_RETRY_AFTER_S:g} s, or after another client has disconnected.",
                retry_after_s=SESSION_RETRY_AFTER_S,
            )
            again = {"Retry-After": f"{SESSION_RETRY_AFTER_S:.0f}"}
            await self._refuse(full, status=_FULL, headers=again)(scope, receive, send)
