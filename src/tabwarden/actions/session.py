"""Session: one agent's browser behind a surface, opened when it is first needed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from tabwarden.actions.shared_opening import SharedOpening
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import BrowserGone, NotOpen, TabwardenError

__all__ = ["Session"]

_IN_TIME = 0.99


class Session:
    """Opens a browser on demand, and a fresh one when the last is gone and the agent goes on.

    Belongs to one event loop; any number of calls may share it.

    Args:
        open_browser: ``await open_browser(budget)`` gives a new browser.
        auto_open: open on the first action that may; else ``open`` must be called.
        opening_ms: what an opening may take, even when the call that began it has less: others
            may wait for the same one.
    """

    def __init__(
        self,
        open_browser: Callable[[Budget], Awaitable[Browser]],
        *,
        auto_open: bool = True,
        opening_ms: float = 30_000,
    ) -> None:
        self._open_browser = open_browser
        self._auto_open = auto_open
        self._opening_ms = opening_ms
        self._browser: Browser | None = None
        self._opening: SharedOpening | None = None

    @property
    def current(self) -> Browser | None:
        """The browser that is open, if any."""
        return self._browser if self._browser is not None and self._browser.is_open else None

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
                opening = self._opening = self._start_opening(now, budget)
                await opening.wait(budget, "the browser to open")
                return opening.result()
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

    async def close(self) -> None:
        """Close what is open, or is being opened."""
        if self._opening is not None:
            self._opening.abandon()
            await self._opening.ended()
        if self._browser is not None:
            await self._browser.close()

    def _start_opening(self, gone: Browser | None, budget: Budget) -> SharedOpening:
        # A little less than the longest that a call waits: what it fails with is told in time.
        lasting = Budget(max(budget.remaining_ms(), self._opening_ms) * _IN_TIME)
        return SharedOpening(self._open(gone, lasting), lasting, self._opening_ended)

    def _opening_ended(self) -> None:
        self._opening = None

    async def _open(self, gone: Browser | None, budget: Budget) -> tuple[Browser, str]:
        fresh = await self._open_browser(budget)
        if self._browser is not None:
            fresh.continue_refs_of(self._browser)
        self._browser = fresh
        if gone is None:
            return fresh, ""
        note = (
            f"The last browser is gone ({gone.state.health.reason}); this is a fresh one: "
            "its pages, logins and refs are lost."
        )
        await gone.close()
        return fresh, note

    @staticmethod
    def _missing(gone: Browser | None) -> NotOpen | BrowserGone:
        if gone is None:
            return NotOpen("No browser is open.", "browser_navigate opens one.")
        reason = gone.state.health.reason
        return BrowserGone(
            f"The browser is gone: {reason}.",
            "browser_navigate opens a fresh one; the old one's pages are lost.",
            reason=reason,
        )
