"""Routes: how the browser handles matching requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from tabwarden.protocol import fetch
from tabwarden.supervisor.core.state.values import NOTHING


class MockedAnswer(msgspec.Struct, frozen=True):
    """The response to a request that is not sent to its server."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str
    """The body, in base64."""


class SecretHeader(msgspec.Struct, frozen=True):
    """A header with a secret, which is sent only to the secret's sites."""

    name: str
    value: str
    origins: frozenset[str]

    def __repr__(self) -> str:
        return f"SecretHeader({self.name})"


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """How to handle matching requests. They are sent to their server unless the route has an error
    or a response.
    """

    number: int = 0
    url: str
    """The pattern as the caller wrote it; "" for all URLs."""
    covers: Callable[[str], bool]
    """Whether the pattern matches a URL."""
    method: str = ""
    resource_types: tuple[str, ...] = ()
    """The resource types that the route matches; empty for all."""
    error: str = ""
    """The request fails with this reason (``Network.ErrorReason``)."""
    answer: MockedAnswer | None = None
    headers: Mapping[str, str | None] = NOTHING
    """Headers to set on the request, or to remove from it (None)."""
    secret_headers: tuple[SecretHeader, ...] = ()
    """Headers with secrets to set on the request if it is sent to the secrets' sites."""
    delay_s: float = 0.0
    times: int | None = None
    """The maximum number of requests that the route handles."""
    matched: int = 0
    """The number of requests that the route has handled."""
    added_at: float = 0.0
    """When the route was added, in wall-clock seconds since the epoch."""

    @property
    def id(self) -> str:
        return f"ro-{self.number}"

    @property
    def is_over(self) -> bool:
        """Whether the route has handled its maximum number of requests."""
        return self.times is not None and self.matched >= self.times


class DelayedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request that a route delays."""

    route: Route
    event: fetch.RequestPaused
    session_id: str | None
    tab_id: str
    """The tab's ID; "" for a request from a service worker or a shared worker."""
    due: float
    """When the request continues, in monotonic seconds."""
