"""Wardens: the Tabwarden browsers that supervise Playwright pages, for both of Playwright's
APIs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from tabwarden import browser, sync
from tabwarden.budget import Timeout
from tabwarden.config import BrowserConfig
from tabwarden.integrations.playwright.asking import at_once
from tabwarden.integrations.playwright.pairing import Pairing
from tabwarden.integrations.playwright.timing import HANG_PATIENCE
from tabwarden.page import Task
from tabwarden.supervisor.core.state.policy import DialogPolicy

if TYPE_CHECKING:
    from playwright import async_api, sync_api

Answerer = Literal["playwright", "tabwarden"]


class Warden(browser.Browser):
    """The Tabwarden browser for a Playwright page: a ``Browser`` that also converts refs to
    Playwright's locators, and Playwright's elements to refs. ``supervise`` creates it.

    Calls without ``tab_id`` use the supervised page. ``close`` leaves the browser open.
    """

    def __init__(self, task: Task, config: BrowserConfig) -> None:
        super().__init__(task, config)
        self._beside = Beside(Pairing(self._engine, self._engine.run_async))

    def locator(self, ref: str) -> async_api.Locator:
        """Return a Playwright locator for a ref's element, in any frame. Does not
        change the page.

        The locator refers to this one element as long as the element is in the page. If the page
        replaces the element, get a new locator. If the page is busy, this method still returns
        within 0.1 seconds, and the locator waits for the page.

        Args:
            ref: from a snapshot or ``find``.

        Raises:
            StaleRef, UnknownRef: the element does not exist.
            InvalidArgument: the element is in a tab whose Playwright page is unknown
                (``tab_of``).
            DialogPending: a dialog blocks the page.
        """
        located: async_api.Locator = self._beside.pairing.locator(
            self._task, ref, self._budget("find", None)
        )
        return located

    async def ref(
        self, element: async_api.Locator | async_api.ElementHandle, *, timeout_ms: Timeout = None
    ) -> str:
        """Return the ref of a Playwright element, in any frame.

        Args:
            element: a locator for exactly one element, or an element handle.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: the element is in no page of this browser.
            DialogPending: a dialog blocks the page.
        """
        budget = self._budget("find", timeout_ms)
        return await self._beside.pairing.ref(self._task, element, budget)

    async def tab_of(self, page: async_api.Page, *, timeout_ms: Timeout = None) -> str:
        """Return the tab id of a Playwright page, such as a popup. From then on, ``locator``
        accepts refs of that tab.

        Args:
            page: a page of the supervised browser and browser context.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: the browser does not have this page.
        """
        budget = self._budget("tabs", timeout_ms)
        return await self._beside.pairing.tab_of(self._task, page, budget)

    def configure(self, config: BrowserConfig) -> None:
        super().configure(arranged(config, self._beside.answerer))

    async def close(self, *, timeout_ms: Timeout = None) -> None:
        self._beside.leave()
        await super().close(timeout_ms=timeout_ms)


class SyncWarden(sync.Browser):
    """Sync twin of ``Warden``, for Playwright's sync API."""

    def __init__(self, task: Task, config: BrowserConfig) -> None:
        super().__init__(task, config)
        self._beside = Beside(Pairing(self._engine, self._engine.run_sync))

    def locator(self, ref: str) -> sync_api.Locator:
        """See ``Warden.locator``."""
        located: sync_api.Locator = self._beside.pairing.locator(
            self._task, ref, self._budget("find", None)
        )
        return located

    def ref(
        self, element: sync_api.Locator | sync_api.ElementHandle, *, timeout_ms: Timeout = None
    ) -> str:
        """See ``Warden.ref``."""
        budget = self._budget("find", timeout_ms)
        return at_once(self._beside.pairing.ref(self._task, element, budget))

    def tab_of(self, page: sync_api.Page, *, timeout_ms: Timeout = None) -> str:
        """See ``Warden.tab_of``."""
        budget = self._budget("tabs", timeout_ms)
        return at_once(self._beside.pairing.tab_of(self._task, page, budget))

    def configure(self, config: BrowserConfig) -> None:
        super().configure(arranged(config, self._beside.answerer))

    def close(self, *, timeout_ms: Timeout = None) -> None:
        self._beside.leave()
        super().close(timeout_ms=timeout_ms)


class Beside:
    """A warden's state about its Playwright objects."""

    def __init__(self, pairing: Pairing) -> None:
        self.pairing = pairing
        self.answerer: Answerer = "playwright"
        self._quieted: list[Any] = []

    def take_dialogs(self, contexts: list[Any]) -> None:
        """Add a listener so that Playwright does not close dialogs itself, which it does only if
        there is no listener.
        """
        self.answerer = "tabwarden"
        for context in contexts:
            context.on("dialog", _leave_open)
            self._quieted.append(context)

    def begin(self, task: Task, pages: list[Any], target_ids: list[str]) -> None:
        """Pair the pages with their tabs, and make the first page's tab the active one."""
        tabs = [self.pairing.meet(task, *both) for both in zip(pages, target_ids, strict=True)]
        if tabs:
            self.pairing.activate(task, tabs[0])

    def leave(self) -> None:
        """Remove our listeners from Playwright's objects."""
        for context in self._quieted:
            context.remove_listener("dialog", _leave_open)
        self._quieted.clear()


def _leave_open(dialog: Any) -> None:
    """A listener that does nothing, because Tabwarden handles the dialog."""


def arranged(config: BrowserConfig, answerer: Answerer) -> BrowserConfig:
    """Return the configuration with the dialog policy for ``answerer``.

    Also make Tabwarden wait longer than by default before it reloads or replaces a hung page.
    """
    if answerer == "playwright":
        settings: dict[str, Any] = {
            "dialog_bridge": "native",
            "dialog_policy": DialogPolicy.OTHERS_ANSWER.value,
        }
    else:
        settings = {"dialog_bridge": config.dialog_bridge.replace("auto", "debugger")}
    patience = max(config.hang_patience, HANG_PATIENCE)
    return config.model_copy(update={**settings, "hang_patience": patience})
