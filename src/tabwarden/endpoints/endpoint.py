"""Endpoints: what a supervisor opens, and opens again, to get a wire."""

from __future__ import annotations

from typing import Protocol

import msgspec

from tabwarden.budget import Budget
from tabwarden.endpoints.attach import open_endpoint
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launched import LaunchedBrowser
from tabwarden.endpoints.options import LaunchOptions
from tabwarden.wire import Wire

__all__ = ["Endpoint", "LaunchEndpoint", "OpenedEndpoint", "UrlEndpoint", "endpoint_of"]


class OpenedEndpoint:
    """A browser that can be spoken to, and whose end is ours if we launched it.

    Attributes:
        wire: the wire to it, not started.
        product: such as ``Chrome/156.0.8078.79``; "" when it does not tell.
        launched: the process, when it is ours.
    """

    def __init__(self, wire: Wire, product: str, launched: LaunchedBrowser | None = None) -> None:
        self.wire = wire
        self.product = product
        self.launched = launched

    @property
    def owned(self) -> bool:
        """Whether the browser is ours to end."""
        return self.launched is not None

    def exit_words(self) -> str:
        """How its process ended; "" while it runs or when it isn't ours."""
        status = self.launched.exit_status if self.launched is not None else None
        if status is None:
            return ""
        return f"killed by signal {-status}" if status < 0 else f"it exited with {status}"

    async def end(self, budget: Budget) -> None:
        """End what is ours: process and temporary profile. Idempotent."""
        if self.launched is not None:
            await self.launched.end(budget)


class Endpoint(Protocol):
    """Where a task's connection goes."""

    @property
    def key(self) -> str:
        """Equal keys mean the same place: a task with another key is rebound."""
        ...

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """Get a browser.

        Raises:
            EndpointUnreachable, LaunchFailed, InvalidArgument: why there is none.
        """
        ...


class LaunchEndpoint(msgspec.Struct, frozen=True):
    """A browser of our own."""

    options: LaunchOptions

    @property
    def key(self) -> str:
        """See ``Endpoint.key``."""
        return f"launch:{self.options!r}"

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """See ``Endpoint.open``."""
        browser = await launch(self.options, budget)
        return OpenedEndpoint(browser.wire, browser.product, browser)


class UrlEndpoint(msgspec.Struct, frozen=True):
    """A browser that runs already."""

    url: str
    headers: dict[str, str] = {}

    @property
    def key(self) -> str:
        """See ``Endpoint.key``."""
        return self.url

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """See ``Endpoint.open``."""
        attached = await open_endpoint(self.url, budget, self.headers)
        return OpenedEndpoint(attached.wire, attached.product)


def endpoint_of(given: str | Endpoint) -> Endpoint:
    """A URL as an endpoint; an endpoint as it is."""
    return UrlEndpoint(given) if isinstance(given, str) else given
