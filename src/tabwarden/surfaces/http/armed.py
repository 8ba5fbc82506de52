"""Prepared files: a client may name the files before the tab opens a file chooser."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.events import FileChooserOpened, TabClosed

log = logging.getLogger("tabwarden.http")


class Arming:
    """The prepared files, one set per tab. A new set replaces the old set."""

    def __init__(self) -> None:
        self._armed: dict[tuple[Browser, str], asyncio.Task[None]] = {}

    def arm(
        self, browser: Browser, tab_id: str, budget: Budget, give: Callable[[], Awaitable[Any]]
    ) -> None:
        """Call ``give`` when a tab's next file chooser opens.

        Args:
            budget: the limit for the wait and for ``give``. Cancelling the budget ends the wait.
            give: answers the chooser. If ``give`` fails, the state still shows the open chooser.
        """
        key = (browser, tab_id)
        before = self._armed.pop(key, None)
        if before is not None:
            before.cancel()
        # Subscribe now, so that we see every chooser that opens after this call.
        events = browser.events(FileChooserOpened, TabClosed)

        async def waiting() -> None:
            with events:
                async with budget.waiting_for("a file chooser to open"):
                    async for event in events:
                        if event.tab_id == tab_id:
                            break
                    else:
                        return
            if isinstance(event, FileChooserOpened):
                await give()

        armed = asyncio.create_task(waiting())
        self._armed[key] = armed
        armed.add_done_callback(lambda done: self._over(key, done))

    async def close(self) -> None:
        armed = list(self._armed.values())
        for one in armed:
            one.cancel()
        await asyncio.gather(*armed, return_exceptions=True)

    def _over(self, key: tuple[Browser, str], done: asyncio.Task[None]) -> None:
        if self._armed.get(key) is done:
            del self._armed[key]
        error = None if done.cancelled() else done.exception()
        if isinstance(error, TabwardenError):
            log.info("files prepared for tab %s were not uploaded: %s", key[1], error.code)
        elif error is not None:
            log.error("files prepared for tab %s were not uploaded", key[1], exc_info=error)
