"""Kernel (kernel.sh/docs/api-reference)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.remote.api import Nothing, ProviderApi
from tabwarden.endpoints.remote.base import RemoteEndpoint, RemoteSession
from tabwarden.endpoints.remote.options import Option


class _Browser(msgspec.Struct):
    session_id: str
    cdp_ws_url: str
    browser_live_view_url: str | None = None
    deleted_at: str | None = None


class KernelEndpoint(RemoteEndpoint):
    scheme = "kernel"
    provider = "Kernel"
    key_variables = ("KERNEL_API_KEY",)
    base_url = "https://api.onkernel.com"
    base_url_variable = "KERNEL_BASE_URL"
    options: ClassVar[Mapping[str, Option]] = {
        "timeout_s": Option(
            "timeout_seconds", "duration", "how long to keep an idle browser open (default: 60)"
        ),
        "headless": Option("headless", "flag", "run without a window or a live view"),
        "stealth": Option("stealth", "flag", "make the browser harder to detect as a bot"),
        "profile": Option("profile.name", "text", "cookies saved by an earlier session"),
        "proxy_id": Option("proxy_id", "text", "an existing proxy"),
    }
    capabilities = Capabilities(
        survives_reconnect="for `timeout_s` seconds",
        guard_session=False,
        live_view="with `headless=false`",
        downloads="kept by the provider",
    )

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"}

    async def create(self, api: ProviderApi, request: Mapping[str, Any]) -> RemoteSession:
        return _read(await api.ask("POST", "/browsers", _Browser, body=request))

    async def look(self, api: ProviderApi, session_id: str) -> RemoteSession | None:
        return _read(await api.ask("GET", f"/browsers/{session_id}", _Browser))

    async def release(self, api: ProviderApi, session: RemoteSession) -> None:
        await api.ask("DELETE", f"/browsers/{session.id}", Nothing)


def _read(session: _Browser) -> RemoteSession:
    return RemoteSession(
        session.session_id,
        session.cdp_ws_url,
        session.browser_live_view_url,
        over="deleted" if session.deleted_at else "",
    )
