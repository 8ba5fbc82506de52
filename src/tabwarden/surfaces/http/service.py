"""Service: the objects that requests share: the configuration, the tasks, and their events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from tabwarden.actions import Tasks
from tabwarden.config import BrowserConfig, Config
from tabwarden.dialects.openclaw import Labels
from tabwarden.errors import Capacity
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.daemon.live_view import other_servers
from tabwarden.surfaces.http.armed import Arming
from tabwarden.surfaces.http.outline import SeenRefs
from tabwarden.surfaces.http.streams import Feeds
from tabwarden.surfaces.live.live import Live


class Service:
    """The object that requests act on."""

    def __init__(self, live: LiveConfig, tasks: Tasks) -> None:
        self.tasks = tasks
        self.arming = Arming()
        self.feeds = Feeds(lambda: live.now.server.max_streams)
        self.labels = Labels()
        self.seen = SeenRefs()
        self.profiles: set[str] = set()
        """The tasks that clients created as profiles, with or without a browser."""
        self.examining = asyncio.Lock()
        """Locked while the doctor runs (``GET /doctor``)."""
        self.live = live
        self.view = Live("the server", tasks.open_sessions, other_servers)
        """What people see of the tasks."""
        tasks.link_for_people = self.view.link_of
        tasks.keepers.append(self.view.is_watched)

    @property
    def config(self) -> BrowserConfig:
        return self.live.browser

    def labels_of(self, task: str) -> Mapping[str, str]:
        """Return the ``tab_id`` for each label that clients gave to the task's tabs."""
        session = self.tasks.session(task)
        return self.labels.of(session.current if session is not None else None)

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Apply configuration changes and end idle tasks until the block ends. Then close
        everything."""
        ending = asyncio.create_task(self.tasks.end_idle())
        try:
            async with self.live.followed(self._configured):
                yield
        finally:
            ending.cancel()
            await self.close()

    def _configured(self, now: Config) -> None:
        if not now.browser.enabled:
            self.feeds.end("the configuration turned Tabwarden off")
        for session in self.tasks.open_sessions().values():
            session.configure(now.browser)

    def not_ready(self) -> Capacity | None:
        """Return why the server takes no new task now; None if it takes one."""
        if not self.config.enabled:
            return Capacity("Tabwarden is switched off by its configuration.", reason="disabled")
        return self.tasks.refusal()

    def let_go(self, reason: str) -> None:
        """End all calls and streams, so that the server can stop."""
        self.tasks.cancel_calls(reason)
        self.feeds.end(reason)

    async def close(self) -> None:
        """End all remaining calls, and close every browser."""
        self.let_go("the server stops")
        self.view.close()
        await self.arming.close()
        await self.tasks.close()
