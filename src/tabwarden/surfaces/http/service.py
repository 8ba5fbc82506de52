"""Service: what all requests share: the configuration as it is now, the tasks, their events."""

from __future__ import annotations

from tabwarden.actions import Tasks
from tabwarden.config import BrowserConfig
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.http.arming import Arming
from tabwarden.surfaces.http.feed import Feeds

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
        self._live = live

    @property
    def config(self) -> BrowserConfig:
        """What is allowed now."""
        return self._live.browser

    async def follow(self) -> None:
        """Have open browsers obey each change of the configuration; never ends by itself."""
        async for config in self._live.changes():
            if not config.browser.enabled:
                self.feeds.end("Tabwarden was switched off by its configuration")
            for session in self.tasks.open_sessions().values():
                session.configure(config.browser)

    def let_go(self, reason: str) -> None:
        """End all calls and streams, for the server to stop."""
        self.tasks.cancel_calls(reason)
        self.feeds.end(reason)

    async def close(self) -> None:
        """End what is left, and every browser."""
        self.let_go("the server stops")
        await self.arming.close()
        await self.tasks.close()
