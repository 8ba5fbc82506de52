"""Running: the agent's own scripts (evaluate) that were sent and have not ended.

No other call's rescue may take one of them for a hang of the page's.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from tabwarden.budget import Budget

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


class RunningScripts:
    """Those of one task. Safe from any thread: each step is one of a dict's own."""

    def __init__(self) -> None:
        self._running: dict[RunningScript, None] = {}
        self._ended: deque[RunningScript] = deque(maxlen=_LATELY)

    def __len__(self) -> int:
        return len(self._running)

    def begin(self, script: RunningScript) -> None:
        """It is about to be sent."""
        self._running[script] = None

    def end(self, script: RunningScript) -> None:
        """It has ended, or nobody waits for it any more."""
        self._running.pop(script, None)
        self._ended.append(script)

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

    def given_up(self, tab_id: str, heard: Mapping[str, float]) -> int:
        """How many in a tab nobody waits for any more, although their page may not have come to
        them: of their session nothing that was sent later has been answered (``heard``)."""
        return sum(
            script.tab_id == tab_id and heard.get(script.session_id, 0.0) < script.began
            for script in list(self._ended)
        )

    def came_through(self, tab_id: str) -> None:
        """A tab's page answers: it has come to all of them that were given up."""
        for script in list(self._ended):
            if script.tab_id == tab_id:
                with suppress(ValueError):
                    self._ended.remove(script)
