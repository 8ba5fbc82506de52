"""The ladder: carries out the steps that ``steps.py`` chooses, and observes their effects.

This file has the steps that keep the page; ``replace.py`` has the steps that lose the page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from typing import NamedTuple

from msgspec.structs import replace

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.hints import joined
from tabwarden.page.recovery import outcomes, timing
from tabwarden.page.recovery.last_resorts import may_kill, restore_drawing
from tabwarden.page.recovery.outcomes import Outcome
from tabwarden.page.recovery.probe import (
    Stopping,
    browser_took_s,
    find_silent,
    renderer_siblings,
    sessions_of,
    stop_scripts,
)
from tabwarden.page.recovery.renderer import until
from tabwarden.page.recovery.replace import LeavingSteps, is_arriving, is_navigating
from tabwarden.page.recovery.steps import Observation, Step, checks_drawing, next_step
from tabwarden.page.task import Rescue, RunningScript, Task, blocking_dialogs, is_blocked
from tabwarden.page.walker import WorldGone, call_walker
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.inputs import SetScripts
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import Race

_TRIES = 6
"""How many times to stop a page that keeps navigating."""
_STOP_LOADING = "Page.stopLoading"
_ANSWERS = (
    outcomes.IDLE, outcomes.STOPPED_NAVIGATING, outcomes.FREED, outcomes.FREED_FROM_QUEUE,
)  # fmt: skip
"""The outcomes after which the page has handled all scripts that were sent to it."""
_RESTLESS = 5
"""If a page loads this many documents during one call, it counts as a page that keeps navigating
itself."""


class CallStart(NamedTuple):
    """What a rescue needs to know about the call that ended."""

    began: float
    """When the call began, in monotonic seconds. The script of an earlier call may have blocked
    this call."""
    documents: int
    """How many documents the tab had loaded when the call began."""
    own_script: bool = False
    """Whether the call was meant to run a script. If so, the rescue stops that script too."""
    hung_before: bool = False
    """Whether the page was unblocked before, and now hangs again without a new call."""


async def climb(task: Task, tab_id: str, rescue: Rescue, start: CallStart) -> None:
    """Unblock a tab's page with the step that works at the least cost."""
    outcome = await _Ladder(task, tab_id, rescue, start).climb()
    if checks_drawing(outcome):
        await restore_drawing(task, tab_id, rescue)
    if _STOP_LOADING in rescue.steps:  # other calls may have read the abandoned URL
        budget = Budget(timing.TERMINATE_S * 1000)
        with suppress(TabwardenError), Race(task.supervisor, budget) as race:
            await task.refresh(race, tab_id)


async def replace_between_documents(task: Task, tab_id: str, rescue: Rescue) -> None:
    """Replace a tab that hangs between two documents, because no command reaches its renderer any
    more."""
    ladder = _Ladder(task, tab_id, rescue, CallStart(0.0, 0))
    ladder.between_documents = True
    await ladder.climb()


