"""The pool: browsers that were started before a task needs them."""

from __future__ import annotations

import asyncio
import logging

from tabwarden.budget import Budget
from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.errors import TabwardenError
from tabwarden.fleet.hosting.hosted_browser import HostedBrowser

END_MS = 5_000.0
"""The budget for closing a browser."""


LAUNCH_MS = 20_000.0
"""The budget for starting a browser."""

log = logging.getLogger("tabwarden.fleet")


class Pool:
    """Keeps ``size`` browsers warm. Each browser is used for only one task and then closed.

    Use it on one event loop.
    """

    def __init__(self, options: LaunchOptions, size: int) -> None:
        self._options = options
        self._size = size
        self._warm: list[HostedBrowser] = []
        self._filling: asyncio.Task[None] | None = None
        self._ending: set[asyncio.Task[None]] = set()
        """Browsers that ended by themselves, and leave their files to us."""

    @property
    def warm(self) -> int:
        """How many browsers are ready."""
        return len(self._warm)

    async def take(self) -> HostedBrowser:
        """Return a warm browser; if there is none, start a browser.

        Raises:
            LaunchFailed: no browser works here.
        """
        browser = self._warm.pop() if self._warm else None
        if browser is None:
            browser = await HostedBrowser.start(self._options, Budget(LAUNCH_MS))
        browser.on_exit = lambda: None
        self.fill()
        return browser

    def fill(self) -> None:
        """Start browsers in the background, one at a time, until ``size`` browsers are warm."""
        if len(self._warm) < self._size and (self._filling is None or self._filling.done()):
            self._filling = asyncio.create_task(self._fill())

    async def close(self) -> None:
        """Close all warm browsers."""
        self._size = 0
        if self._filling is not None:
            self._filling.cancel()
            await asyncio.wait([self._filling])
        ended, self._warm = self._warm, []
        await asyncio.gather(*(browser.end(Budget(END_MS)) for browser in ended), *self._ending)

    async def _fill(self) -> None:
        while len(self._warm) < self._size:
            try:
                browser = await HostedBrowser.start(self._options, Budget(LAUNCH_MS))
            except TabwardenError as error:
                log.warning("no warm browser: %s", error)
                return
            browser.on_exit = lambda gone=browser: self._exited(gone)  # type: ignore[misc]
            self._warm.append(browser)

    def _exited(self, browser: HostedBrowser) -> None:
        if browser in self._warm:
            self._warm.remove(browser)
            ending = asyncio.create_task(browser.end(Budget(END_MS)))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)
            self.fill()
