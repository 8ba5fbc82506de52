"""Service: everything that requests share: the current configuration, the tasks, their events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from tabwarden.actions import Tasks
from tabwarden.config import BrowserConfig, Config
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.http.armed_files import Arming
from tabwarden.surfaces.http.streams import Feeds
from tabwarden.surfaces.http.tab_names import Labels


class Service:
    """The object that requests act on.

    Args:
        live: the configuration; each request uses its current value.
        tasks: the tasks, each with its browser.
    """

    def __init__(self, live: LiveConfig, tasks: Tasks) -> None:
        self.tasks = tasks
        self.arming = Arming()
        self.feeds = Feeds()
        self.labels = Labels()
        self.examining = asyncio.Lock()
        """Locked while a doctor's examination runs (``GET /doctor``)."""
        self.live = live

    @property
    def config(self) -> BrowserConfig:
        """The current configuration."""
        return self.live.browser

    def labels_of(self, task: str) -> Mapping[str, str]:
        """Return the clients' labels for the tabs of a task: label to ``tab_id``."""
        session = self.tasks.session(task)
        return self.labels.of(session.current if session is not None else None)

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Serve during the block. Changes of the configuration are applied to open browsers. At the
        end of the block, close everything.
        """
        try:
            async with self.live.followed(self._configured):
                yield
        finally:
            await self.close()

    def _configured(self, now: Config) -> None:
        if not now.browser.enabled:
            self.feeds.end("the configuration turned Tabwarden off")
        for session in self.tasks.open_sessions().values():
            session.configure(now.browser)

    def let_go(self, reason: str) -> None:
        """End all calls and streams, so that the server can stop."""
        self.tasks.cancel_calls(reason)
        self.feeds.end(reason)

    async def close(self) -> None:
        """End all remaining work, and every browser."""
        self.let_go("the server stops")
        await self.arming.close()
        await self.tasks.close()
