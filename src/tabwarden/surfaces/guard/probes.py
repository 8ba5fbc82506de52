"""Probes: whoever runs the server asks whether it lives, and whether it takes new tasks.

They need no token, and any ``Host`` is right: Kubernetes sends the address of the pod. So they tell
nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from tabwarden.errors import Capacity

ALIVE = "/healthz"
READY = "/readyz"


class Probes:
    """Answers ``/healthz`` and ``/readyz``, and passes everything else on.

    ``/healthz`` answers 200. ``/readyz`` answers 503 with ``Retry-After`` and a reason while the
    server takes no new task.

    Args:
        not_ready: returns why the server takes no new task now (``data["reason"]``); None if it
            takes one.
    """

    def __init__(self, app: ASGIApp, not_ready: Callable[[], Capacity | None]) -> None:
        self._app = app
        self._not_ready = not_ready

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            if scope["path"] == ALIVE:
                await _told({"ok": True})(scope, receive, send)
                return
            if scope["path"] == READY:
                await self._ready()(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _ready(self) -> Response:
        full = self._not_ready()
        if full is None:
            return _told({"ok": True})
        again = {"Retry-After": str(math.ceil(full.retry_after_s))}
        return _told({"ok": False, "reason": full.data["reason"]}, 503, again)


def _told(
    body: dict[str, object], status: int = 200, more: dict[str, str] | None = None
) -> Response:
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", **(more or {})}
    return JSONResponse(body, status, headers)
