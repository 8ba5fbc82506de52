"""Limit the number of MCP sessions, and say in our words that there is no room for another."""

from __future__ import annotations

from mcp.server.auth.middleware.bearer_auth import AuthorizationContext
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabwarden.errors import Capacity
from tabwarden.surfaces.guard.access import Refuse
from tabwarden.surfaces.guard.crowding import places
from tabwarden.surfaces.mcp.timing import SESSION_RETRY_AFTER_S

_FULL = 503


class Sessions(StreamableHTTPSessionManager):
    """The SDK's sessions, some of which only the operator gets."""

    def _admit_session(
        self, requestor: AuthorizationContext | None
    ) -> StreamableHTTPServerTransport | None:
        most = places(self.max_sessions or 0, for_operator=requestor is None)
        return super()._admit_session(requestor) if len(self._server_instances) < most else None


class SessionLimit:
    """Replaces the SDK's refusal of a new session, which says neither why nor when to try again."""

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
                "The server has as many MCP sessions as it may have (server.max_mcp_sessions).",
                f"Try again in {SESSION_RETRY_AFTER_S:g} s, after another client has left.",
                retry_after_s=SESSION_RETRY_AFTER_S,
            )
            again = {"Retry-After": f"{SESSION_RETRY_AFTER_S:.0f}"}
            await self._refuse(full, status=_FULL, headers=again)(scope, receive, send)
