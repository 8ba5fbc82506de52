"""``Service``, the objects that requests share: the configuration, the tasks, and their events. A
request gets a ``CallerService``, with only the tasks of the caller's tenant.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from tabwarden.actions import Tasks, TenantConfig, TenantTasks, narrowed, tenant_of
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig, Config, Images
from tabwarden.control_api import Labels
from tabwarden.errors import Capacity, TabwardenError
from tabwarden.events import DialogOpened, FileChooserOpened, TabClosed
from tabwarden.live_config import LiveConfig
from tabwarden.page import Snapshot
from tabwarden.surfaces.daemon.live_view import other_servers
from tabwarden.surfaces.guard.principal import Principal, for_operator
from tabwarden.surfaces.http.screencast import Tickets
from tabwarden.surfaces.http.streams import Feeds
from tabwarden.surfaces.live.live import Live

log = logging.getLogger("tabwarden.http")


_Prompt = TypeVar("_Prompt", FileChooserOpened, DialogOpened)
_Key = tuple[Browser, str, type[FileChooserOpened] | type[DialogOpened]]


class Arming:
    """The prepared answers, at most one per tab and kind of prompt. A new answer replaces an old
    answer.
    """

    def __init__(self) -> None:
        self._armed: dict[_Key, asyncio.Task[None]] = {}

    def arm(
        self,
        browser: Browser,
        tab_id: str,
        prompt: type[_Prompt],
        budget: Budget,
        give: Callable[[_Prompt], Awaitable[Any]],
    ) -> None:
        """Call ``give`` when a tab's next prompt of this kind opens.

        Args:
            prompt: the event that reports an opened prompt of this kind.
            budget: the limit for the wait and for ``give``. Canceling the budget ends the wait.
            give: answers the prompt. If ``give`` fails, the state still shows the open prompt.
        """
        key = (browser, tab_id, prompt)
        before = self._armed.pop(key, None)
        if before is not None:
            before.cancel()
        # Subscribe now, so that a prompt that opens after this call is not missed.
        events = browser.events(prompt, TabClosed)

        async def waiting() -> None:
            with events:
                async with budget.waiting_for("a prompt to open"):
                    async for event in events:
                        if event.tab_id == tab_id:
                            break
                    else:
                        return
            if isinstance(event, prompt):
                await give(event)

        armed = asyncio.create_task(waiting())
        self._armed[key] = armed
        armed.add_done_callback(lambda done: self._over(key, done))

    async def answered(self, browser: Browser, tab_id: str, budget: Budget) -> None:
        """Wait until a dialog that has just opened has received its prepared answer, if there is
        one.
        """
        armed = self._armed.get((browser, tab_id, DialogOpened))
        if armed is not None:
            await asyncio.wait([armed], timeout=budget.remaining_s())

    async def close(self) -> None:
        armed = list(self._armed.values())
        for one in armed:
            one.cancel()
        await asyncio.gather(*armed, return_exceptions=True)

    def _over(self, key: _Key, done: asyncio.Task[None]) -> None:
        if self._armed.get(key) is done:
            del self._armed[key]
        error = None if done.cancelled() else done.exception()
        if isinstance(error, TabwardenError):
            log.info("the prepared answer for tab %s failed: %s", key[1], error.code)
        elif error is not None:
            log.error("the prepared answer for tab %s failed", key[1], exc_info=error)


class SeenRefs:
    """The refs in the last snapshot of each tab."""

    def __init__(self) -> None:
        self._seen: WeakKeyDictionary[Browser, dict[str, frozenset[str]]] = WeakKeyDictionary()

    def fresh(self, browser: Browser, read: Snapshot) -> frozenset[str] | None:
        """Return the refs that the tab's last snapshot did not have.

        None if this is the first snapshot of the tab's document.
        """
        tabs = self._seen.setdefault(browser, {})
        before, now = tabs.get(read.tab_id, frozenset()), frozenset(read.refs)
        tabs[read.tab_id] = now
        # Refs are never reused, so a new document has none of the previous document's refs.
        return now - before if now & before else None


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
        """The live view of the tasks."""
        tasks.link_for_people = self.view.link_of
        tasks.keepers.append(self.view.is_watched)

    def seen_by(self, principal: Principal, is_valid: Callable[[], bool]) -> CallerService:
        """Return the part of the server that a caller can use while its token is valid."""
        return CallerService(self, principal, is_valid)

    def config_of(self, tenant: str | None) -> BrowserConfig:
        """Return the current configuration for a tenant's tasks; None for the operator's tasks."""
        if tenant not in self._configs:
            self._configs[tenant] = TenantConfig(self.live, tenant)
        return self._configs[tenant].browser

    def profiles_of(self, tenant: str | None) -> set[str]:
        """Return the tasks that a tenant created as profiles, with or without a browser."""
        return self._profiles.setdefault(tenant, set())

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Until the block ends, apply configuration changes and close idle tasks. Then close
        everything.
        """
        ending = asyncio.create_task(self.tasks.end_idle())
        try:
            async with self.live.followed(self._configured):
                yield
        finally:
            ending.cancel()
            await self.close()

    def _configured(self, now: Config) -> None:
        if not now.browser.enabled:
            self.feeds.end("Tabwarden was disabled in the configuration")
        for name, session in self.tasks.open_sessions().items():
            session.configure(self.config_of(tenant_of(name)))

    def not_ready(self) -> Capacity | None:
        """Return why the server accepts no new tasks now; None if it accepts new tasks."""
        if not self.live.browser.enabled:
            return Capacity("Tabwarden is disabled in its configuration.", reason="disabled")
        return self.tasks.refusal()

    def let_go(self, reason: str) -> None:
        """End all calls and streams, so that the server can stop."""
        self.tasks.cancel_calls(reason)
        self.feeds.end(reason)

    async def close(self) -> None:
        """Cancel all remaining calls, and close every browser."""
        self.let_go("the server stops")
        self.view.close()
        await self.arming.close()
        await self.tasks.close()


class CallerService:
    """The part of the server that one caller can use. Requests act on this object. Attributes:
    principal: the caller. is_valid: returns whether the caller's token is still valid. tasks: the
    tasks of the caller's tenant, under the tenant's names. profiles: the names of the tasks that
    clients created as profiles. arming, feeds, labels, seen, tickets: objects that all tasks share.
    Their keys are browsers and sessions, which a caller can get only from ``tasks``, or secret
    tokens (``tickets``).
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

        Without a valid token, a caller has no permissions. This matters for prepared answers, which
        outlive their request.
        """
        config = self._whole.config_of(self.principal.tenant)
        return narrowed(config, self.principal.permissions if self.is_valid() else frozenset())

    @property
    def images(self) -> Images:
        """The format in which responses contain images."""
        return self._whole.live.now.server.images

    @property
    def max_upload_mb(self) -> float:
        """The maximum size of a file that the caller may send now."""
        return self._whole.live.now.server.max_upload_mb

    @property
    def whole(self) -> Service:
        """The whole server, for the operator only. Raises ``Denied`` for other callers."""
        if not self.principal.is_operator:
            raise for_operator()
        return self._whole

    def labels_of(self, task: str) -> Mapping[str, str]:
        """Return the ``tab_id`` for each label that clients gave to the task's tabs."""
        session = self.tasks.session(task)
        return self.labels.of(session.current if session is not None else None)
