"""Tasks: one agent's work each, by the name that the client gives, with a browser of its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tabwarden.actions.session import Session
from tabwarden.budget import Budget
from tabwarden.errors import Denied, InvalidArgument

__all__ = ["DEFAULT_TASK", "TASK_NAME", "TaskLimit", "Tasks"]

DEFAULT_TASK = "default"
TASK_NAME = "[A-Za-z0-9._-]{1,64}"
_REMEMBERED = 1000
"""Names whose browser is closed that are kept, for their refs to be numbered on."""


class TaskLimit(Denied):
    """As many browsers are open as may be."""


class _Task:
    """A name, its session, and the calls that run."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.calls: set[Budget] = set()
        self.opening = 0
        """Calls that run and may open a browser."""

    @property
    def takes_room(self) -> bool:
        return self.session.current is not None or self.opening > 0


class Tasks:
    """The tasks of a server.

    Args:
        new_session: makes a session, whose browser is opened on demand.
        at_most: browsers that may be open at the same time.
    """

    def __init__(self, new_session: Callable[[], Session], at_most: int) -> None:
        self._new_session = new_session
        self._at_most = at_most
        self._tasks: dict[str, _Task] = {}
        self._over: str | None = None

    @contextmanager
    def call(self, name: str, budget: Budget, *, opens: bool) -> Iterator[Session]:
        """A task's session for one call, which ends with the block.

        Args:
            name: the task's; letters, digits, dots, dashes and underscores.
            budget: the call's; cancelled when the task is stopped.
            opens: the call may open a browser.

        Raises:
            InvalidArgument: no such name can be.
            TaskLimit: too many browsers are open.
        """
        task = self._task(checked_name(name), opens=opens)
        task.calls.add(budget)
        task.opening += opens
        if self._over is not None:
            budget.cancel(self._over)
        try:
            yield task.session
        finally:
            task.opening -= opens
            task.calls.discard(budget)

    def of(self, name: str) -> Session:
        """A task's session, made if there is none yet: to read it, and to watch it.

        Raises:
            InvalidArgument: no such name can be.
        """
        checked = checked_name(name)
        if checked not in self._tasks:
            self._tasks[checked] = _Task(self._new_session())
        return self._tasks[checked].session

    def session(self, name: str) -> Session | None:
        """A task's session, if it ever had a browser."""
        task = self._tasks.get(checked_name(name))
        return task.session if task is not None else None

    def open_sessions(self) -> dict[str, Session]:
        """The tasks that have a browser."""
        return {
            name: task.session
            for name, task in self._tasks.items()
            if task.session.current is not None
        }

    async def stop(self, name: str) -> bool:
        """End a task's calls and its browser; whether there was one."""
        task = self._tasks.get(checked_name(name))
        if task is None:
            return False
        had_browser = task.takes_room
        for budget in list(task.calls):
            budget.cancel("the task was stopped")
        await task.session.close()
        return had_browser

    def cancel_calls(self, reason: str) -> None:
        """End all calls, and those that still come: the server is about to end."""
        self._over = reason
        for task in self._tasks.values():
            for budget in list(task.calls):
                budget.cancel(reason)

    async def close(self) -> None:
        """End all calls and browsers."""
        self.cancel_calls("the server stops")
        sessions = [task.session for task in self._tasks.values()]
        await asyncio.gather(*(session.close() for session in sessions), return_exceptions=True)

    def _task(self, name: str, *, opens: bool) -> _Task:
        task = self._tasks.get(name)
        if task is None and not opens:
            return _Task(self._new_session())
        if task is None or not task.takes_room:
            self._make_room(name, opens=opens)
        if task is None:
            task = self._tasks[name] = _Task(self._new_session())
        return task

    def _make_room(self, name: str, *, opens: bool) -> None:
        taken = [other for other, task in self._tasks.items() if task.takes_room]
        if opens and len(taken) >= self._at_most:
            raise TaskLimit(
                f"{len(taken)} tasks have a browser, as many as may be: {', '.join(taken)}.",
                f"Stop one first: POST /stop?task={taken[0]}.",
                field="task",
            )
        idle = [other for other, task in self._tasks.items() if not task.takes_room]
        for other in idle[: max(0, len(idle) - _REMEMBERED)]:
            if other != name:
                del self._tasks[other]


def checked_name(name: str) -> str:
    """A task's name.

    Raises:
        InvalidArgument: it is none.
    """
    if not re.fullmatch(TASK_NAME, name):
        raise InvalidArgument(
            f"{name[:100]!r} is no name of a task.",
            "Use 1 to 64 letters, digits, dots, dashes and underscores.",
            field="task",
        )
    return name
