"""The lifeline: a connection that was lost is made again, unless it never holds."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.supervisor.patience import RECONNECT_MS, Flapping, reconnect_attempts
from tabwarden.telemetry import Telemetry

__all__ = ["Lifeline"]

log = logging.getLogger("tabwarden.supervisor")


class Lifeline:
    """Of one supervisor; belongs to the engine's loop.

    Args:
        telemetry: of its task.
        connect: makes the connection again, and takes charge of what is there.
        given_up: called with the reason when it can't be made.
        spawn: runs a coroutine beside the calls.
    """

    def __init__(
        self,
        telemetry: Telemetry,
        *,
        connect: Callable[[Budget], Awaitable[None]],
        given_up: Callable[[str], None],
        spawn: Callable[[Coroutine[Any, Any, None]], asyncio.Task[Any]],
    ) -> None:
        self._telemetry = telemetry
        self._connect = connect
        self._given_up = given_up
        self._spawn = spawn
        self._flapping = Flapping()
        self._work: asyncio.Task[Any] | None = None

    def broke(self, reason: str) -> str | None:
        """A connection was lost: None when it may be made again, or why that is given up."""
        if not self._flapping.lost(time.monotonic()):
            return None
        self._telemetry.reconnect(
            "given_up", reason=(why := f"{reason}; each connection since broke, too")
        )
        if self._work is not None:
            self._work.cancel()
        return why

    def mend(self, reason: str) -> None:
        """Make it again, beside the calls; ``reason`` is why it was lost."""
        # An attempt that fails halfway is told so by its own calls, and goes on to the next.
        if self._work is None or self._work.done():
            self._work = self._spawn(self._mended(reason))

    async def _mended(self, reason: str) -> None:
        try:
            await asyncio.sleep(self._flapping.pause_s)
            async for attempt in reconnect_attempts():
                with attempt:
                    self._telemetry.reconnect("tried")
                    await self._connect(Budget(RECONNECT_MS))
                    self._flapping.regained(time.monotonic())
                    self._telemetry.reconnect("done")
        except Exception as error:  # whatever it is: nobody may wait for this connection any more
            if not isinstance(error, TabwardenError):
                log.exception("reconnecting failed")
            self._telemetry.reconnect("given_up", reason=str(error))
            self._given_up(f"{reason}; reconnecting failed: {error}")
