"""Endpoints: what a supervisor opens, and opens again, to get a wire."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import ClassVar, Protocol
from urllib.parse import urlsplit

import msgspec

from tabwarden.budget import Budget
from tabwarden.egress.gate import is_loopback_name
from tabwarden.egress.origins import canonical_host
from tabwarden.egress.proxy import EgressProxy
from tabwarden.endpoints.attach import open_endpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launched import LaunchedBrowser
from tabwarden.endpoints.options import LaunchOptions
from tabwarden.errors import LaunchFailed
from tabwarden.wire import Wire
from tabwarden.wire.websocket import without_secrets

__all__ = ["Endpoint", "LaunchEndpoint", "OpenedEndpoint", "UrlEndpoint"]


class OpenedEndpoint:
    """A browser that can be spoken to, and whose end is ours if we launched it.

    Attributes:
        wire: the wire to it, not started.
        product: such as ``Chrome/156.0.8078.79``; "" when it does not tell.
        launched: the process, when it is ours.
        live_view_url: where a person can watch, if the provider has that. Whoever knows it may
            be able to act there too, so it is in no log.
        heartbeat_s: send some command at least so often, in seconds, or the provider ends the
            connection; None: not needed.
        release: gives back what was got for this endpoint; ``end`` calls it.
        egress: the proxy that all of its requests go through; it lets none out until it has a
            judge. ``end`` closes it.
        here: whether it may run on this machine: launched by us, or reached at a loopback address,
            which may be a forwarded port.
    """

    def __init__(
        self,
        wire: Wire,
        product: str,
        launched: LaunchedBrowser | None = None,
        *,
        live_view_url: str | None = None,
        heartbeat_s: float | None = None,
        release: Callable[[Budget], Awaitable[None]] | None = None,
        egress: EgressProxy | None = None,
        here: bool = False,
    ) -> None:
        self.wire = wire
        self.product = product
        self.launched = launched
        self.live_view_url = live_view_url
        self.heartbeat_s = heartbeat_s
        self.release = release
        self.egress = egress
        self.here = here or launched is not None

    @property
    def owned(self) -> bool:
        """Whether the browser is ours to end."""
        return self.launched is not None

    @property
    def attached(self) -> bool:
        """Whether somebody else runs the browser, a provider for instance."""
        return not self.owned

    def exit_words(self) -> str:
        """How its process ended; "" while it runs or when it isn't ours."""
        status = self.launched.exit_status if self.launched is not None else None
        if status is None:
            return ""
        return f"killed by signal {-status}" if status < 0 else f"it exited with {status}"

    async def end(self, budget: Budget) -> None:
        """End what is ours: process and temporary profile, or the provider's session.

        Idempotent; bounded by ``budget``. Not to be called to connect again: the session that
        should be joined again would be gone.
        """
        if self.launched is not None:
            await self.launched.end(budget)
        if self.egress is not None:
            await self.egress.aclose()
        if self.release is not None:
            release, self.release = self.release, None
            await release(budget)


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

    capabilities: ClassVar[Capabilities] = Capabilities(
        survives_reconnect="with transport port; a pipe is the browser's life",
        guard_session=False,
    )

    options: LaunchOptions
    guarded: bool = False
    """Put an egress proxy between it and the network."""

    @property
    def key(self) -> str:
        """See ``Endpoint.key``."""
        return f"launch:{self.options!r}"

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """See ``Endpoint.open``."""
        if not self.guarded:
            browser = await launch(self.options, budget)
            return OpenedEndpoint(browser.wire, browser.product, browser)
        egress = await _egress()
        try:
            options = msgspec.structs.replace(self.options, proxy=egress.url)
            browser = await launch(options, budget)
        except BaseException:
            await egress.aclose()
            raise
        return OpenedEndpoint(browser.wire, browser.product, browser, egress=egress)


async def _egress() -> EgressProxy:
    try:
        return await EgressProxy.start()
    except OSError as error:
        raise LaunchFailed(
            f"The proxy that holds the browser to the network policy can't listen: {error}.",
            "Is there a loopback interface, and room for one more socket?",
        ) from None


class UrlEndpoint(msgspec.Struct, frozen=True):
    """A browser that runs already."""

    capabilities: ClassVar[Capabilities] = Capabilities(
        answer_dialogs="another client that answers too may be first, natively",
        downloads="on the browser's machine",
    )

    url: str
    headers: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"UrlEndpoint({without_secrets(self.url)})"

    @property
    def key(self) -> str:
        """See ``Endpoint.key``: equal for equal addresses, their tokens not readable in it."""
        bare = without_secrets(self.url)
        if bare == self.url or "//" not in self.url:
            return self.url
        return f"{bare}#{hashlib.sha256(self.url.encode()).hexdigest()[:16]}"

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """See ``Endpoint.open``."""
        attached = await open_endpoint(self.url, budget, self.headers)
        host = canonical_host(urlsplit(attached.ws_url).hostname or "")
        here = host is not None and is_loopback_name(host)
        return OpenedEndpoint(attached.wire, attached.product, here=here)
