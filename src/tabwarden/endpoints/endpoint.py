"""Endpoints: a supervisor opens its endpoint to get a wire, and opens the endpoint again to
reconnect.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import ClassVar, Protocol, runtime_checkable

import msgspec

from tabwarden.budget import Budget
from tabwarden.egress.proxy import Egress, EgressProxy
from tabwarden.egress.upstream import Upstream
from tabwarden.endpoints.attaching import may_run_here, open_endpoint
from tabwarden.endpoints.capabilities import Capabilities
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launching import LaunchedBrowser, LaunchOptions
from tabwarden.errors import LaunchFailed
from tabwarden.replacement import Replacement
from tabwarden.wire import Wire
from tabwarden.wire.websocket import without_secrets


class BrowserFiles(Protocol):
    """Transfers files to and from a browser on another machine, which can't access our files."""

    @property
    def download_dir(self) -> str:
        """The folder on the browser's machine into which it downloads."""
        ...

    async def put(self, path: Path) -> str:
        """Copy one of our files to the browser's machine; return its path there.

        Raises:
            OSError: the file can't be copied.
        """
        ...

    async def fetch(self, name: str, path: Path) -> None:
        """Move a file from the browser's download folder to ``path`` on this machine.

        Raises:
            OSError: the file can't be copied.
        """
        ...


