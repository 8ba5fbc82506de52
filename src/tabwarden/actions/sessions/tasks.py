"""Tasks: a task is one agent's work, with a name that the client chose and its own browser."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from tabwarden.actions.sessions.session import Session
from tabwarden.actions.sessions.timing import RETRY_AFTER_S
from tabwarden.budget import Budget
from tabwarden.errors import Capacity, InvalidArgument

DEFAULT_TASK = "default"
TASK_NAME = "[A-Za-z0-9._-]{1,64}"
_REMEMBERED = 1000
"""How many tasks without a browser to remember: a task that returns must not reuse its refs."""


class _Task:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.calls: set[Budget] = set()
        self.opening = 0
        """The number of running calls that may open a browser."""

    @property
    def takes_room(self) -> bool:
        return self.session.current is not None or self.opening > 0


class Tasks:
    """The tasks of a server.

    Args:
        new_session: creates a session, which opens its browser on demand.
        at_most: maximum number of open browsers.
    """

    def __init__(self, new_session: Callable[[], Session], at_most: int) -> None:
        self._new_session = new_session
        self._at_most = at_most
        self._tasks: dict[str, _Task] = {}
        self._over: str | None = None
        self.link_for_people: Callable[[str], str | None] | None = None
        """Returns a link to the live view of a task; the surface that serves it sets it."""

    @contextmanager
    def call(self, name: str, budget: Budget, *, opens: bool) -> Iterator[Session]:
        """Yield a task's session for one call. The call ends with the ``with`` block.

        Args:
            name: the task's name; letters, digits, dots, dashes and underscores.
            budget: the call's budget, which ``stop`` cancels.
            opens: whether the call may open a browser.

        Raises:
            InvalidArgument: the name is not valid.
            Capacity: too many browsers are open.
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
        """Return a task's session, to read or watch it; create the task if it does not exist.

        Raises:
            InvalidArgument: the name is not valid.
        """
        checked = checked_name(name)
        if checked not in self._tasks:
            self._tasks[checked] = self._new(checked)
        return self._tasks[checked].session

    def session(self, name: str) -> Session | None:
        task = self._tasks.get(checked_name(name))
        return task.session if task is not None else None

    def open_sessions(self) -> dict[str, Session]:
        return {
            name: task.session
            for name, task in self._tasks.items()
            if task.session.current is not None
        }

    async def stop(self, name: str) -> bool:
        """Cancel a task's calls and close its browser. Return whether the task had a browser."""
        task = self._tasks.get(checked_name(name))
        if task is None:
            return False
        had_browser = task.takes_room
        for budget in list(task.calls):
            budget.cancel("the task was stopped")
        await task.session.close()
        return had_browser

    def cancel_calls(self, reason: str) -> None:
        """Cancel all running and all later calls, because the server is about to stop."""
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
        session = self._new_session()
        if self.link_for_people is not None:
            session.link_for_people = partial(self.link_for_people, name)
        return _Task(session)

    def _make_room(self, name: str, *, opens: bool) -> None:
        taken = sum(task.takes_room for task in self._tasks.values())
        if opens and taken >= self._at_most:
            raise Capacity(
                f"{taken} tasks have a browser, which is the limit.",
                f"Try again in {RETRY_AFTER_S:g} s, or end a task that nobody needs any more.",
                retry_after_s=RETRY_AFTER_S,
                field="task",
            )
        idle = [other for other, task in self._tasks.items() if not task.takes_room]
        for other in idle[: max(0, len(idle) - _REMEMBERED)]:
            if other != name:
                del self._tasks[other]


def checked_name(name: str) -> str:
    """Return ``name``, or raise ``InvalidArgument`` if it is not a valid task name."""
    if not re.fullmatch(TASK_NAME, name):
        raise InvalidArgument(
            f"{name[:100]!r} is not a valid task name.",
            "Use 1 to 64 letters, digits, dots, dashes and underscores.",
            field="task",
        )
    return name
