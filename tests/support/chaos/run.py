"""A run: steps one by one, and the conditions that must hold after each."""

from __future__ import annotations

import contextlib
import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from support.chaos.deeds import DEEDS
from support.chaos.harms import HARMS
from support.chaos.judge import as_seen_afresh, as_told
from support.chaos.plan import Step
from support.chaos.raw import RawClient, Refusal
from support.chaos.world import World, processes
from support.inventory import inventory
from support.metronome import Metronome
from tabwarden.errors import TabwardenError
from tabwarden.page.recovery import RESCUE_S

__all__ = ["OVER_MS", "Outcome", "Run"]

OVER_MS = 500.0
"""The allowed time beyond a call's budget."""
_WORKS_S = 30.0
"""The time by which all tabs must work again."""
_WORKS_MS = 3_000.0
_TOLD_S = 3.0
"""The time by which a page must have opened its pending dialog."""
_QUIET_S = 10.0
"""The time by which the state must equal a newly attached client's view."""
_COUNT_EVERY = 20
"""Counting objects requires a walk over all of them."""
_STEPS_A_WORLD = 150
_STEADY_S = 2.1
_ROW_S = 15.0
_ENDS_PAGES = {"renewed", "replaced", "recovering", "revived", "reviving", "gone"}
"""The text with which a call reports a tab recovered at the cost of its page."""


@dataclass
class Outcome:
    """The outcome of one step."""

    step: Step
    ended: str
    """``ok``, ``interrupted``, or the error's code."""
    words: str = ""
    over_ms: float = 0.0
    """The worst call's time beyond its budget; below 0 if it was in time."""
    stalled_ms: float = 0.0
    """How long the machine was stalled before that call's end."""
    recovery_ms: float = 0.0
    """The time from the fault's end until every tab worked."""
    befell: bool = True
    """Whether the fault happened: its message or command occurred."""
    broken: list[str] = field(default_factory=list)
    """The violated conditions."""


class Breaks:
    """Connections that break again and again within two seconds are given up after 30, as they
    should be; so a row of steps that cut them has a rest before."""

    def __init__(self) -> None:
        self._connection: object = None
        self._made_at = self._row_began = time.monotonic()

    def rest(self, world: World) -> None:
        """Before a step."""
        now = time.monotonic()
        if world.supervisor.connection is self._connection:
            if now - self._made_at > _STEADY_S:
                self._row_began = now
        else:
            self._connection, self._made_at = world.supervisor.connection, now
        if now - self._row_began > _ROW_S:
            threading.Event().wait(_STEADY_S)
            self._row_began = time.monotonic()


