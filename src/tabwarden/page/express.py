"""Express: a script whose command the caller's own thread sends, where nothing is in its way.

Two hops between threads and most of what an action does around its command make half of what a
short script takes. So where the frozen state says that an action would come to its command at once,
the command goes out first. It runs in a race like any other, decided on the engine; where that ends
with a plain reply and the state is what it was, the caller's thread reads the value, and is done.
Whatever else happens, the action goes on from there on the engine, as any action does
(docs/decisions/0021).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument
from tabwarden.page.act import but_rescue, to_its_end
from tabwarden.page.after import Before, place_of
from tabwarden.page.evaluate import (
    World,
    evaluate,
    nothing_ran,
    why_cut_short,
)
from tabwarden.page.rescue import Call, may_hang
from tabwarden.page.result import ActionResult, Done
from tabwarden.page.running import RunningScript
from tabwarden.page.script import called, only_as_statements
from tabwarden.page.task import Task
from tabwarden.page.values import GONE, did_not_parse, read
from tabwarden.protocol import decode_result, runtime
from tabwarden.supervisor import (
    CommandRefused,
    ExecutionContext,
    Handoff,
    Pending,
    Race,
    SupervisorState,
    Tab,
)
from tabwarden.wire import Reply

__all__ = ["Express", "Sent"]

_ACTION = "evaluate"


class _Way(NamedTuple):
    """Where a script goes as long as the state is this one."""

    state: SupervisorState
    tab_id: str | None
    tab: Tab
    before: Before


class _Asked(NamedTuple):
    """What ``evaluate`` was asked."""

    script: str
    ref: str | None
    frame_id: str | None
    world: World
    args: tuple[Any, ...]


class Express:
    """Sends the scripts of one task; any thread may ask."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._way: _Way | None = None

    def send(
        self,
        script: str,
        budget: Budget,
        *,
        ref: str | None = None,
        frame_id: str | None = None,
        args: Sequence[Any] = (),
        world: World = "main",
        tab_id: str | None = None,
    ) -> Sent | None:
        """Send a script; None: it can't be told from here that nothing is in its way, or that
        what is asked for is right, so ``perform`` it."""
        way = self._way_to(tab_id)
        if way is None or not isinstance(script, str) or not script.strip():
            return None
        if budget.cancelled is not None or only_as_statements(script):
            return None
        target = self._target(way, ref, frame_id, world)
        if target is None:
            return None
        context, serializer, handle = target
        try:
            command = called(script, args, context.unique_id, serializer, handle)
        except InvalidArgument:
            return None
        race = Race(self._task.supervisor, but_rescue(budget), way.tab.tab_id, outside=True)
        race.__enter__()
        if self._task.state is not way.state:  # what happened just before, the race was not told
            race.__exit__(None, None, None)
            return None
        asked = _Asked(script, ref, frame_id, world, tuple(args))
        return Sent(self._task, way, context, command, asked, budget, race)

    def _way_to(self, tab_id: str | None) -> _Way | None:
        task = self._task
        state = task.state
        way = self._way
        if way is None or way.state is not state or way.tab_id != tab_id:
            way = self._way = self._new_way(state, tab_id)
        if way is None or task.highlighted is not None or task.recovered:
            return None
        if way.tab.tab_id in task.rescues or may_hang(task, way.tab.tab_id):
            return None
        return way

    @staticmethod
    def _new_way(state: SupervisorState, tab_id: str | None) -> _Way | None:
        tab = state.tabs.get(tab_id or state.active_tab_id or "")
        if tab is None or tab.status != "ready" or state.health.status != "live":
            return None
        if state.pending_dialogs or state.is_asking(tab.tab_id) or state.is_arming(tab.tab_id):
            return None
        return _Way(state, tab_id, tab, place_of(state, tab.tab_id))

    def _target(
        self, way: _Way, ref: str | None, frame_id: str | None, world: World
    ) -> tuple[ExecutionContext, str, str | None] | None:
        """The world, what carries values out of it, and the element, all met before."""
        task, state = self._task, way.state
        if ref is not None:
            found = task.refs.known(ref)
            if found is None or found.tab_id != way.tab.tab_id:
                return None
            ref, frame_id = found.ref, found.frame_id
        wanted = frame_id or state.top_frame_id(way.tab.tab_id) or ""
        context = (state.contexts if world == "main" else state.agent_worlds).get(wanted)
        if context is None:
            return None
        session_id, unique_id = context.session_id, context.unique_id
        handle = None if ref is None else task.handles.known(ref, session_id, unique_id)
        serializer = task.serializers.known(session_id, unique_id)
        if serializer is None or (ref is not None and handle is None):
            return None
        return context, serializer, handle


