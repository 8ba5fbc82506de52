"""Limit the number of concurrent requests. Clients must retry further requests later."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from tabwarden.errors import Capacity
from tabwarden.surfaces.guard.access import Refuse
from tabwarden.surfaces.guard.principal import is_admitted, principal_of
from tabwarden.surfaces.guard.timing import RETRY_AFTER_S

_FOR_OPERATOR = 8
"""Of so many places, one is kept for the operator: tenants can't shut the operator out."""


def places(most: int, *, for_operator: bool) -> int:
    """Return how many of ``most`` places may be taken when this caller takes one."""
    return most if for_operator else most - most // _FOR_OPERATOR


class Crowding:
    """While ``at_most()`` requests that showed a token are running, rejects further ones with 503
    and Retry-After. Those without a token have limits of their own (``Connection``)."""

    def __init__(self, app: ASGIApp, at_most: Callable[[], int], refuse: Refuse) -> None:
        self._app = app
        self._at_most = at_most
        self._refuse = refuse
        self._now = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not is_admitted(scope):
            await self._app(scope, receive, send)
        elif self._now >= places(self._at_most(), for_operator=principal_of(scope).is_operator):
            await self._full()(scope, receive, send)
        else:
            self._now += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self._now -= 1

    def _full(self) -> ASGIApp:
        full = Capacity(
            f"The server is handling {self._now} requests, which is the limit "
            "(server.max_requests).",
            f"Retry in {RETRY_AFTER_S} s, or after another request has finished.",
            retry_after_s=RETRY_AFTER_S,
        )
        return self._refuse(full, status=503, headers={"Retry-After": str(RETRY_AFTER_S)})
