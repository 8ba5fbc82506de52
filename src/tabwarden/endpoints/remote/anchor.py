"""Anchor Browser (docs.anchorbrowser.io/api-reference)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.remote.api import Nothing, ProviderApi
from tabwarden.endpoints.remote.base import RemoteEndpoint, RemoteSession, with_query
from tabwarden.endpoints.remote.options import MINUTES, Option

_CONNECT_URL = "wss://connect.anchorbrowser.io"
# The documentation doesn't list the states, so any unknown state is taken to mean "running".
_ENDED = {"ended", "stopped", "terminated", "completed", "closed", "deleted", "failed", "error"}


class _Session(msgspec.Struct):
    id: str
    cdp_url: str
    live_view_url: str | None = None


class _Created(msgspec.Struct):
    data: _Session


class _Status(msgspec.Struct):
    status: str | None = None


class _Found(msgspec.Struct):
    data: _Status


class AnchorEndpoint(RemoteEndpoint):
    """``anchor:``. The API can look up a session, but doesn't return the URL for connecting to the
    session.
    """

    scheme = "anchor"
    provider = "Anchor"
    key_variables = ("ANCHOR_API_KEY", "ANCHORBROWSER_API_KEY")
    base_url = "https://api.anchorbrowser.io"
    base_url_variable = "ANCHOR_BASE_URL"
    options: ClassVar[Mapping[str, Option]] = {
        "timeout_s": Option(
            "session.timeout.max_duration", "duration",
            "how long the session may last, rounded up to minutes", MINUTES,
        ),
        "idle_timeout_s": Option(
            "session.timeout.idle_timeout", "duration",
            "how long the session waits for a connection, rounded up to minutes (default: 300)",
            MINUTES,
        ),
        "headless": Option("browser.headless.active", "flag", "run without a window"),
        "profile": Option("browser.profile.name", "text", "cookies saved by an earlier session"),
    }  # fmt: skip
    capabilities = Capabilities(
        survives_reconnect="for `idle_timeout_s` seconds, at the same connect URL",
        guard_session=False,
        live_view=True,
        downloads="kept by the provider",
    )

    def headers(self, key: str) -> dict[str, str]:
        return {"anchor-api-key": key}

    async def create(self, api: ProviderApi, request: Mapping[str, Any]) -> RemoteSession:
        made = (await api.ask("POST", "/v1/sessions", _Created, body=request)).data
        return RemoteSession(made.id, made.cdp_url, made.live_view_url)

    async def look(self, api: ProviderApi, session_id: str) -> RemoteSession | None:
        session = await api.ask("GET", f"/v1/sessions/{session_id}", _Found)
        status = (session.data.status or "").lower()
        # For a session that we created, keep the connect URL that the API returned then.
        joined = bool(self._address.session_id)
        return RemoteSession(
            session_id,
            self._connect_url(session_id) if joined else "",
            over=status if status in _ENDED else "",
        )

    async def release(self, api: ProviderApi, session: RemoteSession) -> None:
        await api.ask("DELETE", f"/v1/sessions/{session.id}", Nothing)

    def _connect_url(self, session_id: str) -> str:
        """Build the connect URL of a session in the way that the provider documents."""
        url = os.environ.get("ANCHOR_CONNECT_URL", "").rstrip("/") or _CONNECT_URL
        return with_query(url, apiKey=self._key(), sessionId=session_id)
