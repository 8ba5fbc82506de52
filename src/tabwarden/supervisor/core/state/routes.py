"""The values of routes: what the browser does with the requests that match."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from tabwarden.protocol import fetch
from tabwarden.supervisor.core.state.values import NOTHING


class MockedAnswer(msgspec.Struct, frozen=True):
    """The answer that a request gets without a server."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str
    """In base64."""


class SecretHeader(msgspec.Struct, frozen=True):
    """A header with a secret, which only the secret's own sites get."""

    name: str
    value: str
    origins: frozenset[str]

    def __repr__(self) -> str:
        return f"SecretHeader({self.name})"


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """What to do with matching requests. They go to their server unless there is an error or an
    answer."""

    number: int = 0
    url: str
    """The pattern as the caller wrote it; "" for all URLs."""
    covers: Callable[[str], bool]
    """Whether the pattern matches a URL."""
    method: str = ""
    resource_types: tuple[str, ...] = ()
    """Empty for all."""
    error: str = ""
    """The request fails with this reason (``Network.ErrorReason``)."""
    answer: MockedAnswer | None = None
    headers: Mapping[str, str | None] = NOTHING
    """Headers to set on the request, or to remove from it (None)."""
    secret_headers: tuple[SecretHeader, ...] = ()
    """More headers to set on the request, if it goes to their sites."""
    delay_s: float = 0.0
    times: int | None = None
    """How many requests it takes at most."""
    matched: int = 0
    """How many requests it has taken."""
    added_at: float = 0.0
    """In wall-clock seconds since the epoch."""

    @property
    def id(self) -> str:
        return f"ro-{self.number}"

    @property
    def is_over(self) -> bool:
        """Whether it has taken all requests that it may take."""
        return self.times is not None and self.matched >= self.times


class DelayedRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request that waits because of a route."""

    route: Route
    event: fetch.RequestPaused
    session_id: str | None
    tab_id: str
    """"" for a service worker's or a shared worker's request."""
    due: float
    """When it goes on, in monotonic seconds."""
