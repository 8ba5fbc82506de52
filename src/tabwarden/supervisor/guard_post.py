"""The guard's post: filled once the connection stands, and again when a guard is lost.

What a guard is for is in ``guard.py``; here is when there is one, and what the machine hears of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from tabwarden.budget import Budget
from tabwarden.endpoints import Endpoint
from tabwarden.protocol import Command, page
from tabwarden.supervisor import machine
from tabwarden.supervisor.guard import Guard, post_guard
from tabwarden.supervisor.patience import RECONNECT_MS, Flapping
from tabwarden.supervisor.state import SupervisorState
from tabwarden.telemetry import Telemetry
from tabwarden.wire import Reply

__all__ = ["GuardPost"]


class GuardPost:
    """Where one guard stands, or none; belongs to the engine's loop.

    Args:
        endpoint: what it connects to.
        telemetry: of its task.
        state: gives the state as it is.
        feed: puts an input through the machine.
        spawn: runs a coroutine beside the calls.
        is_wanted: whether there is still something to guard.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        telemetry: Telemetry,
        *,
        state: Callable[[], SupervisorState],
        feed: Callable[[machine.Input], None],
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
        self._flapping = Flapping()

    @property
    def targets(self) -> frozenset[str]:
        """The pages whose dialogs are held."""
        return self.guard.targets if self.guard is not None else frozenset()

    async def fill(self, after_s: float = 0.0) -> None:
        """Post a guard, unless one stands there; does nothing where the endpoint takes only one
        connection."""
        await asyncio.sleep(after_s)
        if self.guard is not None or not self._is_wanted():  # one that stands by has held on
            return
        guard = await post_guard(self._endpoint, Budget(RECONNECT_MS), self._told, self._lost)
        if guard is None:
            self._telemetry.fallback("no_guard", "refused")
        elif self._state().health.status != "live" or self.guard is not None:
            await guard.aclose()  # it may stand in the only place that there is
            return
        self.guard = guard
        self._flapping.regained(time.monotonic())
        for session in self._state().sessions.values():
            self.watch(session.session_id)

    def watch(self, session_id: str) -> None:
        """Stand by on a session's page, if it is one and is set up."""
        session = self._state().sessions.get(session_id)
        if self.guard is None or session is None or session.target_type != "page":
            return
        if session.ready:
            self.guard.watch(session.target_id)

    def send(
        self, command: Command[Any], target_id: str, on_reply: Callable[[Reply], None] | None
    ) -> None:
        """Send a command to a page on the guard's session, if there is a guard."""
        if self.guard is not None:
            self.guard.send(command, target_id, on_reply)

    def tell_again(self) -> None:
        """Tell the machine of the dialogs that are open: it may not have heard of them."""
        for target_id, dialog in self.guard.dialogs.items() if self.guard is not None else ():
            self._told(target_id, dialog)

    async def aclose(self) -> None:
        """Withdraw the guard."""
        if self.guard is not None:
            await self.guard.aclose()

    def _told(self, target_id: str, dialog: page.JavascriptDialogOpening) -> None:
        self._feed(machine.GuardTold(target_id, dialog))

    def _lost(self) -> None:
        self.guard = None
        if not self._is_wanted():
            return
        self._telemetry.fallback("no_guard", "lost")
        self._feed(machine.GuardLost())
        if not self._flapping.lost(time.monotonic()):
            self._spawn(self.fill(after_s=self._flapping.pause_s))
