"""Service: the objects that requests share: the configuration, the tasks, and their events.

A request gets only what its caller can reach: a ``CallerService``, with the tasks of its tenant.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from tabwarden.actions import Tasks, TenantConfig, TenantTasks, narrowed, tenant_of
from tabwarden.config import BrowserConfig, Config, Images
from tabwarden.control_api import Labels
from tabwarden.errors import Capacity
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.daemon.live_view import other_servers
from tabwarden.surfaces.guard.principal import Principal, for_operator
from tabwarden.surfaces.http.armed import Arming
from tabwarden.surfaces.http.outline import SeenRefs
from tabwarden.surfaces.http.screencast import Tickets
from tabwarden.surfaces.http.streams import Feeds
from tabwarden.surfaces.live.live import Live


class Service:
    """The whole server."""

    def __init__(self, live: LiveConfig, tasks: Tasks) -> None:
        self.tasks = tasks
        self.arming = Arming()
        self.feeds = Feeds(lambda: live.now.server.max_streams)
        self.labels = Labels()
        self.seen = SeenRefs()
        self.tickets = Tickets()
        self._profiles: dict[str | None, set[str]] = {}
        self._configs: dict[str | None, TenantConfig] = {}
        self.examining = asyncio.Lock()
        """Locked while the doctor runs (``GET /doctor``)."""
        self.live = live
        self.view = Live("the server", tasks.open_sessions, other_servers)
        """What people see of the tasks."""
        tasks.link_for_people = self.view.link_of
        tasks.keepers.append(self.view.is_watched)

    def seen_by(self, principal: Principal, is_valid: Callable[[], bool]) -> CallerService:
        """Return what a caller can reach, as long as its token is valid."""
        return CallerService(self, principal, is_valid)

    def config_of(self, tenant: str | None) -> BrowserConfig:
        """Return the current configuration of a tenant's tasks; None: of the operator's."""
        if tenant not in self._configs:
            self._configs[tenant] = TenantConfig(self.live, tenant)
        return self._configs[tenant].browser

    def profiles_of(self, tenant: str | None) -> set[str]:
        """Return the tasks that a tenant created as profiles, with or without a browser."""
        return self._profiles.setdefault(tenant, set())

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
        for name, session in self.tasks.open_sessions().items():
            session.configure(self.config_of(tenant_of(name)))

    def not_ready(self) -> Capacity | None:
        """Return why the server takes no new task now; None if it takes one."""
        if not self.live.browser.enabled:
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


class CallerService:
    """The server as one caller sees it: the object that a request acts on.

    Attributes:
        principal: the caller.
        is_valid: whether the caller's token is still valid.
        tasks: the tasks of the caller's tenant, under the tenant's names.
        profiles: those of the tasks that clients created as profiles.
        arming, feeds, labels, seen, tickets: of all tasks, by their browsers and sessions, which a
            caller gets only from ``tasks``, or by a secret token (``tickets``).
    """

    def __init__(self, whole: Service, principal: Principal, is_valid: Callable[[], bool]) -> None:
        self.principal = principal
        self.is_valid = is_valid
        self.tasks = TenantTasks(whole.tasks, principal.tenant, principal.max_tasks)
        self.profiles = whole.profiles_of(principal.tenant)
        self.arming = whole.arming
        self.feeds = whole.feeds
        self.labels = whole.labels
        self.seen = whole.seen
        self.tickets = whole.tickets
        self._whole = whole

    @property
    def config(self) -> BrowserConfig:
        """The current configuration, with the tenant's folders and the caller's permissions.

        Without a valid token, a caller has no permissions: prepared answers outlive their request.
        """
        config = self._whole.config_of(self.principal.tenant)
        return narrowed(config, self.principal.permissions if self.is_valid() else frozenset())

    @property
    def images(self) -> Images:
        """What the answers have of pictures."""
        return self._whole.live.now.server.images

    @property
    def max_upload_mb(self) -> float:
        """The largest file that the caller may send now."""
        return self._whole.live.now.server.max_upload_mb

    @property
    def whole(self) -> Service:
        """The whole server, for the operator. Raise ``Denied`` for others."""
        if not self.principal.is_operator:
            raise for_operator()
        return self._whole

    def labels_of(self, task: str) -> Mapping[str, str]:
        """Return the ``tab_id`` for each label that clients gave to the task's tabs."""
        session = self.tasks.session(task)
        return self.labels.of(session.current if session is not None else None)
