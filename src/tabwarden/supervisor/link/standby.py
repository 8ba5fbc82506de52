"""Open the guard after the connection is open, and open it again after it is lost.

``standby_connection.py`` explains what a guard does. This module decides when to open a guard, and
passes the guard's reports to the state machine.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from tabwarden.budget import Budget
from tabwarden.endpoints import Endpoint
from tabwarden.protocol import Command, page
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.link.backoff import ReconnectLimit
from tabwarden.supervisor.link.reconnector import RECONNECT_MS
from tabwarden.supervisor.link.standby_connection import Guard, post_guard
from tabwarden.telemetry import Telemetry
from tabwarden.wire import Reply


class Standby:
    """Manages at most one guard, on the engine's loop. ``is_wanted()`` says whether a guard is
    still needed."""

    def __init__(
        self,
        endpoint: Endpoint,
        telemetry: Telemetry,
        *,
        state: Callable[[], SupervisorState],
        feed: Callable[[inputs.Input], None],
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        is_wanted: Callable[[], bool],
    ) -> None:
        self.guard: Guard | None = None
        self._endpoint = endpoint
        self._telemetry = telemetry
        self._state = state
        self._feed = feed
        self._spawn = spawn
        self._is_wanted = is_wanted
        self._flapping = ReconnectLimit()

    @property
    def targets(self) -> frozenset[str]:
        """The targets whose dialogs the guard keeps open."""
        return self.guard.targets if self.guard is not None else frozenset()

    async def fill(self, after_s: float = 0.0) -> None:
        """Open a guard, unless one is open or the endpoint accepts only one connection."""
        await asyncio.sleep(after_s)
        if self.guard is not None or not self._is_wanted():
            return
        guard = await post_guard(self._endpoint, Budget(RECONNECT_MS), self._told, self._lost)
        if guard is None:
            self._telemetry.fallback("no_guard", "refused")
        elif self._state().health.status != "live" or self.guard is not None:
            # a guard that is still closing may occupy the endpoint's only connection
            await guard.aclose()
            return
        self.guard = guard
        self._flapping.regained(time.monotonic())
        for session in self._state().sessions.values():
            self.watch(session.session_id)

    def watch(self, session_id: str) -> None:
        """Let the guard watch a session's target, if it is a page and is set up."""
        session = self._state().sessions.get(session_id)
        if self.guard is None or session is None or session.target_type != "page":
            return
        if session.ready:
            self.guard.watch(session.target_id)

    def send(
        self, command: Command[Any], target_id: str, on_reply: Callable[[Reply], None] | None
    ) -> None:
        """Send a command to a page over the guard's connection; does nothing without a guard."""
        if self.guard is not None:
            self.guard.send(command, target_id, on_reply)

    def tell_again(self) -> None:
        """Report the guard's open dialogs to the state machine again, in case it missed them."""
        for target_id, dialog in self.guard.dialogs.items() if self.guard is not None else ():
            self._told(target_id, dialog)

    async def aclose(self) -> None:
        if self.guard is not None:
            await self.guard.aclose()

    def _told(self, target_id: str, dialog: page.JavascriptDialogOpening) -> None:
        self._feed(inputs.GuardTold(target_id, dialog))

    def _lost(self) -> None:
        self.guard = None
        if not self._is_wanted():
            return
        self._telemetry.fallback("no_guard", "lost")
        self._feed(inputs.GuardLost())
        if not self._flapping.lost(time.monotonic()):
            self._spawn(self.fill(after_s=self._flapping.pause_s))
