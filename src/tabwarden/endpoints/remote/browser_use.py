"""Browser Use cloud (docs.browser-use.com/cloud)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.remote.api import Nothing, ProviderApi
from tabwarden.endpoints.remote.base import RemoteEndpoint, RemoteSession
from tabwarden.endpoints.remote.options import MINUTES, Option


class _Found(msgspec.Struct, rename="camel"):
    id: str
    status: str = "active"
    cdp_url: str | None = None
    live_url: str | None = None


class _Created(_Found, kw_only=True):
    cdp_url: str


class BrowserUseEndpoint(RemoteEndpoint):
    """``browser-use:``. If the API returns an ``https`` URL, we request the WebSocket URL there."""

    scheme = "browser-use"
    provider = "Browser Use"
    key_variables = ("BROWSER_USE_API_KEY",)
    base_url = "https://api.browser-use.com"
    base_url_variable = "BROWSER_USE_BASE_URL"
    options: ClassVar[Mapping[str, Option]] = {
        "timeout_s": Option(
            "timeout", "duration", "how long the session may last, rounded up to minutes", MINUTES
        ),
        "proxy_country": Option("proxyCountryCode", "text", "the proxy's country: us, de, ..."),
        "profile_id": Option("profileId", "text", "cookies saved by an earlier session"),
    }
    capabilities = Capabilities(
        survives_reconnect="until the session times out",
        guard_session=False,
        live_view=True,
        downloads="kept by the provider",
    )

    def headers(self, key: str) -> dict[str, str]:
        return {"X-Browser-Use-API-Key": key}

    async def create(self, api: ProviderApi, request: Mapping[str, Any]) -> RemoteSession:
        made = await api.ask("POST", "/api/v3/browsers", _Created, body=request)
        return RemoteSession(made.id, made.cdp_url, made.live_url)

    async def look(self, api: ProviderApi, session_id: str) -> RemoteSession | None:
        session = await api.ask("GET", f"/api/v3/browsers/{session_id}", _Found)
        over = "stopped" if session.status == "stopped" else ""
        return RemoteSession(session.id, session.cdp_url or "", session.live_url, over=over)

    async def release(self, api: ProviderApi, session: RemoteSession) -> None:
        await api.ask("PATCH", f"/api/v3/browsers/{session.id}", Nothing, body={"action": "stop"})
