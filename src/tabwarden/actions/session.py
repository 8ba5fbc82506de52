"""Session: one agent's browser behind a surface, opened when it is first needed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

import msgspec

from tabwarden.actions.shared_opening import SharedOpening
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import (
    AlreadyOpen,
    BrowserGone,
    EndpointUnreachable,
    LaunchFailed,
    NotOpen,
    NotSupported,
    TabwardenError,
)
from tabwarden.events import EndpointLost, EndpointRegained, Notice

__all__ = ["Need", "OpenBrowser", "Session", "Way"]

_IN_TIME = 0.99

Need = Literal["cdp", "dialogs"]
"""What an action may need of the browser: a connection, dialogs that wait for an answer."""


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """How a browser is got; what is left out is as configured."""

    endpoint: str | None = None
    """Attach to this one."""
    browser: Literal["chrome", "edge", "chromium", "brave"] | None = None
    """Launch one of this kind."""
    headless: bool | None = None


OpenBrowser = Callable[[Way, Budget], Awaitable[Browser]]


class Session:
    """Opens a browser on demand, and a fresh one when the last is gone and the agent goes on.

    Belongs to one event loop; any number of calls may share it.

    Args:
        open_browser: ``await open_browser(way, budget)`` gives a new browser.
        auto_open: open on the first action that may; else ``open`` must be called.
        opening_ms: what an opening may take, even when the call that began it has less: others
            may wait for the same one.
    """

    def __init__(
        self,
        open_browser: OpenBrowser,
        *,
        auto_open: bool = True,
        opening_ms: float = 30_000,
    ) -> None:
        self._open_browser = open_browser
        self._auto_open = auto_open
        self._opening_ms = opening_ms
        self._browser: Browser | None = None
        self._opening: SharedOpening | None = None
        self._way = Way()
        self._unreachable = False
        self._obeyed: BrowserConfig | None = None
        self._watchers: list[Callable[[], None]] = []

    @property
    def current(self) -> Browser | None:
        """The browser that is open, if any."""
        return self._browser if self._browser is not None and self._browser.is_open else None

    @property
    def lacks(self) -> frozenset[Need]:
        """What no action can have as things stand: its tools are not to be shown.

        Before a browser was asked for nothing is lacking; where none could be had, or the last
        one is gone, all of it, until the next is there.
        """
        now = self.current
        if self._unreachable or (now is not None and now.state.health.status == "gone"):
            return frozenset(("cdp", "dialogs"))
        answers = now is None or now.capabilities.answer_dialogs
        return frozenset() if answers else frozenset(("dialogs",))

    def watch(self, watcher: Callable[[], None]) -> Callable[[], None]:
        """Have ``watcher()`` called on the session's loop when ``lacks`` may be another.

        Returns:
            What ends that.
        """
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher) if watcher in self._watchers else None

    def configure(self, config: BrowserConfig) -> None:
        """Have the browser that is open obey a new configuration, as far as it can while open."""
        self._obeyed = config
        if (now := self.current) is not None:
            now.configure(config)

    def obey(self, config: BrowserConfig) -> None:
        """The same, if it is another one than the last: an action may know of a change before
        whoever follows the file has told of it."""
        last = self._obeyed
        if last is None:
            self._obeyed = config
        elif config is not last and config != last:
            self.configure(config)

    async def browser(self, *, may_open: bool, budget: Budget) -> tuple[Browser, str]:
        """The browser for an action, and a note when it is a fresh one.

        Args:
            may_open: whether the action opens one where none is.
            budget: the action's; waiting for an opening spends it.

        Raises:
            NotOpen: none is open and this action opens none.
            BrowserGone: the last one is gone and this action opens none.
            BudgetExceeded, Cancelled: it says what was waited for. The opening goes on as long as
                another call waits for it, until ``close``.
            EndpointUnreachable, LaunchFailed: no browser.
        """
        while True:
            now = self.current
            opening = self._opening
            if opening is None:
                if now is not None and now.state.health.status != "gone":
                    return now, ""
                if not (may_open and self._auto_open):
                    raise self._missing(now)
                return await self._opened(self._way, budget)
            if opening.abandoned:
                await opening.wait(budget, "what is left of another call's browser to end")
                continue
            await opening.wait(budget, "another call to open the browser")
            try:
                return opening.result()
            except TabwardenError:
                # One that had no less time than this call has would fail again.
                if opening.abandoned or budget.deadline <= opening.budget.deadline:
                    raise

    async def open(self, way: Way, budget: Budget) -> tuple[Browser, str]:
        """Open a browser; later ones, should it be gone, are got the same way.

        Raises:
            AlreadyOpen: one is open: one a session.
            BudgetExceeded, Cancelled, EndpointUnreachable, LaunchFailed: see ``browser``.
        """
        await self._no_opening(budget)
        now = self.current
        if now is not None and now.state.health.status != "gone":
            raise AlreadyOpen(
                "A browser is open already: one at a time.",
                "Go on with it, or close it first (browser_close).",
            )
        return await self._opened(way, budget)

    async def connect(self, endpoint: str, budget: Budget) -> tuple[Browser, str]:
        """Attach to a running browser instead of what is open, which is left once that is done.

        A launched one is closed then; tabs and refs are not carried over. Where it fails what is
        open stays.

        Raises:
            BudgetExceeded, Cancelled, EndpointUnreachable, InvalidArgument: see ``browser``.
        """
        await self._no_opening(budget)
        return await self._opened(Way(endpoint=endpoint), budget)

    async def disconnect(self, budget: Budget) -> str:
        """Leave a browser that was attached to; it runs on. What there is to say of it.

        Raises:
            NotOpen: none is open. NotSupported: it was launched, and would end.
        """
        await self._no_opening(budget)
        now = self.current
        if now is None:
            raise NotOpen("No browser is connected.", "browser_connect attaches to one.")
        if now.is_launched:
            raise NotSupported(
                "This browser was launched by Tabwarden: it would not run on.",
                "browser_close ends it.",
            )
        self._way = Way()
        lost = " This task's tabs and logins in it are gone." if now.has_own_context else ""
        await now.close(timeout_ms=budget)
        self._changed()
        return f"Disconnected; the browser runs on.{lost} browser_connect attaches to one again."

    async def close(self, budget: Budget | None = None) -> None:
        """Close what is open, or is being opened."""
        self._way = Way()
        if self._opening is not None:
            self._opening.abandon()
            await self._opening.ended()
        if self._browser is not None:
            await self._browser.close(timeout_ms=budget)
        self._unreachable = False
        self._changed()

    # -- opening -------------------------------------------------------------------------------

    async def _no_opening(self, budget: Budget) -> None:
        while self._opening is not None:
            await self._opening.wait(budget, "another call to open the browser")

    async def _opened(self, way: Way, budget: Budget) -> tuple[Browser, str]:
        # A little less than the longest that a call waits: what it fails with is told in time.
        lasting = Budget(max(budget.remaining_ms(), self._opening_ms) * _IN_TIME)
        work = self._open(way, self.current, lasting)
        opening = self._opening = SharedOpening(work, lasting, self._opening_ended)
        await opening.wait(budget, "the browser to open")
        return opening.result()

    def _opening_ended(self) -> None:
        self._opening = None
        self._changed()

    async def _open(self, way: Way, before: Browser | None, budget: Budget) -> tuple[Browser, str]:
        try:
            fresh = await self._open_browser(way, budget)
        except (EndpointUnreachable, LaunchFailed):
            self._unreachable = before is None or before.state.health.status == "gone"
            raise
        self._way, self._unreachable = way, False
        if self._browser is not None:
            fresh.continue_refs_of(self._browser)
        self._browser = fresh
        self._heed(fresh)
        if before is None:
            return fresh, ""
        health = before.state.health
        became = "closed" if before.is_launched else "left"
        note = (
            f"The last browser is gone ({health.reason}); this is a fresh one: "
            "its pages, logins and refs are lost."
            if health.status == "gone"
            else f"The browser that was open before was {became}; its refs mean nothing any more."
        )
        await before.close()
        return fresh, note

    # -- what is lacking -----------------------------------------------------------------------

    def _heed(self, browser: Browser) -> None:
        loop = asyncio.get_running_loop()

        def told(_: Notice) -> None:  # on the engine's thread
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._changed)

        browser.events(EndpointLost, EndpointRegained, callback=told)

    def _changed(self) -> None:
        for watcher in list(self._watchers):
            watcher()

    @staticmethod
    def _missing(gone: Browser | None) -> NotOpen | BrowserGone:
        if gone is None:
            return NotOpen("No browser is open.", "browser_navigate or browser_open opens one.")
        reason = gone.state.health.reason
        return BrowserGone(
            f"The browser is gone: {reason}.",
            "browser_navigate opens a fresh one; the old one's pages are lost.",
            reason=reason,
        )
