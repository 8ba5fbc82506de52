"""Races beside a model: random waits, replies and ends; only the first end counts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)
from support.fuzzing import searched
from support.memory_wire import MemoryWire, attach, supervised
from unit.supervisor.runtime.test_race import CLOSED, CRASH, REPLACED, challenge, dialog

from tabwarden.budget import Budget
from tabwarden.errors import BrowserGone, BudgetExceeded, Cancelled, TargetCrashed
from tabwarden.protocol import page, target
from tabwarden.supervisor.core.state import notices
from tabwarden.supervisor.runtime import CommandRefused, Interrupted, Race

COMMAND = target.GetTargetInfo(target_id="T1")
NEWS: dict[str, tuple[notices.Notice, type[Exception], str]] = {
    "dialog": (dialog(), Interrupted, "t1"),
    "another tab's dialog": (dialog("t2"), Interrupted, "t2"),
    "credentials": (challenge(), Interrupted, "t1"),
    "crash": (CRASH, TargetCrashed, "t1"),
    "closed": (CLOSED, BrowserGone, "t1"),
    "replaced": (REPLACED, BrowserGone, "t1"),
    "lost": (notices.EndpointLost(tab_id="", reason="cut", reconnecting=True), BrowserGone, ""),
    "gone": (notices.EndpointLost(tab_id="", reason="killed"), BrowserGone, ""),
}
"""An event, the error that ends a race with it, and its tab (all: the browser's end)."""
PASSABLE = (dialog(), dialog("t2"), challenge())
DONE, REFUSED, LATE = "done", CommandRefused, "late"
"""How a wait ends by itself."""


class Clock(asyncio.SelectorEventLoop):
    """A loop with a manual clock, which advances by exact amounts."""

    def __init__(self) -> None:
        super().__init__()
        self.now = float(round(time.monotonic()))

    def time(self) -> float:
        return self.now


@dataclass(eq=False)
class Wait:
    """One wait, and its expected outcome in the model."""

    running: asyncio.Task[Any]
    command_id: int | None = None
    session_id: str | None = None
    gives_up_at: float | None = None
    ended: object = None
    """``DONE``, ``LATE`` or the type of an error; None: it is still waiting."""


@dataclass(eq=False)
class Running:
    """One race, and its expected outcome in the model."""

    race: Race
    tab_id: str | None
    through: bool
    deadline: float
    ended: type[Exception] | None = None
    waits: list[Wait] = field(default_factory=list)

    def ends(self, error: type[Exception]) -> None:
        if self.ended is None:
            self.ended = error
            for wait in self.waits:
                wait.ended = wait.ended or error


class Races(RuleBasedStateMachine):
    """Some races of one supervisor, and the events that affect all of them."""

    running = Bundle("running")

    @initialize()
    def supervise(self) -> None:
        self.loop = Clock()
        self.wire = MemoryWire()
        self.supervisor = self.loop.run_until_complete(supervised(self.wire))
        self.open: list[Running] = []
        self.happens(lambda: attach(self.wire, "T2", "S2"))
        while self.supervisor.connection.in_flight:
            self.settle()
        self.wire.silent.add(COMMAND.METHOD)
        self.observers = len(self.supervisor._audience.observers)

    def teardown(self) -> None:
        for one in self.open:
            self.exit(one)
        self.loop.run_until_complete(self.supervisor.stop())
        self.settle()
        assert not asyncio.all_tasks(self.loop)
        self.loop.close()

    def settle(self) -> None:
        self.happens(lambda: None)

    def happens(self, what: Callable[[], object]) -> None:
        """Run it on the loop, until the loop is idle."""

        async def turns() -> None:
            what()
            for _ in range(6):
                await asyncio.sleep(0)

        self.loop.run_until_complete(turns())

    # -- caller actions ---------------------------------------------------------------------

    @rule(
        target=running,
        tab_id=st.sampled_from(["t1", "t2", None]),
        through=st.booleans(),
        timeout_ms=st.sampled_from([1_000.0, 5_000.0]),
    )
    def begin(self, tab_id: str | None, through: bool, timeout_ms: float) -> Running:
        budget = Budget(timeout_ms)
        budget.deadline = self.loop.now + timeout_ms / 1000  # however long the test takes
        race = Race(self.supervisor, budget, tab_id, through_dialogs=through)
        race.__enter__()
        one = Running(race, tab_id, through, race.budget.deadline)
        self.open.append(one)
        return one

    @rule(one=running, session_id=st.sampled_from(["S1", "S2", None]), raw=st.booleans())
    def command(self, one: Running, session_id: str | None, raw: bool) -> None:
        before = len(self.commands_sent())
        wait = self.wait(
            one,
            one.race.raw(COMMAND.METHOD, b"{}", session_id)
            if raw
            else one.race.call(COMMAND, session_id),
        )
        sent = self.commands_sent()[before:]
        assert len(sent) == (one.ended is None)
        if sent:
            wait.command_id, wait.session_id = sent[0]["id"], session_id

    def commands_sent(self) -> list[dict[str, Any]]:
        return [one for one in self.wire.sent if one["method"] == COMMAND.METHOD]

    @rule(one=running, at_most_s=st.sampled_from([0.5, 3.0]), kind=st.sampled_from("abc"))
    def condition(self, one: Running, at_most_s: float, kind: str) -> None:
        race, at_most_ms = one.race, at_most_s * 1000
        waits: dict[str, Coroutine[Any, Any, Any]] = {
            "a": race.until(lambda _: False, at_most_ms=at_most_ms),
            "b": race.event(page.LoadEventFired, "S1", at_most_ms=at_most_ms),
            "c": race.finished(self.loop.create_future(), at_most_ms=at_most_ms),
        }
        wait = self.wait(one, waits.pop(kind))
        for other in waits.values():
            other.close()
        wait.gives_up_at = self.loop.time() + at_most_s

    def wait(self, one: Running, waiting: Coroutine[Any, Any, Any]) -> Wait:
        wait = Wait(self.loop.create_task(waiting), ended=one.ended)
        one.waits.append(wait)
        self.settle()
        return wait

    @rule(one=running)
    def cancel(self, one: Running) -> None:
        one.ends(Cancelled)
        self.happens(lambda: one.race.budget.cancel("enough"))

    @rule(one=consumes(running))
    def leave(self, one: Running) -> None:
        self.exit(one)
        self.open.remove(one)

    def exit(self, one: Running) -> None:
        one.ends(BudgetExceeded)
        self.happens(lambda: one.race.__exit__(None, None, None))
        self.as_told(one)
        assert not one.race._waiters
        assert not one.race._conditions

    # -- browser events ----------------------------------------------------------------------

    @rule(one=running, of=st.integers(0, 20), refused=st.booleans())
    def reply(self, one: Running, of: int, refused: bool) -> None:
        waiting = [wait for wait in one.waits if wait.command_id is not None]
        if not waiting:
            return
        wait = waiting[of % len(waiting)]
        told = {"error": {"code": 1, "message": "no"}} if refused else {"result": INFO}
        reply = {"id": wait.command_id, **told}
        wait.command_id = None
        wait.ended = wait.ended or (REFUSED if refused else DONE)
        self.happens(lambda: self.wire.tell(reply))

    @rule(news=st.lists(st.sampled_from(sorted(NEWS)), min_size=1, max_size=3))
    def tell(self, news: list[str]) -> None:
        told = tuple(NEWS[one][0] for one in news)
        for name in news:
            notice, error, tab_id = NEWS[name]
            for one in self.open:
                if tab_id in ("", one.tab_id) and not (one.through and notice in PASSABLE):
                    one.ends(error)
        self.happens(lambda: self.supervisor._publish(told))

    @rule(session_id=st.sampled_from(["S1", "S2"]))
    def session_ends(self, session_id: str) -> None:
        for one in self.open:
            for wait in one.waits:
                if wait.command_id is not None and wait.session_id == session_id:
                    wait.command_id = None
                    wait.ended = wait.ended or REFUSED
        self.happens(lambda: self.supervisor.connection.session_ended(session_id, "it moved"))

    @rule()
    def loaded(self) -> None:
        """An event of another session than the awaited one."""
        loaded = {"timestamp": 1}
        self.happens(lambda: self.wire.event("Page.loadEventFired", loaded, "S2"))

    @rule(seconds=st.sampled_from([0.25, 2.0, 10.0]))
    def time_passes(self, seconds: float) -> None:
        self.loop.now += seconds
        now = self.loop.time()
        for one in self.open:
            for wait in one.waits:
                at = wait.gives_up_at
                if wait.ended is None and at is not None and at <= min(now, one.deadline):
                    wait.ended = LATE
            if one.deadline <= now:
                one.ends(BudgetExceeded)
        self.settle()

    # -- invariants --------------------------------------------------------------------------

    @invariant()
    def all_waits_are_as_told(self) -> None:
        for one in self.open:
            self.as_told(one)

    def as_told(self, one: Running) -> None:
        for wait in one.waits:
            assert wait.running.done() == (wait.ended is not None), (wait, one)
            if wait.ended is None:
                continue
            error = wait.running.exception()
            at = wait.gives_up_at
            if wait.ended == LATE and at is not None and at >= one.deadline and error is not None:
                assert type(error) is BudgetExceeded  # both limits ended at the same moment
            elif wait.ended in (DONE, LATE):
                assert error is None
                assert wait.ended == DONE or wait.running.result() in (False, None)
            else:
                assert type(error) is wait.ended

    @invariant()
    def nothing_else_is_kept(self) -> None:
        commands = sum(wait.command_id is not None for one in self.open for wait in one.waits)
        events = sum(
            not wait.running.done() and wait.running.get_coro().__qualname__ == "Race.event"  # type: ignore[union-attr]
            for one in self.open
            for wait in one.waits
        )
        overdue = sum(one.deadline <= self.loop.time() for one in self.open)
        assert len(self.supervisor._audience.observers) == self.observers + len(self.open)
        assert len(self.supervisor.deadlines) == len(self.open) - overdue
        for _ in range(2):  # the supervisor's own requests are answered at once
            if self.supervisor.connection.in_flight != commands:
                self.settle()
        assert self.supervisor.connection.in_flight == commands
        assert sum(map(len, self.supervisor._audience.listeners.values())) == events


INFO = {
    "targetInfo": {
        "targetId": "T1", "type": "page", "title": "", "url": "", "attached": True,
        "canAccessOpener": False,
    }
}  # fmt: skip

TestRaces = Races.TestCase
TestRaces.settings = searched(60, steps=30)
