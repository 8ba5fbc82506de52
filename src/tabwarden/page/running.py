"""Running: the agent's own scripts (evaluate) that were sent and have not ended.

No other call's rescue may take one of them for a hang of the page's.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from tabwarden.budget import Budget
from tabwarden.supervisor import CDPSupervisor

__all__ = ["RunningScript", "RunningScripts"]

_LATELY = 200


class RunningScript:
    """A script of the agent's that was sent just now.

    Args:
        tab_id, session_id: where.
        budget: its call's.
    """

    __slots__ = ("began", "budget", "runs", "session_id", "tab_id")

    def __init__(self, tab_id: str, session_id: str, budget: Budget) -> None:
        self.began = time.monotonic()
        self.tab_id = tab_id
        self.session_id = session_id
        self.budget = budget
        self.runs = False
        """Whether it is known that its page came to it (only where the page has hung before)."""


class _GivenUp(NamedTuple):
    tab_id: str
    session_id: str
    began: float


class RunningScripts:
    """Those of one task. Safe from any thread: each step is one of a dict's or a deque's own.

    Args:
        supervisor: knows what each session has answered.
    """

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self._supervisor = supervisor
        self._running: dict[RunningScript, None] = {}
        self._given_up: deque[_GivenUp] = deque(maxlen=_LATELY)

    def __len__(self) -> int:
        """Those that run, and those that were given up before their page came to them."""
        self._forget()
        return len(self._running) + len(self._given_up)

    def begin(self, script: RunningScript) -> None:
        """It is about to be sent."""
        self._running[script] = None

    def end(self, script: RunningScript) -> None:
        """It has ended, or nobody waits for it any more."""
        self._running.pop(script, None)
        self._forget()
        last = _GivenUp(script.tab_id, script.session_id, script.began)
        if not self._is_over(last):
            self._given_up.append(last)

    @contextmanager
    def running(self, script: RunningScript) -> Iterator[None]:
        """From its beginning to its end."""
        self.begin(script)
        try:
            yield
        finally:
            self.end(script)

    def of(self, tab_id: str) -> list[RunningScript]:
        """Those in a tab, the oldest first."""
        return [script for script in list(self._running) if script.tab_id == tab_id]

    def given_up(self, tab_id: str) -> int:
        """How many in a tab nobody waits for any more, although their page may not have come to
        them."""
        return sum(one.tab_id == tab_id and not self._is_over(one) for one in list(self._given_up))

    def came_through(self, tab_id: str) -> None:
        """A tab's page answers: it has come to all of them that were given up."""
        for one in list(self._given_up):
            if one.tab_id == tab_id:
                self._drop(one)

    def _forget(self) -> None:
        for one in list(self._given_up):
            if self._is_over(one):
                self._drop(one)

    def _is_over(self, one: _GivenUp) -> bool:
        """Whether something that was sent later has been answered, or the page is gone."""
        heard = self._supervisor.heard.get(one.session_id, 0.0)
        return heard >= one.began or self._supervisor.state.session(one.session_id) is None

    def _drop(self, one: _GivenUp) -> None:
        with suppress(ValueError):
            self._given_up.remove(one)
