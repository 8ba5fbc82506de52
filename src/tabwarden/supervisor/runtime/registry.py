"""The registry: exactly one supervisor per task, even if many threads start it at once."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from tabwarden.budget import MAX_TIMEOUT_MS, Budget
from tabwarden.endpoints import Endpoint, endpoint_of
from tabwarden.endpoints.ahead import OpenedAhead
from tabwarden.engine import EngineLoop, engine_loop
from tabwarden.errors import BudgetExceeded, InvalidArgument
from tabwarden.hints import MORE_TIME, Hint
from tabwarden.supervisor.contexts import OwnContext, OwnWindow
from tabwarden.supervisor.core.state.policy import Policy
from tabwarden.supervisor.runtime.driver import CDPSupervisor

LAST_WORDS_MS = 100.0
"""If a start exceeds its budget, wait this much longer than the budget, so that the endpoint's more
detailed error can arrive first.
"""
START_MS = 30_000.0
"""The default budget for starting and for stopping a supervisor."""
T = TypeVar("T")


class SupervisorRegistry:
    """Keeps one running ``CDPSupervisor`` per ``task_id``. Thread-safe.

    Args:
        engine: the loop for all supervisors; by default the process's engine.
    """

    def __init__(self, engine: EngineLoop | None = None) -> None:
        self._engine = engine or engine_loop()
        self._supervisors: dict[str, CDPSupervisor] = {}
        self._turns: dict[str, _Turn] = {}
        """The locks of tasks that are running, starting or stopping."""
        self._working: set[asyncio.Task[Any]] = set()
        self._engine.at_shutdown(self.stop_all_async)

    def get(self, task_id: str) -> CDPSupervisor | None:
        """Return the running supervisor of ``task_id``, or None; never waits."""
        return self._supervisors.get(task_id)

    def get_or_start(
        self,
        task_id: str,
        cdp_url: str | Endpoint,
        *,
        policy: Policy | None = None,
        context: OwnContext | OwnWindow | None = None,
        budget: Budget | None = None,
    ) -> CDPSupervisor:
        """Return the task's supervisor; start a supervisor if none is running.

        If ``cdp_url`` or ``context`` has changed, or the browser is gone, the running supervisor is
        stopped, and a new supervisor is started without the old state. Don't call this method on
        the engine's own thread.

        Args:
            task_id: a name for the task; any nonempty string.
            cdp_url: ``http(s)://``, ``ws(s)://``, or an ``Endpoint``.
            policy: the policy, which is used only when a supervisor starts.
            context: the task's own browser context or window; None to share all tabs.
            budget: limit for the whole call, including the wait for other starts and stops of the
                task; 30 s by default.

        Raises:
            InvalidArgument: an empty ``task_id``, or an unsupported URL.
            EndpointUnreachable, LaunchFailed: no browser could be reached or launched.
            NotSupported: the browser can't create contexts.
            BudgetExceeded, Cancelled: the error says what the call waited for. Nothing keeps
                running.
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
        context: OwnContext | OwnWindow | None = None,
        budget: Budget | None = None,
        ahead: OpenedAhead | None = None,
    ) -> CDPSupervisor:
        """``get_or_start`` for callers on the engine's loop.

        Args:
            ahead: the endpoint, if it opens already.
        """
        if not task_id or not isinstance(task_id, str):
            raise InvalidArgument("task_id must be a nonempty string.", field="task_id")
        endpoint = endpoint_of(cdp_url)
        budget = budget or Budget(START_MS)
        # Use a separate asyncio task, so that a caller that stops waiting does not have to wait for
        # the cleanup.
        wanted = (task_id, endpoint, policy or Policy(), context, ahead)
        # The new task outlives the call, so its log messages must not be assigned to the call's
        # request.
        work = self._get_or_start(*wanted, budget, contextvars.copy_context())
        starting = self._work(work, contextvars.Context())
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
        context: OwnContext | OwnWindow | None,
        ahead: OpenedAhead | None,
        budget: Budget,
        caller: contextvars.Context,
    ) -> CDPSupervisor:
        async with self._turn(task_id, budget):
            running = self._supervisors.get(task_id)
            if running is not None:
                same = running.endpoint.key == endpoint.key and running.place == context
                if same and running.state.health.status != "gone":
                    return running
                ending = self._work(self._stop(task_id))
                async with budget.waiting_for("the task's previous browser to close"):
                    await asyncio.wait([ending])
            supervisor = CDPSupervisor(task_id, endpoint, policy, context)
            try:
                async with _a_moment_more(budget).waiting_for("the browser to open"):
                    await supervisor.start(budget, caller, ahead)
            except TimeoutError:
                raise BudgetExceeded(
                    f"The browser is running but did not respond within {budget.timeout_ms:g} ms.",
                    Hint("Open the browser again, or ", MORE_TIME, "."),
                    timeout_ms=budget.timeout_ms,
                ) from None
            self._supervisors[task_id] = supervisor
            return supervisor

    def stop(self, task_id: str, *, budget: Budget | None = None) -> None:
        """Stop a task's supervisor, if there is one, and close its browser if we launched it.

        Args:
            task_id: the task.
            budget: how long to wait; 30 s by default. After that, stopping continues in the
                background.

        Raises:
            BudgetExceeded, Cancelled: stopping has not finished yet.
        """
        self._engine.run_sync(self.stop_async(task_id, budget=budget))

    def stop_all(self) -> None:
        """Stop every supervisor."""
        self._engine.run_sync(self.stop_all_async())

    async def stop_async(self, task_id: str, *, budget: Budget | None = None) -> None:
        """``stop`` for callers on the engine's loop."""
        stopping = self._work(self._stop_in_turn(task_id))
        async with (budget or Budget(START_MS)).waiting_for("the browser to close"):
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
        """Serialize a task's starts and stops. Call this only on the engine's thread."""
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

    def _work(
        self, coroutine: Coroutine[Any, Any, T], context: contextvars.Context | None = None
    ) -> asyncio.Task[T]:
        """Run a coroutine as an asyncio task that continues even if the caller stops waiting."""
        task = asyncio.get_running_loop().create_task(coroutine, context=context)
        self._working.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._working.discard(task)
        if not task.cancelled():
            task.exception()  # retrieve the error, even if the caller has stopped waiting


class _Turn:
    """The lock for starting and stopping a task, and the number of callers that need the lock."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.wanted = 0


def _a_moment_more(budget: Budget) -> Budget:
    return budget.child(headroom_ms=-LAST_WORDS_MS)
