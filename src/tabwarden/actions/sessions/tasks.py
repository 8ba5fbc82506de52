"""A task is one agent's work, with a name that the client chose and a browser of its own."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from tabwarden.actions.sessions.admission import Limits, Usage, refusal
from tabwarden.actions.sessions.names import checked_full_name
from tabwarden.actions.sessions.session import Session
from tabwarden.actions.sessions.timing import IDLE_LOOK_S, RETRY_AFTER_S, SHORTEST_LOOK_S
from tabwarden.budget import Budget
from tabwarden.errors import Capacity, TabwardenError
from tabwarden.memory import free_memory_mb
from tabwarden.telemetry import ServerTelemetry

log = logging.getLogger("tabwarden.tasks")

_REMEMBERED = 1000
"""Maximum number of tasks without a browser to remember. They are remembered so that their refs are
new if they continue."""


class _Task:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.calls: set[Budget] = set()
        self.opening = 0
        """The number of running calls that may open a browser."""
        self.last_used = time.monotonic()

    @property
    def has_browser(self) -> bool:
        return self.session.current is not None

    @property
    def takes_room(self) -> bool:
        return self.has_browser or self.opening > 0

    @property
    def is_busy(self) -> bool:
        """Whether a call is running, a person has control, or the agent is waiting for a person."""
        browser = self.session.current
        control = browser.control if browser is not None and browser.can_hand_off else None
        with_people = control is not None and (control.holder or control.waiting_handoffs)
        return bool(self.calls or with_people)


class Tasks:
    """The tasks of a server.

    Args:
        new_session: creates the session of the task with this name. The session opens its browser
            on demand.
        limits: returns the limits, which may change at any time.
        free_memory: returns the free memory in MB; None if it is unknown.
    """

    def __init__(
        self,
        new_session: Callable[[str], Session],
        limits: Callable[[], Limits],
        free_memory: Callable[[], float | None] = free_memory_mb,
    ) -> None:
        self._new_session = new_session
        self._limits = limits
        self._free_memory = free_memory
        self._tasks: dict[str, _Task] = {}
        self._over: str | None = None
        self._refuses = False
        """Whether new calls are refused because the server will stop after the running calls have
        ended."""
        self._telemetry = ServerTelemetry(self._opening)
        self.keepers: list[Callable[[str], bool]] = []
        """Functions that return whether the browser of the task with this name is still in use. A
        browser in use must not be closed as idle."""
        self.link_for_people: Callable[[str], str | None] | None = None
        """Returns a link to the live view of a task. The interface that serves the live view sets
        this function."""

    @contextmanager
    def call(self, name: str, budget: Budget, *, opens: bool) -> Iterator[Session]:
        """Yield a task's session for one call. The call ends with the ``with`` block.

        Args:
            name: the task's full name (``full_name``).
            budget: the call's budget, which ``stop`` cancels.
            opens: whether the call may open a browser.

        Raises:
            InvalidArgument: the name is not valid.
            Capacity: no other browser may open now, or the server is stopping.
        """
        if self._refuses and self._over is None:
            raise _stopping()
        task = self._task(checked_full_name(name), opens=opens)
        task.calls.add(budget)
        task.opening += opens
        if self._over is not None:
            budget.cancel(self._over)
        try:
            yield task.session
        finally:
            task.opening -= opens
            task.calls.discard(budget)
            task.last_used = time.monotonic()

    def of(self, name: str) -> Session:
        """Return a task's session, to read or watch it; create the task if it does not exist.

        Raises:
            InvalidArgument: the name is not valid.
        """
        checked = checked_full_name(name)
        if checked not in self._tasks:
            self._tasks[checked] = self._new(checked)
        return self._tasks[checked].session

    def session(self, name: str) -> Session | None:
        task = self._tasks.get(checked_full_name(name))
        return task.session if task is not None else None

    def open_sessions(self) -> dict[str, Session]:
        return {
            name: task.session
            for name, task in self._tasks.items()
            if task.session.current is not None
        }

    def with_browser(self) -> list[str]:
        """Return the tasks that have a browser or are opening a browser."""
        return [name for name, task in self._tasks.items() if task.takes_room]

    async def stop(self, name: str) -> bool:
        """Cancel a task's calls and close its browser. Return whether the task had a browser."""
        task = self._tasks.get(checked_full_name(name))
        if task is None:
            return False
        had_browser = task.takes_room
        for budget in list(task.calls):
            budget.cancel("the task was stopped")
        await task.session.close()
        return had_browser

    async def end_idle(self) -> None:
        """Until canceled, close the browsers of tasks that have been idle for too long."""
        while True:
            idle_s = self._limits().idle_s
            look_s = min(IDLE_LOOK_S, idle_s / 10) if idle_s else IDLE_LOOK_S
            await asyncio.sleep(max(SHORTEST_LOOK_S, look_s))
            await asyncio.gather(*map(self._end, self._idle(self._limits().idle_s)))

    def _idle(self, idle_s: float) -> list[tuple[str, _Task]]:
        """Return the idle tasks, and restart the idle time of tasks that are in use."""
        idle, now = [], time.monotonic()
        for name, task in self._tasks.items():
            if not task.has_browser:
                continue
            if any(keeps(name) for keeps in self.keepers) or task.is_busy:
                task.last_used = now
            elif idle_s and now - task.last_used >= idle_s:
                idle.append((name, task))
        return idle

    async def _end(self, idle: tuple[str, _Task]) -> None:
        name, task = idle
        idle_s = round(time.monotonic() - task.last_used)
        log.info("idle_task_ended", extra={"task_id": name, "idle_s": idle_s})
        limit = self._limits().idle_s / 60
        try:
            await task.session.close(reason=f"no call arrived for {limit:g} minutes")
        except TabwardenError as error:
            log.warning("idle_task_not_closed", extra={"task_id": name, "reason": str(error)})

    def refusal(self) -> Capacity | None:
        """Return the error if another browser must not open now; None if it may open."""
        if self._over is not None or self._refuses:
            return _stopping()
        usage = Usage(
            open=sum(task.has_browser for task in self._tasks.values()),
            opening=self._opening(),
            free_memory_mb=self._free_memory(),
        )
        return refusal(self._limits(), usage)

    def refused(self, full: Capacity) -> Capacity:
        """Count a call that got no browser, under the reason in ``full``. Return ``full``."""
        self._telemetry.refused(full.data["reason"])
        return full

    def _opening(self) -> int:
        tasks = list(self._tasks.values())  # a thread may collect the metrics
        return sum(task.takes_room and not task.has_browser for task in tasks)

    def refuse_calls(self) -> None:
        """Refuse new calls, because the server will stop once the running calls have ended."""
        self._refuses = True

    def has_calls(self) -> bool:
        return any(task.calls for task in self._tasks.values())

    def cancel_calls(self, reason: str) -> None:
        """Cancel all running calls and all later calls, because the server is about to stop."""
        self._over = reason
        for task in self._tasks.values():
            for budget in list(task.calls):
                budget.cancel(reason)

    async def close(self) -> None:
        """Cancel all calls and close all browsers."""
        self.cancel_calls("the server stops")
        sessions = [task.session for task in self._tasks.values()]
        await asyncio.gather(*(session.close() for session in sessions), return_exceptions=True)

    def _task(self, name: str, *, opens: bool) -> _Task:
        task = self._tasks.get(name)
        if task is None and not opens:
            return self._new(name)
        if task is None or not task.takes_room:
            self._make_room(name, opens=opens)
        if task is None:
            task = self._tasks[name] = self._new(name)
        return task

    def _new(self, name: str) -> _Task:
        session = self._new_session(name)
        if self.link_for_people is not None:
            session.link_for_people = partial(self.link_for_people, name)
        return _Task(session)

    def _make_room(self, name: str, *, opens: bool) -> None:
        # While the server is stopping, the call is canceled instead, with a more precise error.
        if opens and self._over is None and (full := self.refusal()) is not None:
            raise self.refused(full)
        idle = [other for other, task in self._tasks.items() if not task.takes_room]
        for other in idle[: max(0, len(idle) - _REMEMBERED)]:
            if other != name:
                del self._tasks[other]


def _stopping() -> Capacity:
    return Capacity(
        "The server is stopping.",
        f"Try again in {RETRY_AFTER_S:g} s. Another server may have replaced it by then.",
        retry_after_s=RETRY_AFTER_S,
        reason="stopping",
    )
