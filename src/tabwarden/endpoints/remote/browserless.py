"""Browserless (docs.browserless.io, section "Persisting State")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from tabwarden.endpoints.address import Address
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.remote.api import Nothing, ProviderApi
from tabwarden.endpoints.remote.base import RemoteEndpoint, RemoteSession, with_query
from tabwarden.endpoints.remote.options import MILLISECONDS, Option
from tabwarden.errors import NotSupported

_DEFAULTS = {"ttl": 300_000, "processKeepAlive": 60_000}
"""The API requires ``ttl``. Without ``processKeepAlive``, the session ends if the connection is
lost.
"""


class _Session(msgspec.Struct):
    id: str
    connect: str
    stop: str


class BrowserlessEndpoint(RemoteEndpoint):
    """``browserless:``. The API can't look up a session, so we can't join a session by its ID."""

    scheme = "browserless"
    provider = "Browserless"
    key_variables = ("BROWSERLESS_TOKEN",)
    base_url = "https://production-sfo.browserless.io"
    base_url_variable = "BROWSERLESS_BASE_URL"
    options: ClassVar[Mapping[str, Option]] = {
        "timeout_s": Option(
            "ttl", "duration", "how long the session may last (default: 300)", MILLISECONDS
        ),
        "keep_alive_s": Option(
            "processKeepAlive",
            "duration",
            "how long the session survives a lost connection (default: 60)",
            MILLISECONDS,
        ),
        "stealth": Option("stealth", "flag", "make the browser harder to detect as a bot"),
        "headless": Option("headless", "flag", "run without a window"),
    }
    capabilities = Capabilities(
        survives_reconnect="for `keep_alive_s` seconds, at the same connect URL",
        guard_session=False,
        downloads="kept by the provider",
    )

    def __init__(self, address: Address) -> None:
        if address.session_id:
            raise NotSupported(
                "Browserless cannot look up a session by its id.",
                "Attach with the session's connect URL (wss://...), or open a new session with "
                "`browserless:`.",
            )
        super().__init__(address)

    def headers(self, key: str) -> dict[str, str]:
        """Return no headers: the token goes into the query."""
        return {}

    async def create(self, api: ProviderApi, request: Mapping[str, Any]) -> RemoteSession:
        token = self._key()
        made = await api.ask(
            "POST", "/session", _Session, body={**_DEFAULTS, **request}, query={"token": token}
        )
        return RemoteSession(
            made.id,
            with_query(made.connect, token=token),
            stop_url=with_query(made.stop, token=token, force="true"),
        )

    async def look(self, api: ProviderApi, session_id: str) -> RemoteSession | None:
        return None

    async def release(self, api: ProviderApi, session: RemoteSession) -> None:
        await api.ask("DELETE", session.stop_url, Nothing)
