"""Service: what all requests share: the configuration as it is now, the tasks, their events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from tabwarden.actions import Tasks
from tabwarden.config import BrowserConfig, Config
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.http.arming import Arming
from tabwarden.surfaces.http.feed import Feeds
from tabwarden.surfaces.http.labels import Labels

__all__ = ["Service"]


class Service:
    """What requests act on.

    Args:
        live: the configuration; each request obeys it as it is then.
        tasks: the browsers.
    """

    def __init__(self, live: LiveConfig, tasks: Tasks) -> None:
        self.tasks = tasks
        self.arming = Arming()
        self.feeds = Feeds()
        self.labels = Labels()
        self.examining = asyncio.Lock()
        """Held by the one whom the doctor serves (``GET /doctor``)."""
        self.live = live

    @property
    def config(self) -> BrowserConfig:
        """What is allowed now."""
        return self.live.browser

    def labels_of(self, task: str) -> Mapping[str, str]:
        """What the tabs of a task are called by its clients: label to ``tab_id``."""
        session = self.tasks.session(task)
        return self.labels.of(session.current if session is not None else None)

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Serve in the block: open browsers obey each change of the configuration; at its end all
        is closed."""
        try:
            async with self.live.followed(self._configured):
                yield
        finally:
            await self.close()

    def _configured(self, now: Config) -> None:
        if not now.browser.enabled:
            self.feeds.end("Tabwarden was switched off by its configuration")
        for session in self.tasks.open_sessions().values():
            session.configure(now.browser)

    def let_go(self, reason: str) -> None:
        """End all calls and streams, for the server to stop."""
        self.tasks.cancel_calls(reason)
        self.feeds.end(reason)

    async def close(self) -> None:
        """End what is left, and every browser."""
        self.let_go("the server stops")
        await self.arming.close()
        await self.tasks.close()
