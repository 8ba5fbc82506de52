"""The fast path of ``evaluate``: the caller's thread sends the script if the tab is already
prepared.

For a short script, two thread switches and the steps before and after the command take half of the
time. So if no preparation is needed, the caller's thread sends the command. As for any command, a
``Race`` waits for the reply, and the engine decides how the race ends. If the race ends with a
plain value and the state has not changed, the caller's thread reads the value. In every other case,
the call continues on the engine like any action (docs/decisions/0021).

This module defines almost no conditions itself: ``page.call`` says when an action can begin,
``evaluate.place_known`` where a script runs, and ``task.turns`` which call comes first. The fast
path only excludes scripts that are statements. Tests run the same sequences of calls on both paths
and compare the results.

On the caller's thread, this module reads only immutable values and single dict entries. It calls
only thread-safe methods: the ones that a ``Race`` needs, the methods of ``Acting`` and
``RunningScripts``, and ``LateTitles.soon``.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import ExitStack, suppress
from typing import NamedTuple

import msgspec

from tabwarden.budget import Budget
from tabwarden.errors import InvalidArgument, JsError, TabwardenError
from tabwarden.page.call import (
    PageState,
    budget_before_rescue,
    finish_action,
    hold_in,
    hold_of,
    page_state_of,
)
from tabwarden.page.recovery import CallStart
from tabwarden.page.scripts.evaluate import (
    Asked,
    Place,
    Sent,
    evaluate,
    of_element,
    place_known,
    run,
)
from tabwarden.page.scripts.script import arguments, first_form, only_as_statements
from tabwarden.page.task import (
    CARDS,
    GONE,
    ActionResult,
    Call,
    Done,
    RunningScript,
    Task,
    read,
)
from tabwarden.protocol import decode_result, runtime
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import Tab
from tabwarden.supervisor.runtime import EngineLoop, Handoff, Interrupted, Race
from tabwarden.telemetry.redaction import without_login
from tabwarden.wire import Reply


class _Start(NamedTuple):
    """A tab on which an action can begin at once, as long as the state stays the same."""

    state: SupervisorState
    tab: Tab
    before: PageState


class FastPath:
    """Sends the scripts of one task. Thread-safe."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._start: _Start | None = None

    def send(self, asked: Asked, budget: Budget, tab_id: str | None) -> SentScript | None:
        """Send a script with checked arguments to a tab (None: the active tab). Return None if
        ``perform`` must first prepare the tab or raise an error."""
        task = self._task
        start = self._start_on(task.state, tab_id)
        if start is None or not hold_of(task, start.tab.tab_id):
            return None
        here = start.tab.tab_id
        memory = task.memories.get(here)
        if memory is not None and memory.last_input is not None:  # a late effect is unreported
            return None
        if task.turns.is_taken(here):
            return None
        if budget.cancelled is not None or only_as_statements(asked.script):
            return None
        place = place_known(task, start.state, start.tab.tab_id, asked)
        if place is None:
            return None
        where = place.where
        serializer = task.serializers.known(where.session_id, where.unique_id)
        if serializer is None:
            return None
        try:
            call_arguments = of_element(place.handle, arguments(asked.args))
        except InvalidArgument:
            return None
        command = first_form(
            asked.script,
            call_arguments,
            where.unique_id,
            serializer,
            of_ref=asked.ref is not None,
            user_gesture=asked.user_gesture,
        )
        race = Race(task.supervisor, budget_before_rescue(budget), start.tab.tab_id, outside=True)
        race.__enter__()
        with suppress(Interrupted, TabwardenError):  # the race has already ended
            if task.state is start.state:  # otherwise, the race may have missed an event
                return SentScript(task, start, place, command, asked, budget, race)
        race.__exit__(None, None, None)
        return None

    def _start_on(self, state: SupervisorState, tab_id: str | None) -> _Start | None:
        wanted = tab_id or state.active_tab_id or ""
        start = self._start
        if start is None or start.state is not state or start.tab.tab_id != wanted:
            if not hold_in(state, wanted):
                return None
            start = _Start(state, state.tabs[wanted], page_state_of(state, wanted))
            self._start = start
        return start


