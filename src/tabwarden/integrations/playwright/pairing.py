"""Map tabs to Playwright pages, and elements to locators."""

from __future__ import annotations

import concurrent.futures
import itertools
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import DialogPending, InvalidArgument
from tabwarden.integrations.playwright import guests
from tabwarden.integrations.playwright.address import target_of
from tabwarden.integrations.playwright.asking import settled
from tabwarden.integrations.playwright.timing import AT_ONCE_S
from tabwarden.page import ActionResult, Task, perform
from tabwarden.page.call import Body
from tabwarden.page.search import find
from tabwarden.page.task import CARDS
from tabwarden.supervisor.core.state.inputs import ActivateTab
from tabwarden.supervisor.runtime import EngineLoop

Run = Callable[[Coroutine[Any, Any, Any]], Any]
"""Runs a coroutine on the engine: ``run_async`` or ``run_sync``."""


class Pairing:
    """Pairs a task's tabs and elements with Playwright's pages and elements."""

    def __init__(self, engine: EngineLoop, run: Run) -> None:
        self._engine = engine
        self._run = run
        self._pages: dict[str, Any] = {}
        """Playwright's pages, by target id."""
        self._mark = secrets.token_hex(4)
        self._numbers = itertools.count(1)

    def meet(self, task: Task, page: Any, target_id: str) -> str:
        """Remember a page; return its tab.

        Raises:
            InvalidArgument: the supervised browser does not have this page.
        """
        tab = task.state.tab_of_target(target_id)
        if tab is None:
            raise InvalidArgument(
                "The browser that Tabwarden connected to does not have this Playwright page.",
                "Pass the address of the page's own browser: supervise(page, endpoint=...).",
                field="endpoint",
            )
        self._pages[target_id] = page
        return tab.tab_id

    async def tab_of(self, task: Task, page: Any, budget: Budget) -> str:
        for target_id, known in self._pages.items():
            tab = task.state.tab_of_target(target_id)
            if known is page and tab is not None:
                return tab.tab_id
        return self.meet(task, page, (await target_of(page, budget))["targetId"])

    def activate(self, task: Task, tab_id: str) -> None:
        """Make a tab the default for calls without a tab."""
        self._engine.loop.call_soon_threadsafe(task.supervisor.feed, ActivateTab(tab_id))

    def locator(self, task: Task, named: str, budget: Budget) -> Any:
        ref = task.refs.find(named)
        tab = task.tab(ref.tab_id)
        page = self._pages.get(tab.target_id)
        if page is None:
            raise InvalidArgument(
                f"{ref.ref} is in tab {tab.tab_id}, whose Playwright page Tabwarden does not know.",
                "Call tab_of(page) once with the Playwright page of that tab.",
                field="ref",
            )
        *around, own = guests.selectors(task.state, ref, self._mark)
        offering = self._engine.submit(
            self._performed(
                task, budget, lambda call: guests.offer(call, ref, self._mark), tab.tab_id
            )
        )
        with suppress(concurrent.futures.TimeoutError):
            offering.result(AT_ONCE_S)
        for one in around:
            page = page.frame_locator(one)
        return page.locator(own)

    async def ref(self, task: Task, element: Any, budget: Budget) -> str:
        handle, is_locator = element, hasattr(element, "element_handle")
        if is_locator:
            tab_id = await self.tab_of(task, element.page, budget)
        else:
            tab_id = task.tab().tab_id
        # This call also recovers a hung page before Playwright waits for the page.
        await self._ran(task, budget, guests.welcome, tab_id)
        if is_locator:
            left_ms = budget.remaining_ms()
            handle = await settled(element.element_handle(timeout=left_ms), budget)
        else:
            frame = await settled(element.owner_frame(), budget)
            owner = await self.tab_of(task, frame.page, budget) if frame is not None else tab_id
            if owner != tab_id:
                tab_id = owner
                await self._ran(task, budget, guests.welcome, tab_id)
        number = next(self._numbers)
        selector = guests.selector_to_take(number, self._mark)
        try:
            await settled(handle.query_selector(selector), budget)
        finally:
            if is_locator:
                await settled(handle.dispose(), budget)
        done = await self._ran(
            task, budget, lambda call: guests.taken(call, number, self._mark), tab_id
        )
        return str(done.value)

    async def _ran(self, task: Task, budget: Budget, body: Body, tab_id: str) -> ActionResult:
        result: ActionResult = await settled(self._run(self._performed(task, budget, body, tab_id)))
        return result

    @staticmethod
    async def _performed(task: Task, budget: Budget, body: Body, tab_id: str) -> ActionResult:
        done = await perform(task, CARDS[find.find], budget, body, tab_id=tab_id)
        if done.interrupted:
            raise DialogPending("A dialog opened and blocks the page.", done.next, **done.by or {})
        return done
