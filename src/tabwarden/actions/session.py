"""Session: one agent's browser behind a surface, opened when it is first needed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tabwarden.browser import Browser
from tabwarden.errors import BrowserGone, NotOpen

__all__ = ["Session"]


class Session:
    """Opens a browser on demand, and a fresh one when the last is gone and the agent goes on.

    Args:
        open_browser: ``await open_browser(timeout_ms)`` gives a new browser.
        auto_open: open on the first action that may; else ``open`` must be called.
    """

    def __init__(
        self,
        open_browser: Callable[[float | None], Awaitable[Browser]],
        *,
        auto_open: bool = True,
    ) -> None:
        self._open_browser = open_browser
        self._auto_open = auto_open
        self._browser: Browser | None = None
        self._lock = asyncio.Lock()

    @property
    def current(self) -> Browser | None:
        """The browser that is open, if any."""
        return self._browser if self._browser is not None and self._browser.is_open else None

    async def browser(self, *, may_open: bool, timeout_ms: float | None) -> tuple[Browser, str]:
        """The browser for an action, and a note when it is a fresh one.

        Raises:
            NotOpen: none is open and this action opens none.
            BrowserGone: the last one is gone and this action opens none.
        """
        async with self._lock:
            now = self.current
            gone = now is not None and now.state.health.status == "gone"
            if now is not None and not gone:
                return now, ""
            if not (may_open and self._auto_open):
                raise self._missing(now)
            fresh = await self._open_browser(timeout_ms)
            note = ""
            if self._browser is not None:
                fresh.continue_refs_of(self._browser)
            if now is not None:
                note = (
                    f"The last browser is gone ({now.state.health.reason}); this is a fresh one: "
                    "its pages, logins and refs are lost."
                )
                await now.close()
            self._browser = fresh
            return fresh, note

    async def close(self) -> None:
        """Close what is open."""
        if self._browser is not None:
            await self._browser.close()

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
