"""Crowding: no more requests at once than the server can serve well; the rest may come again."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from tabwarden.errors import Denied
from tabwarden.surfaces.http.refusals import refusal

__all__ = ["Crowding"]

_RETRY_S = 1


class Crowding:
    """Refuses what comes while ``at_most`` requests are being served: 503 with Retry-After."""

    def __init__(self, app: ASGIApp, at_most: int) -> None:
        self._app = app
        self._at_most = at_most
        self._now = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif self._now >= self._at_most:
            await self._full()(scope, receive, send)
        else:
            self._now += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._now -= 1

    def _full(self) -> ASGIApp:
        full = Denied(
            f"{self._now} requests are being served, as many as may be.",
            f"Send it again in {_RETRY_S} s, or when another one has been answered.",
        )
        return refusal(full, status=503, headers={"Retry-After": str(_RETRY_S)})
