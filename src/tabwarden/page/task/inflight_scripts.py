"""The agent's own scripts (``evaluate``) that are still running.

With this record, a rescue can tell an agent's script from a hanging page.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from tabwarden.budget import Budget
from tabwarden.supervisor.runtime import CDPSupervisor

_LATELY = 200


class RunningScript:
    """A script that the agent has just sent, with its tab, CDP session and budget."""

    __slots__ = ("began", "budget", "runs", "session_id", "tab_id")

    def __init__(self, tab_id: str, session_id: str, budget: Budget) -> None:
        self.began = time.monotonic()
        self.tab_id = tab_id
        self.session_id = session_id
        self.budget = budget
        self.runs = False
        """Whether the page is known to have started the script. This is tracked only on pages that
        hung before."""


class _GivenUp(NamedTuple):
    tab_id: str
    session_id: str
    began: float


class RunningScripts:
    """The scripts of one task. Thread-safe, because each step is one dict or deque operation."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self._supervisor = supervisor
        self._running: dict[RunningScript, None] = {}
        self._given_up: deque[_GivenUp] = deque(maxlen=_LATELY)

    def __len__(self) -> int:
        """Count running scripts, and abandoned scripts that may not have started."""
        self._forget()
        return len(self._running) + len(self._given_up)

    def begin(self, script: RunningScript) -> None:
        """Register a script. Call this just before sending the script."""
        self._running[script] = None

    def end(self, script: RunningScript) -> None:
        self._running.pop(script, None)
        self._forget()
        last = _GivenUp(script.tab_id, script.session_id, script.began)
        if not self._is_over(last):
            self._given_up.append(last)

    @contextmanager
    def running(self, script: RunningScript) -> Iterator[None]:
        self.begin(script)
        try:
            yield
        finally:
            self.end(script)

    def of(self, tab_id: str) -> list[RunningScript]:
        """Return the scripts in a tab, oldest first."""
        return [script for script in list(self._running) if script.tab_id == tab_id]

    def given_up(self, tab_id: str) -> int:
        """Count abandoned scripts in a tab that may not have started yet."""
        return sum(one.tab_id == tab_id and not self._is_over(one) for one in list(self._given_up))

    def came_through(self, tab_id: str) -> None:
        """Record that a tab's page replied, which means that all its abandoned scripts have
        started."""
        for one in list(self._given_up):
            if one.tab_id == tab_id:
                self._drop(one)

    def _forget(self) -> None:
        for one in list(self._given_up):
            if self._is_over(one):
                self._drop(one)

    def _is_over(self, one: _GivenUp) -> bool:
        """Whether the page has replied to a later command, or no longer exists."""
        heard = self._supervisor.heard.get(one.session_id, 0.0)
        return heard >= one.began or self._supervisor.state.session(one.session_id) is None

    def _drop(self, one: _GivenUp) -> None:
        with suppress(ValueError):
            self._given_up.remove(one)
