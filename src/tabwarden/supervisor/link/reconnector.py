"""The reconnector: restore a lost connection, unless each new connection breaks too."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.supervisor.link.backoff import ReconnectLimit, reconnect_attempts
from tabwarden.telemetry import Telemetry

RECONNECT_MS = 10_000.0
"""The budget of one attempt to reconnect."""


log = logging.getLogger("tabwarden.supervisor")


class Reconnector:
    """Reconnects one supervisor, on the engine's loop. ``connect`` also reads the browser's current
    state. ``given_up`` is called with the reason if reconnecting fails.
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
        self._flapping = ReconnectLimit()
        self._work: asyncio.Task[Any] | None = None

    def broke(self, reason: str) -> str | None:
        """Record a lost connection. Return the reason for giving up, or None to reconnect."""
        if not self._flapping.lost(time.monotonic()):
            return None
        self._telemetry.reconnect(
            "given_up", reason=(why := f"{reason}; all new connections were lost too")
        )
        if self._work is not None:
            self._work.cancel()
        return why

    def mend(self, reason: str) -> None:
        """Reconnect in the background; ``reason`` says why the connection was lost."""
        # An attempt that is already running retries by itself if its connection breaks.
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
        except Exception as error:  # any error: no call may keep waiting for this connection
            if not isinstance(error, TabwardenError):
                log.exception("reconnecting failed")
            self._telemetry.reconnect("given_up", reason=str(error))
            self._given_up(f"{reason}; reconnecting failed: {error}")
