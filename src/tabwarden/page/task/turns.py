"""Run the calls on one tab in the order in which they arrived.

An agent may send several calls without waiting for their results. If two calls typed at once, their
keys would mix, and both calls would report success. Calls on different tabs don't wait for each
other. Calls that answer a dialog or another prompt don't wait for a turn either, because an earlier
call may be waiting for that answer. The same is true of people's calls.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from tabwarden.budget import Budget
from tabwarden.errors import BudgetExceeded
from tabwarden.journal import current_person
from tabwarden.page.task.blocking import blocking_dialogs
from tabwarden.supervisor.runtime import CDPSupervisor

if TYPE_CHECKING:
    from tabwarden.page.task.call import ActionSpec

T = TypeVar("T")

_PATIENCE = 0.5
"""The share of its budget that a call may wait for its turn if it may also run alongside another
call."""
_inside: ContextVar[Turn | None] = ContextVar("inside", default=None)
"""The turn of the outer call, such as a batch, that makes the calls in this context."""
_kept: ContextVar[list[Turn] | None] = ContextVar("kept", default=None)
"""The turns that a ``keeping_turns`` block keeps."""


def turn_note() -> str:
    """Return the note that the current call's result must include: see ``Turn.note``."""
    turn = _inside.get()
    return "" if turn is None else turn.note


def are_turns_kept() -> bool:
    """Whether a ``keeping_turns`` block will complete the result of the current call."""
    return _kept.get() is not None


@contextmanager
def keeping_turns() -> Iterator[None]:
    """Keep the turns of the calls in the block until the block ends, because the block completes
    the results of these calls."""
    kept: list[Turn] = []
    reset = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(reset)
        for turn in kept:
            turn.end()


class Turns:
    """Whose turn it is in each tab of a task. Thread-safe."""

    def __init__(self, supervisor: CDPSupervisor) -> None:
        self.supervisor = supervisor
        self._lock = threading.Lock()
        self._lines: dict[str | None, list[Turn]] = {}

    def is_taken(self, tab_id: str) -> bool:
        """Whether a call is running on the tab, or is waiting for its turn."""
        return tab_id in self._lines

    def enter(self, spec: ActionSpec, tab_id: str | None) -> Turn:
        """Queue a call that is about to run on a tab (None: the active tab)."""
        return Turn(self, spec, tab_id)

    def line_up(self, turn: Turn) -> tuple[Turn, ...]:
        """Add a turn to its tab's queue. Return the earlier turns."""
        with self._lock:
            earlier = tuple(self._lines.get(turn.tab_id, ()))
            if turn.spec.holds:
                self._lines.setdefault(turn.tab_id, []).append(turn)
            return earlier

    def leave(self, turn: Turn) -> None:
        with self._lock:
            line = self._lines.get(turn.tab_id, [])
            if turn in line:
                line.remove(turn)
                if not line:
                    del self._lines[turn.tab_id]


class Turn:
    """One call's turn on a tab."""

    def __init__(self, turns: Turns, spec: ActionSpec, tab_id: str | None) -> None:
        self.spec = spec
        self.note = ""
        """The note for the result if the call did not wait for the earlier calls to end."""
        self._turns = turns
        self._named = tab_id
        self._waits = _inside.get() is None and current_person() is None
        self._kept = _kept.get()
        self._line_up()

    def _line_up(self) -> None:
        self._over: Future[None] = Future()
        self.tab_id = self._meant()
        self._earlier = self._turns.line_up(self) if self._waits else ()

    def _meant(self) -> str | None:
        return self._named or self._turns.supervisor.state.active_tab_id

    async def run(self, budget: Budget, work: Callable[[], Awaitable[T]]) -> T:
        """Wait for the turn, and run the call.

        Raises:
            BudgetExceeded: the earlier calls did not end in time. This call did nothing.
            Cancelled: the caller canceled.
        """
        try:
            if self._waits:
                await self._come(budget)
            reset = _inside.set(self)
            try:
                return await work()
            finally:
                _inside.reset(reset)
        finally:
            self.leave()

    def leave(self) -> None:
        """Let the next call begin, unless the turn is kept. Thread-safe and idempotent."""
        if self._kept is None:
            self.end()
        elif self not in self._kept:
            self._kept.append(self)

    def end(self) -> None:
        self._turns.leave(self)
        if not self._over.done():
            self._over.set_result(None)

    async def _come(self, budget: Budget) -> None:
        while True:
            if self._earlier and not self._is_blocked():
                await self._wait(budget)
            if self._meant() == self.tab_id:
                return
            self.end()  # an earlier call made another tab the active one
            self._line_up()

    def _is_blocked(self) -> bool:
        """Whether a dialog blocks the tab, so that the call can report that at once."""
        state = self._turns.supervisor.state
        return self.tab_id is not None and bool(blocking_dialogs(state, self.tab_id))

    async def _wait(self, budget: Budget) -> None:
        names = ", ".join(dict.fromkeys(one.spec.name for one in self._earlier))
        must_wait = self.spec.acts and self.spec.name != "tabs"  # a tab can always be closed
        patience = budget
        if not must_wait:
            patience = budget.child(at_most_ms=budget.remaining_ms() * _PATIENCE)
        try:
            async with patience.waiting_for(f"its turn in tab {self.tab_id}, after {names}"):
                await asyncio.wait([asyncio.wrap_future(one._over) for one in self._earlier])
        except BudgetExceeded as late:
            if must_wait:
                late.message += " This call did nothing."
                raise
            self.note = f"{names} is still running in this tab."