class OpenedEndpoint:
    """An open connection to a browser. ``end`` also closes the browser if we launched it.

    Attributes:
        wire: the wire to the browser, not yet started.
        product: the browser's name and version, as in ``Chrome/156.0.8078.79``; "" if unknown.
        launched: the browser, if we launched it.
        live_view_url: a URL where a person can watch the browser, if the provider supports that.
            The URL may also allow control of the browser, so we never log it.
        heartbeat_s: how often to send a command, in seconds, so that the provider keeps the
            connection open; None if that is unnecessary.
        release: a function for ``end`` to call, for example to release a provider's session.
        egress: the proxy for all of the browser's requests. It blocks everything until its judge is
            set. ``end`` closes the proxy.
        for_us: whether the browser exists for this task alone: we launched it, or a provider runs
            it for us. A person or another client might use any other browser.
        here: whether the browser might run on this computer: we launched it, or its address is a
            loopback address. (A loopback address can also be a forwarded port.)
        is_exclusive: whether no other client can connect to the browser.
        files: transfers files, if the browser runs on another machine that supports this.
        node: the fleet's machine that runs the browser, or "" without a fleet.
        replacement: set if this is a different browser than at the previous ``open``.
        launched_as: ``LaunchOptions.marks`` of the fleet's node, or None without a fleet.
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
        egress: Egress | None = None,
        here: bool = False,
        is_exclusive: bool = False,
        files: BrowserFiles | None = None,
        node: str = "",
        replacement: Replacement | None = None,
        launched_as: Mapping[str, str] | None = None,
    ) -> None:
        self.wire = wire
        self.product = product
        self.launched = launched
        self.live_view_url = live_view_url
        self.heartbeat_s = heartbeat_s
        self.release = release
        self.for_us = launched is not None or release is not None
        self.egress = egress
        self.here = here or launched is not None
        self.is_exclusive = is_exclusive
        self.files = files
        self.node = node
        self.replacement = replacement
        self.launched_as = launched_as

    @property
    def owned(self) -> bool:
        """Whether we launched the browser and must close it."""
        return self.launched is not None

    @property
    def attached(self) -> bool:
        """Whether someone else runs the browser, such as a provider."""
        return not self.owned

    @property
    def is_open_to_others(self) -> bool:
        """Whether other clients can connect to the browser."""
        if self.launched is None:
            return not self.is_exclusive
        return self.launched.ws_url is not None

    def exit_words(self) -> str:
        """Describe how the browser's process exited; "" if it is still running or we didn't launch
        it."""
        status = self.launched.exit_status if self.launched is not None else None
        if status is None:
            return ""
        return f"it was killed by signal {-status}" if status < 0 else f"it exited with {status}"

    async def end(self, budget: Budget) -> None:
        """Close the browser that we launched, or release the provider's session that we created.

        Safe to call twice; limited by ``budget``. Don't call ``end`` before reconnecting, because
        that requires the session.
        """
        if self.launched is not None:
            await self.launched.end(budget)
        if self.egress is not None:
            await self.egress.aclose()
        if self.release is not None:
            release, self.release = self.release, None
            await release(budget)


class Endpoint(Protocol):
    """How to connect a task to a browser.

    An endpoint may also have these attributes; see ``is_ours`` and ``endpoint_for``:

    - ``is_ours = True``: closing the task also closes the browser.
    - ``for_task(task_id)``: returns this endpoint for one task, if each task has its own browser.
    - the attributes of ``MovableEndpoint``.
    """

    @property
    def key(self) -> str:
        """Identifies the browser's location. A task reconnects when its endpoint's key changes."""
        ...

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """Open the browser or connect to it.

        Raises:
            EndpointUnreachable, LaunchFailed, InvalidArgument: the endpoint can't be opened.
        """
        ...


@runtime_checkable
class MovableEndpoint(Protocol):
    """An endpoint whose task can move to another browser.

    Attributes:
        checkpoint_s: the maximum interval between two checkpoints, in seconds; 0 to take a
            checkpoint only before a planned move.
        is_idle: whether the task has no call in progress, so that it can move. ``Browser`` sets it.
        before_move: called before the task moves. ``Browser`` sets it.
    """

    checkpoint_s: float
    is_idle: Callable[[], bool]
    before_move: Callable[[], Awaitable[None]] | None


def is_ours(endpoint: Endpoint) -> bool:
    """Whether closing the task also closes the browser, because the browser exists only for the
    task.
    """
    return bool(getattr(endpoint, "is_ours", False))


def endpoint_for(endpoint: Endpoint, task_id: str | None) -> Endpoint:
    """Return the endpoint for one task; None for a task without a name. Most endpoints serve all
    tasks, and are returned unchanged.
    """
    for_task: Callable[[str | None], Endpoint] | None = getattr(endpoint, "for_task", None)
    return endpoint if for_task is None else for_task(task_id)


class LaunchEndpoint(msgspec.Struct, frozen=True):
    """A browser that we launch."""

    is_ours: ClassVar[bool] = True

    capabilities: ClassVar[Capabilities] = Capabilities(
        survives_reconnect="with transport `port`; with a pipe, the browser exits",
        guard_session=False,
    )

    options: LaunchOptions
    guarded: bool = False
    """Whether to put an egress proxy between the browser and the network."""

    @property
    def key(self) -> str:
        return f"launch:{self.options!r}"

    async def open(self, budget: Budget) -> OpenedEndpoint:
        if not self.guarded:
            browser = await launch(self.options, budget)
            return OpenedEndpoint(browser.wire, browser.product, browser)
        egress = await _egress(self.options.upstream)
        try:
            options = msgspec.structs.replace(self.options, proxy=egress.url)
            browser = await launch(options, budget)
        except BaseException:
            await egress.aclose()
            raise
        return OpenedEndpoint(browser.wire, browser.product, browser, egress=egress)


async def _egress(upstream: Upstream | None) -> EgressProxy:
    try:
        return await EgressProxy.start(upstream)
    except OSError as error:
        raise LaunchFailed(
            f"The proxy that enforces the network policy can't listen: {error}.",
            "Check that this machine has a loopback interface and allows more sockets.",
        ) from None


class UrlEndpoint(msgspec.Struct, frozen=True):
    """A browser that is already running."""

    capabilities: ClassVar[Capabilities] = Capabilities(
        answer_dialogs="another client might answer a native dialog first",
        downloads="on the browser's machine",
    )

    url: str
    headers: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"UrlEndpoint({without_secrets(self.url)})"

    @property
    def key(self) -> str:
        """A key that is equal for equal URLs, but doesn't reveal tokens."""
        bare = without_secrets(self.url)
        if bare == self.url or "//" not in self.url:
            return self.url
        return f"{bare}#{hashlib.sha256(self.url.encode()).hexdigest()[:16]}"

    async def open(self, budget: Budget) -> OpenedEndpoint:
        attached = await open_endpoint(self.url, budget, self.headers)
        here = may_run_here(attached.ws_url)
        return OpenedEndpoint(attached.wire, attached.product, here=here)