class SentScript:
    """A script that the caller's thread has sent. The engine only decides how the wait for its
    reply ends."""

    def __init__(
        self,
        task: Task,
        start: _Start,
        place: Place,
        command: runtime.CallFunctionOn,
        asked: Asked,
        budget: Budget,
        race: Race,
    ) -> None:
        self._task, self._start, self._asked, self._budget = task, start, asked, budget
        self._began = time.monotonic()
        tab_id = start.tab.tab_id
        self._acting = task.supervisor.telemetry.acting("evaluate", tab_id)
        self._race = race
        self._script = RunningScript(tab_id, place.where.session_id, race.budget)
        task.scripts.begin(self._script)
        try:
            pending = race.start(command, place.where.session_id)
        except BaseException:
            task.scripts.end(self._script)
            raise
        self._acting.__enter__()  # do this while the browser runs the script
        assert isinstance(pending.waiter, Handoff)
        self._sent, self._arrived = Sent(place, pending), pending.waiter

    async def ended_async(self, engine: EngineLoop) -> ActionResult:
        """Return the script's result. If the caller is canceled, stop the script."""
        try:
            await self._arrived
        except asyncio.CancelledError:
            await engine.run_async(self._rest(given_up=True))
            raise
        plain = self._plain()
        return plain if plain is not None else await engine.run_async(self._rest())

    def ended_sync(self, engine: EngineLoop) -> ActionResult:
        """Return the script's result to a thread that has no event loop. Ctrl-C stops the
        script."""
        try:
            self._arrived.wait()
        except BaseException:
            engine.submit(self._rest(given_up=True))
            raise
        plain = self._plain()
        return plain if plain is not None else engine.run_sync(self._rest())

    def _plain(self) -> ActionResult | None:
        """Return the result if the script's value is plain; None if ``_rest`` must finish the
        call."""
        self._task.scripts.end(self._script)
        done = self._plain_value()
        if done is None:
            return None
        self._race.__exit__(None, None, None)
        self._acting.__exit__(None, None, None)
        self._task.late_titles.soon()
        tab = self._start.tab
        return ActionResult(
            action="evaluate",
            value=done.value,
            note=done.note,
            tab_id=tab.tab_id,
            url=without_login(tab.url),
            title=tab.title,
        )

    def _plain_value(self) -> Done | None:
        """Return the script's value if the script finished by itself and nothing else happened."""
        reply: Reply | None = self._arrived.result()
        state = self._task.state
        if reply is None or reply.result is None or state is not self._start.state:
            return None
        if not self._task.seen.knows_all_of(state) or self._task.control.concerns_answers:
            return None
        try:
            result = decode_result(runtime.CallFunctionOn, reply.result)
            if result.exception_details is not None:
                return None
            done = read(self._race, self._sent.place.where.session_id, result)
        except (msgspec.DecodeError, JsError):
            return None
        return None if done is GONE else done

    async def _rest(self, *, given_up: bool = False) -> ActionResult:
        """Finish the call on the engine. ``given_up`` is true if the caller was canceled."""
        self._task.scripts.end(self._script)
        start = CallStart(self._began, self._start.before.documents, own_script=True)
        with ExitStack() as entered:
            entered.push(self._acting)
            return await finish_action(
                self._task,
                self._acting,
                self._start.tab.tab_id,
                self._budget,
                self._work(given_up=given_up),
                start,
                self._start.before,
                self._race.notes,
            )

    async def _work(self, *, given_up: bool) -> tuple[Done, None]:
        with ExitStack() as entered:
            entered.push(self._race)
            if given_up:
                raise asyncio.CancelledError
            call = Call(self._task, self._race, self._start.tab, CARDS[evaluate])
            return await run(call, self._asked, self._sent), None
