"""Browserbase (docs.browserbase.com/reference/api)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.remote.api import Nothing, ProviderApi
from tabwarden.endpoints.remote.base import RemoteEndpoint, RemoteSession
from tabwarden.endpoints.remote.options import Option

_PROJECT = "BROWSERBASE_PROJECT_ID"
_ENDED = {"COMPLETED", "ERROR", "TIMED_OUT"}


class _Found(msgspec.Struct, rename="camel"):
    id: str
    connect_url: str | None = None
    status: str = "RUNNING"


class _Created(_Found, kw_only=True):
    connect_url: str


class _LiveUrls(msgspec.Struct, rename="camel"):
    debugger_fullscreen_url: str | None = None


class BrowserbaseEndpoint(RemoteEndpoint):
    """``browserbase:``. Without ``keep_alive``, a session ends when its connection closes."""

    scheme = "browserbase"
    provider = "Browserbase"
    key_variables = ("BROWSERBASE_API_KEY",)
    base_url = "https://api.browserbase.com"
    base_url_variable = "BROWSERBASE_BASE_URL"
    # The provider closes a connection that sends no command for 10 minutes.
    heartbeat_s = 60.0
    options: ClassVar[Mapping[str, Option]] = {
        "project_id": Option("projectId", "text", f"the project (default: {_PROJECT})"),
        "timeout_s": Option("timeout", "duration", "how long the session may last"),
        "keep_alive": Option(
            "keepAlive", "flag", "keep the session if the connection is lost (paid plans)"
        ),
        "region": Option("region", "text", "such as us-west-2 or eu-central-1"),
        "proxies": Option("proxies", "flag", "use the provider's proxies"),
        "context_id": Option(
            "browserSettings.context.id", "text", "cookies saved by an earlier session"
        ),
        "extension_id": Option("extensionId", "text", "an uploaded extension"),
    }
    capabilities = Capabilities(
        answer_dialogs="Browserbase's proxy might dismiss a native dialog first; Tabwarden handles "
        "bridged dialogs",
        survives_reconnect="with `keep_alive=true`",
        guard_session=False,
        live_view=True,
        downloads="kept by the provider",
    )

    def headers(self, key: str) -> dict[str, str]:
        return {"X-BB-API-Key": key}

    async def create(self, api: ProviderApi, request: Mapping[str, Any]) -> RemoteSession:
        made = await api.ask("POST", "/v1/sessions", _Created, body={**_project(), **request})
        return RemoteSession(made.id, made.connect_url)

    async def look(self, api: ProviderApi, session_id: str) -> RemoteSession | None:
        session = await api.ask("GET", f"/v1/sessions/{session_id}", _Found)
        over = session.status.lower() if session.status in _ENDED else ""
        return RemoteSession(session.id, session.connect_url or "", over=over)

    async def release(self, api: ProviderApi, session: RemoteSession) -> None:
        project = {"projectId": self._request["projectId"]} if "projectId" in self._request else {}
        wish = {"status": "REQUEST_RELEASE", **_project(), **project}
        await api.ask("POST", f"/v1/sessions/{session.id}", Nothing, body=wish)

    async def live_view(self, api: ProviderApi, session: RemoteSession) -> str | None:
        urls = await api.ask("GET", f"/v1/sessions/{session.id}/debug", _LiveUrls)
        return urls.debugger_fullscreen_url


def _project() -> dict[str, str]:
    """Return the project from the environment. Without it, the provider uses the key's project."""
    project = os.environ.get(_PROJECT, "").strip()
    return {"projectId": project} if project else {}