class Run:
    """Runs steps, each in a world that many steps share."""

    def __init__(self, beat: Metronome) -> None:
        self._world: World | None = None
        self._beat = beat
        self._state_told = ""
        self._steps_taken = 0
        self._before: dict[str, float] = {}
        self._over_ms = self._still_ms = 0.0
        self._told: set[str] = set()
        self._pages_ended_at = 0
        self._breaks = Breaks()

    def take(self, step: Step) -> Outcome:
        """Run the step, and check all conditions."""
        world = self._fresh()
        self._breaks.rest(world)
        outcome = self._act(world, step)
        if world.is_over:
            self._see_the_end(world, outcome)
        else:
            self._recover(world, outcome)
            if not outcome.broken:
                self._look(world, outcome)
        outcome.over_ms = self._over_ms
        outcome.stalled_ms = self._still_ms
        if self._over_ms > OVER_MS + self._still_ms:
            outcome.broken.append(f"a call took {self._over_ms:.0f} ms more than its budget")
        self._steps_taken += 1
        if world.is_over or outcome.broken or self._steps_taken % _STEPS_A_WORLD == 0:
            outcome.broken += self.close()
        return outcome

    def close(self) -> list[str]:
        """Leave the world; return the leftovers."""
        world, self._world = self._world, None
        if world is None:
            return []
        root = world.pid
        world.__exit__(None, None, None)
        return self._left_of(root)

    def _fresh(self) -> World:
        self._over_ms, self._still_ms = float("-inf"), 0.0
        if self._world is None:
            self._before = _held()
            self._told = set()
            world = World()
            world.__enter__()
            self._world = world
        return self._world

    def _act(self, world: World, step: Step) -> Outcome:
        harm, ends = HARMS[step.harm], []
        if harm.loses_dialogs:
            self._pages_ended_at = step.number
        elif DEEDS[step.deed].closes:
            self._pages_ended_at = step.number - 1
        with contextlib.suppress(TimeoutError):
            world.wait(lambda: world.supervisor.guard_post.guard is not None, "the guard", 5)

        def begin() -> None:
            ends.append(harm.begin(world, **step.harm_args))

        fired = len(world.relay.fired)
        later = threading.Timer(step.at_ms / 1000, begin)
        if step.at_ms:
            later.start()
        else:
            begin()
        deed = DEEDS[step.deed]
        ended, words = self._call(
            lambda: deed.call(world, step.draw, f"m{step.number}"), deed.budget_ms
        )
        if self._state_told in _ENDS_PAGES:
            self._pages_ended_at = step.number
        if step.at_ms:
            later.join()
        for end in ends:
            end()
        if not ends:
            ended, words = "harm failed", "the fault did not begin"
        befell = not harm.is_armed or len(world.relay.fired) > fired
        return Outcome(step, ended, words, befell=befell)

    def _call(self, call: Callable[[], Any], budget_ms: float) -> tuple[str, str]:
        began = time.monotonic()
        self._state_told = ""
        try:
            result = call()
        except TabwardenError as error:
            self._state_told = error.data.get("state", "")
            return error.code, str(error)
        except LookupError as error:  # an element for the deed is not on the page
            return "not there", str(error)
        else:
            return getattr(result, "status", "ok"), ""
        finally:
            over_ms = (time.monotonic() - began) * 1000 - budget_ms
            still_ms = 0.0
            if over_ms > OVER_MS:
                still_ms = self._beat.stood_still_ms(began + budget_ms / 1000 - RESCUE_S)
            if over_ms - still_ms > self._over_ms - self._still_ms:
                self._over_ms, self._still_ms = over_ms, still_ms

    # -- after the step ----------------------------------------------------------------------

    def _recover(self, world: World, outcome: Outcome) -> None:
        """Answer open dialogs, and use every tab until it works."""
        began = time.monotonic()
        last = ""
        while time.monotonic() - began < _WORKS_S:
            ended = [*self._answer(world), *self._use_tabs(world)]
            wrong = [words for how, words in ended if how != "ok"]
            if ended and not wrong:
                outcome.recovery_ms = (time.monotonic() - began) * 1000
                return
            last = wrong[-1] if wrong else "no tab"
            threading.Event().wait(0.01)
        outcome.broken.append(f"not every tab works after {_WORKS_S:g} s: {last}")

    def _answer(self, world: World) -> Iterator[tuple[str, str]]:
        for dialog in world.browser.state.pending_dialogs:
            how, words = self._call(
                lambda: world.browser.dialog("accept", dialog_id=dialog.id, timeout_ms=_WORKS_MS),  # noqa: B023
                _WORKS_MS,
            )
            yield how, words or "a dialog was waiting"

    def _use_tabs(self, world: World) -> Iterator[tuple[str, str]]:
        tabs = world.browser.state.tabs
        if not tabs:
            yield self._call(lambda: world.browser.tabs("open", timeout_ms=_WORKS_MS), _WORKS_MS)
        for tab in tabs:
            yield self._call(
                lambda: world.browser.evaluate("1", tab_id=tab.tab_id, timeout_ms=_WORKS_MS),  # noqa: B023
                _WORKS_MS,
            )

    def _look(self, world: World, outcome: Outcome) -> None:
        for file in world.downloads.iterdir():
            with contextlib.suppress(FileNotFoundError):
                file.unlink()
        self._compare(world, outcome)
        self._count_dialogs(world, outcome)
        if self._steps_taken % _COUNT_EVERY == _COUNT_EVERY - 1:
            self._count_held(world, outcome)

    def _compare(self, world: World, outcome: Outcome) -> None:
        until = time.monotonic() + _QUIET_S
        wrong = ""
        while time.monotonic() < until:
            try:
                with RawClient(world.port) as judge:
                    seen = as_seen_afresh(judge)
            except (Refusal, OSError) as error:
                wrong = f"the judge sees nothing: {error}"
                list(self._use_tabs(world))  # one may have recovered hung, undetected so far
            else:
                told = as_told(world.browser.state)
                if told == seen:
                    return
                wrong = told.but(seen)
            list(self._answer(world))
            threading.Event().wait(0.02)
        outcome.broken.append(f"the state is not what is there: {wrong}")

    def _count_dialogs(self, world: World, outcome: Outcome) -> None:
        until = time.monotonic() + _TOLD_S
        while lost := self._unheard(world):
            if time.monotonic() > until:
                outcome.broken.append(f"dialogs that nobody was told of: {lost}")
                self._told |= lost
                return
            list(self._answer(world))  # a page announces its dialog, and then opens it
            threading.Event().wait(0.01)

    def _unheard(self, world: World) -> set[str]:
        state = world.browser.state
        self._told |= {d.message for d in (*state.recent_dialogs, *state.pending_dialogs)}
        lost = world.pages.asked() - self._told
        # A page may have opened a dialog some steps ago, and an ended page cannot report one.
        return {message for message in lost if int(message[1:]) > self._pages_ended_at}

    def _count_held(self, world: World, outcome: Outcome) -> None:
        with contextlib.suppress(TimeoutError):
            world.wait(lambda: world.supervisor.guard_post.guard is not None, "the guard", 5)
        now = inventory(world.browser, like=world.at_rest)
        for what in (
            "futures",
            "races",
            "commands",
            "observers",
            "listeners",
            "rescues",
            "scripts",
        ):
            more = getattr(now, what) - getattr(world.at_rest, what)
            if more > 0:
                outcome.broken.append(f"{more} {what} more than at the beginning")
        grown = set(now.tasks) - set(world.at_rest.tasks)
        if grown or len(now.tasks) > len(world.at_rest.tasks):
            outcome.broken.append(f"tasks that were not there at the beginning: {now.tasks}")

    # -- ends --------------------------------------------------------------------------------

    def _see_the_end(self, world: World, outcome: Outcome) -> None:
        """A killed browser is reported as gone soon, with a reason, and calls fail at once."""
        began = time.monotonic()
        try:
            world.wait(lambda: world.browser.state.health.status == "gone", "gone", 15)
        except TimeoutError as error:
            outcome.broken.append(f"{error}: {world.browser.state.health}")
            return
        outcome.recovery_ms = (time.monotonic() - began) * 1000
        how, words = self._call(lambda: world.browser.evaluate("1", timeout_ms=1_000), 1_000)
        if how != "browser_gone" or not world.browser.state.health.reason:
            outcome.broken.append(f"a dead browser is told as {how}: {words}")

    def _left_of(self, root: int) -> list[str]:
        broken = []
        until = time.monotonic() + 10
        while True:
            now = _held()
            grown = {k: v - self._before[k] for k, v in now.items() if v > self._before[k]}
            alive = [
                pid for pid in processes(root) if pid != root and os.path.exists(f"/proc/{pid}")
            ]
            if not grown and not alive:
                return []
            if time.monotonic() > until:
                break
            threading.Event().wait(0.05)
        if grown:
            broken.append(f"left behind: {grown}")
        if alive:
            broken.append(f"processes left: {alive}")
        return broken


def _held() -> dict[str, float]:
    gc.collect()
    return {
        "threads": sum(
            not t.name.startswith(("asyncio_", "ThreadPool")) for t in threading.enumerate()
        ),
        "descriptors": len(os.listdir("/proc/self/fd")),
    }
