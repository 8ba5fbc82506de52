"""Prepared answers: a client may answer a tab's next file chooser or dialog before it opens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.events import DialogOpened, FileChooserOpened, TabClosed

log = logging.getLogger("tabwarden.http")


_Prompt = TypeVar("_Prompt", FileChooserOpened, DialogOpened)
_Key = tuple[Browser, str, type[FileChooserOpened] | type[DialogOpened]]


class Arming:
    """The prepared answers, one per tab and kind of prompt. A new answer replaces the old one."""

    def __init__(self) -> None:
        self._armed: dict[_Key, asyncio.Task[None]] = {}

    def arm(
        self,
        browser: Browser,
        tab_id: str,
        prompt: type[_Prompt],
        budget: Budget,
        give: Callable[[_Prompt], Awaitable[Any]],
    ) -> None:
        """Call ``give`` when a tab's next prompt of this kind opens.

        Args:
            prompt: the event that says that such a prompt opened.
            budget: the limit for the wait and for ``give``. Cancelling the budget ends the wait.
            give: answers the prompt. If ``give`` fails, the state still shows the open prompt.
        """
        key = (browser, tab_id, prompt)
        before = self._armed.pop(key, None)
        if before is not None:
            before.cancel()
        # Subscribe now, so that we see every prompt that opens after this call.
        events = browser.events(prompt, TabClosed)

        async def waiting() -> None:
            with events:
                async with budget.waiting_for("a prompt to open"):
                    async for event in events:
                        if event.tab_id == tab_id:
                            break
                    else:
                        return
            if isinstance(event, prompt):
                await give(event)

        armed = asyncio.create_task(waiting())
        self._armed[key] = armed
        armed.add_done_callback(lambda done: self._over(key, done))

    async def answered(self, browser: Browser, tab_id: str, budget: Budget) -> None:
        """Wait until the prepared answer to a dialog that has just opened is given, if any is."""
        armed = self._armed.get((browser, tab_id, DialogOpened))
        if armed is not None:
            await asyncio.wait([armed], timeout=budget.remaining_s())

    async def close(self) -> None:
        armed = list(self._armed.values())
        for one in armed:
            one.cancel()
        await asyncio.gather(*armed, return_exceptions=True)

    def _over(self, key: _Key, done: asyncio.Task[None]) -> None:
        if self._armed.get(key) is done:
            del self._armed[key]
        error = None if done.cancelled() else done.exception()
        if isinstance(error, TabwardenError):
            log.info("the answer prepared for tab %s was not given: %s", key[1], error.code)
        elif error is not None:
            log.error("the answer prepared for tab %s was not given", key[1], exc_info=error)