class Sent:
    """A script that is on its way (``supervisor.Ahead``)."""

    def __init__(
        self,
        task: Task,
        way: _Way,
        context: ExecutionContext,
        command: runtime.CallFunctionOn,
        asked: _Asked,
        budget: Budget,
        race: Race,
    ) -> None:
        self._task, self._way, self._budget, self._asked = task, way, budget, asked
        self._session_id = context.session_id
        self._began = time.monotonic()
        tab_id = way.tab.tab_id
        self._acting = task.supervisor.telemetry.acting(_ACTION, tab_id)
        self._race = race
        self._script = RunningScript(tab_id, context.session_id, race.budget)
        task.scripts.begin(self._script)
        self._pending: Pending[runtime.CallFunctionOnResult] = race.start(
            command, context.session_id
        )
        self._acting.__enter__()  # what can wait is done while the browser works
        assert isinstance(self._pending.waiter, Handoff)
        self.arrived = self._pending.waiter

    def plain(self) -> ActionResult | None:
        """See ``Ahead.plain``."""
        self._task.scripts.end(self._script)
        done = self._plain_value()
        if done is None:
            return None
        self._race.__exit__(None, None, None)
        self._acting.__exit__(None, None, None)
        self._task.late_titles.soon()
        tab = self._way.tab
        return ActionResult(
            action=_ACTION,
            value=done.value,
            note=done.note,
            tab_id=tab.tab_id,
            url=tab.url,
            title=tab.title,
        )

    def _plain_value(self) -> Done | None:
        """What the script gave, if it ended by itself and nothing else came with that."""
        reply: Reply | None = self.arrived.result()
        state = self._task.state
        if reply is None or reply.result is None or state is not self._way.state:
            return None
        if not self._task.seen.knows_all_of(state):
            return None
        try:
            result = decode_result(runtime.CallFunctionOn, reply.result)
        except msgspec.DecodeError:
            return None
        if result.exception_details is not None:
            return None
        done = read(self._race, self._session_id, result)
        return None if done is GONE else done

    async def rest(self, *, given_up: bool = False) -> ActionResult:
        """See ``Ahead.rest``."""
        self._task.scripts.end(self._script)
        way, call = self._way, Call(self._began, self._way.before.documents, own_script=True)
        with ExitStack() as entered:
            entered.push(self._acting)
            return await to_its_end(
                self._task,
                self._acting,
                way.tab.tab_id,
                self._budget,
                self._work(given_up=given_up),
                call,
                way.before,
                self._race.notes,
            )

    async def _work(self, *, given_up: bool) -> tuple[Any, None]:
        with ExitStack() as entered:
            entered.push(self._race)
            if given_up:
                raise asyncio.CancelledError
            return await self._outcome(), None

    async def _outcome(self) -> Done:
        task, race, asked = self._task, self._race, self._asked
        race.come_inside()
        try:
            result = await race.result(self._pending)
            done = None if did_not_parse(result) else read(race, self._session_id, result)
            if done is not None and done is not GONE:
                return done
        except CommandRefused as refused:
            if not nothing_ran(task, refused):
                raise why_cut_short(task, self._way.tab, asked.frame_id, refused) from None
        return await evaluate(
            task,
            race,
            self._way.tab,
            asked.script,
            ref=asked.ref,
            frame_id=asked.frame_id,
            world=asked.world,
            args=asked.args,
        )
