"""Hyperbrowser (hyperbrowser.ai/docs/api-reference)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.remote.api import Nothing, ProviderApi
from tabwarden.endpoints.remote.base import RemoteEndpoint, RemoteSession
from tabwarden.endpoints.remote.options import MINUTES, Option

_ENDED = {"closed", "error"}


class _Found(msgspec.Struct, rename="camel"):
    id: str
    status: str = "active"
    ws_endpoint: str | None = None
    live_url: str | None = None


class _Created(_Found, kw_only=True):
    ws_endpoint: str


class HyperbrowserEndpoint(RemoteEndpoint):
    scheme = "hyperbrowser"
    provider = "Hyperbrowser"
    key_variables = ("HYPERBROWSER_API_KEY",)
    base_url = "https://api.hyperbrowser.ai"
    base_url_variable = "HYPERBROWSER_BASE_URL"
    options: ClassVar[Mapping[str, Option]] = {
        "timeout_s": Option(
            "timeoutMinutes",
            "duration",
            "how long the session may last, rounded up to minutes",
            MINUTES,
        ),
        "stealth": Option("useStealth", "flag", "make the browser harder to detect as a bot"),
        "proxy": Option("useProxy", "flag", "use the provider's proxies"),
        "solve_captchas": Option("solveCaptchas", "flag", "solve captchas"),
        "accept_cookies": Option("acceptCookies", "flag", "accept cookie banners"),
        "profile_id": Option("profile.id", "text", "cookies saved by an earlier session"),
    }
    capabilities = Capabilities(
        survives_reconnect="until the session times out",
        guard_session=False,
        live_view=True,
        downloads="kept by the provider",
    )

    def headers(self, key: str) -> dict[str, str]:
        return {"x-api-key": key}

    async def create(self, api: ProviderApi, request: Mapping[str, Any]) -> RemoteSession:
        made = await api.ask("POST", "/api/session", _Created, body=request)
        return RemoteSession(made.id, made.ws_endpoint, made.live_url)

    async def look(self, api: ProviderApi, session_id: str) -> RemoteSession | None:
        session = await api.ask("GET", f"/api/session/{session_id}", _Found)
        over = session.status if session.status in _ENDED else ""
        return RemoteSession(session.id, session.ws_endpoint or "", session.live_url, over=over)

    async def release(self, api: ProviderApi, session: RemoteSession) -> None:
        await api.ask("PUT", f"/api/session/{session.id}/stop", Nothing)