class _Ladder(LeavingSteps):
    """One rescue of one tab, from the first check to the outcome."""

    def __init__(self, task: Task, tab_id: str, rescue: Rescue, start: CallStart) -> None:
        super().__init__(task, tab_id, rescue)
        self._start = start
        self._steps: list[Step] = []
        self._suspects: list[str] = []
        """The sessions that may hang again. These are all probed sessions or, after a stop, the
        sessions that hung before the stop."""
        self._siblings: list[str] = []
        """The other tabs that hang in the same renderer. Their scripts are disabled and enabled
        too."""
        self._browser_slow = False
        self._other_script: RunningScript | None = None
        self._stopping: Stopping | None = None
        self._given_up: str | None = None
        """The URL of the navigation that ``stop_loading`` canceled."""
        self._sibling_dialog: PendingDialog | None = None
        self._open = ExitStack()

    async def climb(self) -> Outcome:
        with self._open:
            while isinstance(step := next_step(await self._observe()), Step):
                await getattr(self, step)()
                self._steps.append(step)
        if step in _ANSWERS:
            self.task.scripts.came_through(self.tab_id)
        self._report(step)
        return step

    async def _observe(self) -> Observation:
        state, tab_id = self.state, self.tab_id
        observation = Observation(
            steps=tuple(self._steps),
            own_script=self._start.own_script,
            hung_before=self._start.hung_before,
            navigating=is_navigating(state, tab_id),
            arriving=is_arriving(state, tab_id),
            hung=bool(self.hung),
            browser_slow=self._browser_slow,
            restless=state.documents_in(tab_id) >= self._start.documents + _RESTLESS,
            other_script=self._other_script is not None,
            reacted=self._stopping is None or self._stopping.reacted,
            queued=self.task.scripts.given_up(tab_id) > 1,
            between_documents=self.between_documents,
            tab_open=tab_id in state.tabs,
            only_frames=self.only_frames,
            parsed=self.parsed,
            may_kill=may_kill(self.supervisor),
            restored=self.restored,
        )
        if observation.is_leaving:
            return observation
        return replace(observation, dialog=await self._waits_for_dialog())

    async def _waits_for_dialog(self) -> bool:
        """Whether the page is waiting for its own dialog, for a dialog in another tab of the same
        renderer, or for the password that its next document needs.

        A page that waits for a dialog is as silent as a hung page. The last stop may even have let
        the page open the dialog. Another stop would close the dialog before anyone sees it.
        """
        tab_id = self.tab_id
        if not self._steps or not self.hung:
            return not self._steps and is_blocked(self.state, tab_id)
        await until(self.supervisor, lambda state: not state.is_asking(tab_id), timing.PATIENT_S)
        if blocking_dialogs(self.state, tab_id):
            return True
        siblings = renderer_siblings(self.state, tab_id)
        self._sibling_dialog = next(
            (d for d in self.state.pending_dialogs if d.tab_id in siblings), None
        )
        return self._sibling_dialog is not None

    def _report(self, outcome: Outcome) -> None:
        """Return the outcome as a report. If the outcome has no hint, write one."""
        hint = outcome.hint
        if outcome is outcomes.UNRESOLVED:
            return
        if outcome is outcomes.WAITS_FOR_DIALOG:
            if Step.DISABLE_SCRIPTS in self._steps:
                self._set_scripts([self.tab_id, *self._siblings], on=True)
            dialog = self._sibling_dialog
            hint = outcomes.sibling_dialog_hint(dialog) if dialog else ""
        elif outcome is outcomes.IDLE:
            self.rescue.did("probe: the page responds")
            hint = outcomes.why_idle(self.state, self.tab_id, self._given_up)
        elif outcome is outcomes.BUSY and self._other_script is not None:
            hint = outcomes.queued_hint(self._other_script)
        elif outcome is outcomes.GONE:
            hint = joined(
                "Tabwarden could not recover the tab, so it closed the tab.", self.instead
            )
        self.rescue.ended(outcome.state, hint, list(outcome.lost))

    # -- the steps, named as in ``steps.Step`` -----------------------------------------------

    async def stop_loading(self) -> None:
        """Cancel a navigation if its server does not respond.

        While a page's main frame waits for a response, the browser delays every command to the
        page's renderer, even ``terminateExecution``. But the browser itself handles
        ``Page.stopLoading`` (docs/decisions/0003).
        """
        self._given_up = self._bound_for()
        self._give_up_navigation()

    async def probe(self) -> None:
        supervisor = self.supervisor
        self._suspects = sessions_of(supervisor.state, self.tab_id)
        self.hung = await find_silent(supervisor, self._suspects, timing.PROBE_S)
        # If the browser doesn't reply either, the connection may be slow. Once the browser replies,
        # delayed messages (about a dialog, for example) have arrived too.
        self._browser_slow = (
            bool(self.hung)
            and Step.PROBE not in self._steps
            and await browser_took_s(supervisor, timing.SLOW_BROWSER_S) > timing.PROBE_S
        )
        if not self._browser_slow:
            self._find_other_script()

    async def stop_own_script(self) -> None:
        stop_scripts(self.supervisor, self._suspects)
        self.hung = await self._hung_again(self._suspects)
        self._find_other_script()

    def _find_other_script(self) -> None:
        """If the page hangs, find an agent's script that may still be running and that was sent
        before the call that ended."""
        if not self.hung:
            return
        self.rescue.did("probe: no answer")
        for script in self.task.scripts.of(self.tab_id):
            may_block = script.runs or not self._start.hung_before
            if may_block and script.began < self._start.began and self._may_run(script):
                self._other_script = script
                return

    def _may_run(self, script: RunningScript) -> bool:
        """Whether a script may be running, because its page has not replied since the script was
        sent. If the script were only waiting for a promise, the page would have replied."""
        return self.supervisor.heard.get(script.session_id, 0.0) < script.began

    async def stop_navigating(self) -> None:
        self.rescue.did("probe: the page responds")
        self.rescue.did("Page.stopLoading: the page keeps navigating")
        await stop_navigating(self.task, self.tab_id)

    async def terminate(self) -> None:
        self._note_hang()
        self._suspects = self.hung
        self.rescue.did("Runtime.terminateExecution")
        self._stopping = self._open.enter_context(Stopping(self.supervisor, self.hung))
        self.hung = await self._still_silent(self.hung, timing.TERMINATE_S)
        if not self.hung:
            self.hung = await self._hung_again(self._suspects)

    async def wait_for_native_code(self) -> None:
        self.rescue.did("wait for native code")
        if Step.DISABLE_SCRIPTS in self._steps:
            self.hung = await find_silent(self.supervisor, self._suspects, timing.PATIENT_S)
            return
        self.hung = await find_silent(self.supervisor, self.hung, timing.NATIVE_CODE_S)
        if not self.hung:
            self.hung = await self._hung_again(self._suspects)

    async def stop_document(self) -> None:
        """Stop loading an endless document. The browser process itself handles the command."""
        self._give_up_navigation()
        self.hung = await find_silent(self.supervisor, self.hung, timing.STOPPED_DOCUMENT_S)

    async def terminate_queue(self) -> None:
        """Stop the abandoned scripts in the queue, one after the other. Let a script run if its
        call is still waiting, because that call has its own deadline."""
        scripts, tab_id, supervisor = self.task.scripts, self.tab_id, self.supervisor
        waiting = many = scripts.given_up(tab_id) - 1
        answer = asyncio.ensure_future(find_silent(supervisor, self.hung, timing.SCRIPT_QUEUE_S))
        try:
            while waiting > 0 and not answer.done():
                with Stopping(supervisor, self.hung) as stopping:
                    if not await stopping.took_effect(timing.PATIENT_S):
                        break
                waiting -= 1
        finally:
            answer.cancel()
        self.hung = await self._hung_again(self.hung)
        script = next(iter(scripts.of(tab_id)), None)
        if self.hung and waiting < many and script is not None and self._may_run(script):
            self._other_script = script
            scripts.came_through(tab_id)

    async def disable_scripts(self) -> None:
        if self._start.hung_before:
            self._note_hang()
        self._note_relapse()
        supervisor, state = self.supervisor, self.state
        own = {one: sessions_of(state, one)[:1] for one in renderer_siblings(state, self.tab_id)}
        if own:
            sessions = [session for of_tab in own.values() for session in of_tab]
            hung = set(await find_silent(supervisor, sessions, timing.PROBE_S))
            self._siblings = [one for one, of_tab in own.items() if hung.intersection(of_tab)]
        self.rescue.did("Emulation.setScriptExecutionDisabled")
        self._suspects = self.hung
        await self._switch_off()

    async def enable_scripts(self) -> None:
        self._set_scripts([self.tab_id, *self._siblings], on=True)
        self.hung = await self._hung_again(sessions_of(self.state, self.tab_id))

    async def clear_timers(self) -> None:
        if Step.ENABLE_SCRIPTS in self._steps:
            await self._switch_off()
        state = self.state
        siblings = [session for one in self._siblings for session in sessions_of(state, one)[:1]]
        await clear_timers(self.task, [*self._suspects, *siblings])
        self.rescue.did("timers cleared")
        await self.enable_scripts()

    async def disable_for_good(self) -> None:
        self.rescue.did("Emulation.setScriptExecutionDisabled: permanently")
        suspects = self.hung
        await self._switch_off()
        if self.hung:
            self.hung = await find_silent(self.supervisor, suspects, timing.PATIENT_S)

    async def check_before_leaving(self) -> None:
        """First enable the other tabs' scripts. This tab's scripts are enabled once the tab has
        left its renderer."""
        self._set_scripts(self._siblings, on=True)
        if Step.DISABLE_SCRIPTS not in self._steps:
            self._note_relapse()
        await super().check_before_leaving()

    # -- parts of steps ------------------------------------------------------------------------

    def _note_hang(self) -> None:
        """Record that all tabs in this renderer hang, because each of them may be the cause and may
        hang again during a later call."""
        state = self.state
        tab_ids = (self.tab_id, *renderer_siblings(state, self.tab_id))
        self.task.hangs.hang(
            {state.document_in(one) for one in tab_ids}, {state.document_in(t) for t in state.tabs}
        )

    def _note_relapse(self) -> None:
        self.task.hangs.relapse(self.state.document_in(self.tab_id))

    def _set_scripts(self, tabs: list[str], *, on: bool) -> None:
        for one in tabs:
            self.supervisor.feed(SetScripts(one, on=on))

    async def _switch_off(self) -> None:
        """Disable scripts, stop the scripts that hang, and return the sessions that still hang."""
        self._set_scripts([self.tab_id, *self._siblings], on=False)
        stop_scripts(self.supervisor, self.hung)
        self.hung = await self._still_silent(self.hung, timing.TERMINATE_S)

    async def _hung_again(self, sessions: list[str]) -> list[str]:
        """Wait briefly, because the page's next timer may start the stopped script again. Then
        return the sessions that hang."""
        await asyncio.sleep(timing.AGAIN_DELAY_S * self.supervisor.hang_patience)
        return await self._still_silent(sessions, timing.AGAIN_S)

    async def _still_silent(self, sessions: list[str], within_s: float) -> list[str]:
        """Return the sessions that do not respond after their scripts were stopped. The scripts may
        have delayed a navigation (the handler of a link, for example). If so, cancel the navigation
        and probe again, unless a ``beforeunload`` dialog is open."""
        supervisor, tab_id = self.supervisor, self.tab_id
        hung = await find_silent(supervisor, sessions, within_s)
        state = supervisor.state
        if (
            not hung
            or _STOP_LOADING in self.rescue.steps
            or not is_navigating(state, tab_id)
            or any(d.type == "beforeunload" for d in blocking_dialogs(state, tab_id))
        ):
            return hung
        to = f" to {url[: outcomes.LONGEST_URL]}" if (url := self._bound_for()) else ""
        self._give_up_navigation()
        self.rescue.aside = f"Tabwarden also canceled a navigation{to} that the hang had delayed."
        return await find_silent(supervisor, hung, timing.AGAIN_S)

    def _bound_for(self) -> str:
        """Return the URL that the tab is navigating to, or "" if it is unknown."""
        top = self.state.top_frame(self.tab_id)
        return top.bound_for if top is not None else ""

    def _give_up_navigation(self) -> None:
        tab = self.state.tabs[self.tab_id]
        self.supervisor.send(page.StopLoading(), tab.session_id)
        self.rescue.did(_STOP_LOADING)


