"""``HostedBrowser``: a browser that this host runs for one task, with its proxy and folders."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from tabwarden.budget import Budget
from tabwarden.egress.proxy import EgressProxy
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launching import LaunchedBrowser, LaunchOptions
from tabwarden.endpoints.profiles import Scratch
from tabwarden.errors import LaunchFailed
from tabwarden.fleet.hosting.shared_wire import SharedWire


class HostedBrowser:
    """A running browser. Its proxy rejects everything until a client sends a network policy.

    Attributes:
        upload_dir: the files that the client has sent; the browser can read them.
        download_dir: the files that the browser has downloaded.
        options: the launch options.
        wire: the browser's debugging pipe. The browser has no debugging port, because other
            tenants' pages could connect to it.
    """

    def __init__(
        self,
        launched: LaunchedBrowser,
        egress: EgressProxy,
        scratch: Scratch,
        options: LaunchOptions,
    ) -> None:
        self.launched = launched
        self.options = options
        self.egress = egress
        self.on_exit: Callable[[], None] = lambda: None
        """Called once when the browser has ended by itself."""
        self._scratch = scratch
        self.upload_dir = scratch.folder / "uploads"
        self.download_dir = scratch.folder / "downloads"
        self.wire = SharedWire(launched.wire, self._exited)

    @classmethod
    async def start(cls, options: LaunchOptions, budget: Budget) -> HostedBrowser:
        """Launch a browser with a new profile.

        Raises:
            LaunchFailed: no browser works here, or the system has no free file descriptors or
                ports.
        """
        try:
            return await cls._start(options, budget)
        except OSError as error:
            raise LaunchFailed(
                f"The system can't provide the resources for a browser: {error}.",
                "Check the free space in the temporary folder, and the limit on open files.",
            ) from None

    @classmethod
    async def _start(cls, options: LaunchOptions, budget: Budget) -> HostedBrowser:
        scratch = Scratch.create("host-")
        try:
            for name in ("uploads", "downloads"):
                (scratch.folder / name).mkdir(mode=0o700)
            egress = await EgressProxy.start(options.upstream)
            try:
                launched = await launch(_replaced(options, egress.url), budget)
            except BaseException:
                await egress.aclose()
                raise
        except BaseException:
            scratch.remove()
            raise
        return cls(launched, egress, scratch, options)

    @property
    def pid(self) -> int:
        return self.launched.pid

    def _exited(self) -> None:
        self.on_exit()  # callers replace ``on_exit``

    async def end(self, budget: Budget) -> None:
        """Kill the browser and remove its files. Safe to call twice."""
        self.on_exit = lambda: None
        self.launched.kill()  # its profile is deleted, and its task might be waiting
        await self.launched.end(budget)
        await self.wire.aclose()
        await self.egress.aclose()
        self._scratch.remove()


def _replaced(options: LaunchOptions, proxy: str) -> LaunchOptions:
    return msgspec.structs.replace(options, proxy=proxy, transport="pipe")
