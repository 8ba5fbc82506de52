"""Say in our words that the server has no room for another MCP session."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tabwarden.errors import Capacity
from tabwarden.surfaces.guard.access import Refuse
from tabwarden.surfaces.mcp.timing import SESSION_RETRY_AFTER_S

_FULL = 503


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
