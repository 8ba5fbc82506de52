"""Navigation: load pages, switch tabs, wait."""

from __future__ import annotations

from functools import partial
from typing import Literal

from tabwarden import results
from tabwarden.browser.base import BrowserBase
from tabwarden.budget import Timeout
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.call import one_of
from tabwarden.page.navigation import navigate, tabs


class NavigationMethods(BrowserBase):
    """Methods that load pages, switch tabs, and wait."""

    @journaled
    async def tabs(
        self,
        mode: Literal["list", "open", "close", "switch"] = "list",
        *,
        tab_id: str | None = None,
        tab_index: int | None = None,
        url: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[list[results.Tab]]:
        """List, open, close or switch tabs; ``value`` is the list of tabs afterwards.

        Args:
            mode: list, open, close or switch.
            tab_id: the tab to close or switch to. Close uses the active tab by default.
            tab_index: the tab's position in the list, from 0, instead of ``tab_id``.
            url: the URL to open.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: the tab does not exist, or a parameter does not fit the mode.
        """
        one_of("mode", mode, ("list", "open", "close", "switch"))
        wanted = None
        if url is not None:
            wanted = navigate.checked_url(url, allow_file_urls=self._config.allow_file_urls)
        task, budget = self._task, self._budget("tabs", timeout_ms)
        spec = tabs.LIST_TABS if mode == "list" else tabs.TABS
        work = partial(
            tabs.perform_tabs, task, budget, mode, tab_id=tab_id, tab_index=tab_index, url=wanted
        )
        closing = tab_id if mode == "close" else None
        return await self._in_turn(task.turns.enter(spec, closing), budget, work)
