"""BorrowedSession: a session on a browser that the program opens and closes itself."""

from __future__ import annotations

from tabwarden.actions import Session, Way
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.errors import BrowserGone, Denied, NotOpen
from tabwarden.sync import Browser as SyncBrowser


class BorrowedSession(Session):
    """A session for tools that use the program's own browser, which may be async or sync.

    The tools never open, close or disconnect a browser.
    """

    is_lent = True

    def __init__(self, browser: Browser | SyncBrowser) -> None:
        super().__init__(self._none_else)
        self._lender = browser
        if not isinstance(browser, Browser):  # a sync browser has the same kind of task
            browser = Browser(browser.inside.task, browser.config)
        self._browser = browser

    @property
    def current(self) -> Browser | None:
        return self._browser if self._lender.is_open else None

    def configure(self, config: BrowserConfig) -> None:
        """Do nothing, because the program configures its browser itself."""

    async def open(self, way: Way, budget: Budget) -> tuple[Browser, str]:
        _ = way, budget
        raise _not_yours()

    async def connect(self, way: Way, budget: Budget) -> tuple[Browser, str]:
        _ = way, budget
        raise _not_yours()

    async def disconnect(self, budget: Budget) -> str:
        _ = budget
        raise _not_yours()

    async def close(self, budget: Budget | None = None, *, reason: str = "") -> None:
        _ = budget, reason
        raise _not_yours()

    async def _none_else(self, way: Way, budget: Budget) -> Browser:
        """Raise an error, because the program's browser is closed or gone."""
        _ = way, budget
        if not self._lender.is_open:
            raise NotOpen(
                "The host program closed its browser.",
                "Tell the user that the host program closed the browser.",
            )
        reason = self._lender.state.health.reason
        raise BrowserGone(
            f"The browser is gone: {reason}.",
            "Tell the user that the host program must open another browser.",
            reason=reason,
        )


def _not_yours() -> Denied:
    return Denied(
        "Only the host program may open and close this browser.",
        "Continue with the open browser.",
    )
