"""Steel (docs.steel.dev/api-reference)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.remote.api import Nothing, ProviderApi
from tabwarden.endpoints.remote.base import RemoteEndpoint, RemoteSession, with_query
from tabwarden.endpoints.remote.options import MILLISECONDS, Option

_ENDED = {"released", "failed"}


class _Session(msgspec.Struct, rename="camel"):
    id: str
    websocket_url: str
    status: str = "live"
    session_viewer_url: str | None = None
    debug_url: str | None = None


class SteelEndpoint(RemoteEndpoint):
    """``steel:``. The CDP URL contains the API key."""

    scheme = "steel"
    provider = "Steel"
    key_variables = ("STEEL_API_KEY",)
    base_url = "https://api.steel.dev"
    base_url_variable = "STEEL_BASE_URL"
    options: ClassVar[Mapping[str, Option]] = {
        "timeout_s": Option(
            "timeout", "duration", "how long the session may last (default: 300)", MILLISECONDS
        ),
        "idle_timeout_s": Option(
            "inactivityTimeout", "duration", "how long the session may be idle", MILLISECONDS
        ),
        "proxy": Option("useProxy", "flag", "use a residential proxy"),
        "solve_captcha": Option("solveCaptcha", "flag", "solve captchas"),
        "block_ads": Option("blockAds", "flag", "block advertisements"),
        "user_agent": Option("userAgent", "text", "a different user agent"),
        "namespace": Option("namespace", "text", "the session's namespace"),
        "profile_id": Option("profileId", "text", "cookies saved by an earlier session"),
    }
    capabilities = Capabilities(
        survives_reconnect="until the session times out",
        guard_session=False,
        live_view=True,
        downloads="kept by the provider",
    )

    def headers(self, key: str) -> dict[str, str]:
        return {"steel-api-key": key}

    async def create(self, api: ProviderApi, request: Mapping[str, Any]) -> RemoteSession:
        return self._read(await api.ask("POST", "/v1/sessions", _Session, body=request))

    async def look(self, api: ProviderApi, session_id: str) -> RemoteSession | None:
        return self._read(await api.ask("GET", f"/v1/sessions/{session_id}", _Session))

    async def release(self, api: ProviderApi, session: RemoteSession) -> None:
        await api.ask("POST", f"/v1/sessions/{session.id}/release", Nothing)

    def _read(self, session: _Session) -> RemoteSession:
        return RemoteSession(
            session.id,
            with_query(session.websocket_url, apiKey=self._key()),
            session.debug_url or session.session_viewer_url,
            over=session.status if session.status in _ENDED else "",
        )