async def clear_timers(task: Task, session_ids: Sequence[str]) -> None:
    """Clear the timers and animation frames of the documents in these sessions."""
    frames = [f.frame_id for f in task.state.frames.values() if f.session_id in session_ids]
    with Race(task.supervisor, Budget(timing.CLEAR_TIMERS_S * 1000)) as race:
        await asyncio.gather(*(_clear(task, race, frame_id) for frame_id in frames))


async def _clear(task: Task, race: Race, frame_id: str) -> None:
    try:
        await call_walker(race, await task.worlds.of(race, frame_id), "clearTimers")
    except (TabwardenError, WorldGone):  # skip a frame that can't be reached
        return


async def stop_navigating(task: Task, tab_id: str) -> None:
    """Stop a page's navigations until the page does not start another."""
    supervisor = task.supervisor
    for _ in range(_TRIES):
        before = supervisor.state.documents_in(tab_id)
        tab = supervisor.state.tabs.get(tab_id)
        if tab is None:
            return
        supervisor.send(page.StopLoading(), tab.session_id)

        def went_on(state: SupervisorState, before: int = before) -> bool:
            return state.documents_in(tab_id) != before

        if not await until(supervisor, went_on, timing.REST_S):
            break
    await clear_timers(task, sessions_of(supervisor.state, tab_id))
