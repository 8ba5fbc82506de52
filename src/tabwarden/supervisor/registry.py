"""The registry: one supervisor a task, however many threads ask at once."""

from __future__ import annotations

import asyncio

from tabwarden.budget import Budget
from tabwarden.endpoints import Endpoint, endpoint_of
from tabwarden.errors import InvalidArgument
from tabwarden.supervisor.driver import CDPSupervisor
from tabwarden.supervisor.loop import EngineLoop, engine_loop
from tabwarden.supervisor.state import Policy

__all__ = ["SupervisorRegistry"]

_DEFAULT_START_MS = 30_000.0


class SupervisorRegistry:
    """Keeps one running ``CDPSupervisor`` for each ``task_id``. Safe from any thread.

    Args:
        engine: the loop that serves them all; the process's own by default.
    """

    def __init__(self, engine: EngineLoop | None = None) -> None:
        self._engine = engine or engine_loop()
        self._supervisors: dict[str, CDPSupervisor] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self._engine.at_shutdown(self.stop_all_async)

    def get(self, task_id: str) -> CDPSupervisor | None:
        """The running supervisor of a task, or None; never waits."""
        return self._supervisors.get(task_id)

    def get_or_start(
        self,
        task_id: str,
        cdp_url: str | Endpoint,
        *,
        policy: Policy | None = None,
        budget: Budget | None = None,
    ) -> CDPSupervisor:
        """The task's supervisor, started if there is none.

        A changed ``cdp_url`` is a rebind: the old supervisor is stopped and a fresh one started;
        no state is carried over. The same one again returns the running supervisor, unless its
        browser is gone: then it is started anew. Not for the engine's own thread.

        Args:
            task_id: names the task; any non-empty string.
            cdp_url: ``http(s)://``, ``ws(s)://``, or an ``Endpoint``.
            policy: for dialogs; used when a supervisor is started.
            budget: for the start; 30 s by default.

        Raises:
            InvalidArgument: an empty ``task_id``, a URL of a wrong kind.
            EndpointUnreachable, LaunchFailed: no browser.
        """
        return self._engine.run_sync(
            self.get_or_start_async(task_id, cdp_url, policy=policy, budget=budget)
        )

    async def get_or_start_async(
        self,
        task_id: str,
        cdp_url: str | Endpoint,
        *,
        policy: Policy | None = None,
        budget: Budget | None = None,
    ) -> CDPSupervisor:
        """``get_or_start`` for callers on the engine's loop."""
        if not task_id or not isinstance(task_id, str):
            raise InvalidArgument("task_id must be a non-empty string.", field="task_id")
        endpoint = endpoint_of(cdp_url)
        async with self._turn(task_id):
            running = self._supervisors.get(task_id)
            if running is not None:
                if running.endpoint.key == endpoint.key and running.state.health.status != "gone":
                    return running
                await self._stop(task_id)
            supervisor = CDPSupervisor(task_id, endpoint, policy or Policy())
            await supervisor.start(budget or Budget(_DEFAULT_START_MS))
            self._supervisors[task_id] = supervisor
            return supervisor

    def stop(self, task_id: str) -> None:
        """Stop a task's supervisor and end its browser if we launched it; no matter if none."""
        self._engine.run_sync(self.stop_async(task_id))

    def stop_all(self) -> None:
        """Stop every supervisor."""
        self._engine.run_sync(self.stop_all_async())

    async def stop_async(self, task_id: str) -> None:
        """``stop`` for callers on the engine's loop."""
        async with self._turn(task_id):
            await self._stop(task_id)

    async def stop_all_async(self) -> None:
        """``stop_all`` for callers on the engine's loop."""
        await asyncio.gather(*(self.stop_async(task_id) for task_id in list(self._turns)))

    async def _stop(self, task_id: str) -> None:
        supervisor = self._supervisors.pop(task_id, None)
        if supervisor is not None:
            await supervisor.stop()

    def _turn(self, task_id: str) -> asyncio.Lock:
        """Starts and stops of one task go one after the other. Engine's thread only."""
        return self._turns.setdefault(task_id, asyncio.Lock())
