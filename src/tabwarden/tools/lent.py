"""LentSession: a session on a browser that the program opened, and closes itself."""

from __future__ import annotations

from tabwarden.actions import Session, Way
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import BrowserGone, Denied, NotOpen
from tabwarden.sync import Browser as SyncBrowser

__all__ = ["LentSession"]


class LentSession(Session):
    """The tools of a browser that somebody else owns: used, never opened, left or closed.

    Args:
        browser: it; the sync twin does as well.
    """

    def __init__(self, browser: Browser | SyncBrowser) -> None:
        super().__init__(self._none_else)
        self._lender = browser
        # The twins are two doors to one task: what was opened by one is reached by the other.
        same = browser if isinstance(browser, Browser) else Browser(browser._task, browser.config)
        self._browser = same

    @property
    def current(self) -> Browser | None:
        """See ``Session.current``."""
        return self._browser if self._lender.is_open else None

    def configure(self, config: BrowserConfig) -> None:
        """See ``Session.configure``: who opened it says what it obeys."""

    async def open(self, way: Way, budget: Budget) -> tuple[Browser, str]:
        """See ``Session.open``; always refused."""
        _ = way, budget
        raise _not_yours()

    async def connect(self, endpoint: str, budget: Budget) -> tuple[Browser, str]:
        """See ``Session.connect``; always refused."""
        _ = endpoint, budget
        raise _not_yours()

    async def disconnect(self, budget: Budget) -> str:
        """See ``Session.disconnect``; always refused."""
        _ = budget
        raise _not_yours()

    async def close(self, budget: Budget | None = None) -> None:
        """See ``Session.close``; always refused."""
        _ = budget
        raise _not_yours()

    async def _none_else(self, way: Way, budget: Budget) -> Browser:
        """What is asked when no browser is there, or the one that was is gone."""
        _ = way, budget
        if not self._lender.is_open:
            raise NotOpen(
                "The program has closed its browser.", "There is none to go on with: say so."
            )
        reason = self._lender.state.health.reason
        raise BrowserGone(
            f"The browser is gone: {reason}.",
            "The program opened it and has to open another: say so.",
            reason=reason,
        )


def _not_yours() -> Denied:
    return Denied(
        "The program that runs you opened this browser, and opens and closes it itself.",
        "Go on with it as it is.",
    )
