"""The registry: one supervisor a task, however many threads ask at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from tabwarden.budget import MAX_TIMEOUT_MS, Budget
from tabwarden.endpoints import Endpoint, endpoint_of
from tabwarden.errors import BudgetExceeded, InvalidArgument
from tabwarden.supervisor.contexts import OwnContext
from tabwarden.supervisor.driver import CDPSupervisor
from tabwarden.supervisor.loop import EngineLoop, engine_loop
from tabwarden.supervisor.policy import Policy

__all__ = ["SupervisorRegistry"]

T = TypeVar("T")
_DEFAULT_MS = 30_000.0
_LAST_WORDS_MS = 25.0
"""So much later than the budget a start is given up: an endpoint says better why it failed."""


class SupervisorRegistry:
    """Keeps one running ``CDPSupervisor`` for each ``task_id``. Safe from any thread.

    Args:
        engine: the loop that serves them all; the process's own by default.
    """

    def __init__(self, engine: EngineLoop | None = None) -> None:
        self._engine = engine or engine_loop()
        self._supervisors: dict[str, CDPSupervisor] = {}
        self._turns: dict[str, _Turn] = {}
        """Of tasks that run, start or stop."""
        self._working: set[asyncio.Task[Any]] = set()
        self._engine.at_shutdown(self.stop_all_async)

    def get(self, task_id: str) -> CDPSupervisor | None:
        """The running supervisor of the task ``task_id``, or None; never waits."""
        return self._supervisors.get(task_id)

    def get_or_start(
        self,
        task_id: str,
        cdp_url: str | Endpoint,
        *,
        policy: Policy | None = None,
        context: OwnContext | None = None,
        budget: Budget | None = None,
    ) -> CDPSupervisor:
        """The task's supervisor, started if there is none.

        A changed ``cdp_url`` or ``context`` is a rebind: the old supervisor is stopped and a fresh
        one started; no state is carried over. The same one again returns the running supervisor,
        unless its browser is gone: then it is started anew. Not for the engine's own thread.

        Args:
            task_id: names the task; any non-empty string.
            cdp_url: ``http(s)://``, ``ws(s)://``, or an ``Endpoint``.
            policy: for dialogs; used when a supervisor is started.
            context: the task gets a browser context of its own there; None: it shares all tabs.
            budget: for all of it, the wait for other starts and stops of the task too; 30 s by
                default.

        Raises:
            InvalidArgument: an empty ``task_id``, a URL of a wrong kind.
            EndpointUnreachable, LaunchFailed: no browser. NotSupported: it makes no contexts.
            BudgetExceeded, Cancelled: it says what was waited for. Nothing is left running.
        """
        return self._engine.run_sync(
            self.get_or_start_async(task_id, cdp_url, policy=policy, context=context, budget=budget)
        )

    async def get_or_start_async(
        self,
        task_id: str,
        cdp_url: str | Endpoint,
        *,
        policy: Policy | None = None,
        context: OwnContext | None = None,
        budget: Budget | None = None,
    ) -> CDPSupervisor:
        """``get_or_start`` for callers on the engine's loop."""
        if not task_id or not isinstance(task_id, str):
            raise InvalidArgument("task_id must be a non-empty string.", field="task_id")
        endpoint = endpoint_of(cdp_url)
        budget = budget or Budget(_DEFAULT_MS)
        # On its own, so that a caller who leaves is not held up by what has to be cleared away.
        wanted = (task_id, endpoint, policy or Policy(), context)
        starting = self._work(self._get_or_start(*wanted, budget))
        try:
            async with _a_moment_more(budget).waiting_for("the browser to open"):
                await asyncio.wait([starting])
        except asyncio.CancelledError:
            starting.cancel()
            await asyncio.wait([starting])
            raise
        return starting.result()

    async def _get_or_start(
        self,
        task_id: str,
        endpoint: Endpoint,
        policy: Policy,
        context: OwnContext | None,
        budget: Budget,
    ) -> CDPSupervisor:
        async with self._turn(task_id, budget):
            running = self._supervisors.get(task_id)
            if running is not None:
                same = running.endpoint.key == endpoint.key and running.own_context == context
                if same and running.state.health.status != "gone":
                    return running
                ending = self._work(self._stop(task_id))
                async with budget.waiting_for("the task's last browser to end"):
                    await asyncio.wait([ending])
            supervisor = CDPSupervisor(task_id, endpoint, policy, context)
            try:
                async with _a_moment_more(budget).waiting_for("the browser to open"):
                    await supervisor.start(budget)
            except TimeoutError:
                raise BudgetExceeded(
                    f"The browser was there, but did not answer within {budget.timeout_ms:g} ms.",
                    "Allow more time (timeout_ms), or start the browser again.",
                    timeout_ms=budget.timeout_ms,
                ) from None
            self._supervisors[task_id] = supervisor
            return supervisor

    def stop(self, task_id: str, *, budget: Budget | None = None) -> None:
        """Stop a task's supervisor and end its browser if we launched it; no matter if none.

        Args:
            task_id: names the task.
            budget: how long to wait for that; 30 s by default. It is done all the same.

        Raises:
            BudgetExceeded, Cancelled: it is not done yet.
        """
        self._engine.run_sync(self.stop_async(task_id, budget=budget))

    def stop_all(self) -> None:
        """Stop every supervisor."""
        self._engine.run_sync(self.stop_all_async())

    async def stop_async(self, task_id: str, *, budget: Budget | None = None) -> None:
        """``stop`` for callers on the engine's loop."""
        stopping = self._work(self._stop_in_turn(task_id))
        async with (budget or Budget(_DEFAULT_MS)).waiting_for("the browser to end"):
            await asyncio.wait([stopping])
        stopping.result()

    async def stop_all_async(self) -> None:
        """``stop_all`` for callers on the engine's loop."""
        await asyncio.gather(*(self.stop_async(task_id) for task_id in list(self._turns)))

    async def _stop_in_turn(self, task_id: str) -> None:
        async with self._turn(task_id, Budget(MAX_TIMEOUT_MS)):
            await self._stop(task_id)

    async def _stop(self, task_id: str) -> None:
        supervisor = self._supervisors.pop(task_id, None)
        if supervisor is not None:
            await supervisor.stop()

    @asynccontextmanager
    async def _turn(self, task_id: str, budget: Budget) -> AsyncIterator[None]:
        """Starts and stops of one task go one after the other. Engine's thread only."""
        turn = self._turns.setdefault(task_id, _Turn())
        turn.wanted += 1
        try:
            async with budget.waiting_for("another call that opens or closes this browser"):
                await turn.lock.acquire()
            try:
                yield
            finally:
                turn.lock.release()
        finally:
            turn.wanted -= 1
            if not turn.wanted and task_id not in self._supervisors:
                del self._turns[task_id]

    def _work(self, coroutine: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something that goes on when its caller has left."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._working.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._working.discard(task)
        if not task.cancelled():
            task.exception()  # seen, even if its caller has left


class _Turn:
    """Who starts or stops a task, and how many wait to."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.wanted = 0


def _a_moment_more(budget: Budget) -> Budget:
    return budget.child(headroom_ms=-_LAST_WORDS_MS)
