"""Arming: files that wait for the next file chooser of a tab, for clients that name them first."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.events import FileChooserOpened, TabClosed

__all__ = ["Arming"]

log = logging.getLogger("tabwarden.http")


class Arming:
    """What was armed, one thing a tab; the next takes the place of the last."""

    def __init__(self) -> None:
        self._armed: dict[tuple[Browser, str], asyncio.Task[None]] = {}

    def arm(
        self, browser: Browser, tab_id: str, budget: Budget, give: Callable[[], Awaitable[Any]]
    ) -> None:
        """Call ``give`` when a tab's next file chooser opens.

        Args:
            browser: whose tab.
            tab_id: which.
            budget: how long this lasts, ``give`` included; cancelling it disarms.
            give: answers the chooser. Where that fails the chooser stays, for all to see.
        """
        key = (browser, tab_id)
        before = self._armed.pop(key, None)
        if before is not None:
            before.cancel()
        # Subscribed now: a click that comes after this can't be quicker.
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
        """Disarm everything."""
        armed = list(self._armed.values())
        for one in armed:
            one.cancel()
        await asyncio.gather(*armed, return_exceptions=True)

    def _over(self, key: tuple[Browser, str], done: asyncio.Task[None]) -> None:
        if self._armed.get(key) is done:
            del self._armed[key]
        error = None if done.cancelled() else done.exception()
        if isinstance(error, TabwardenError):
            log.info("files that were armed for tab %s were not given: %s", key[1], error.code)
        elif error is not None:
            log.error("files that were armed for tab %s were not given", key[1], exc_info=error)
