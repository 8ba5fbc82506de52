"""The lower rungs: what frees a page in place.

Order matters (FINDINGS 4): scripts are terminated on the sessions that were attached before the
hang, first, as a navigation within a site would take them away.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.blocking import blocking_dialogs
from tabwarden.page.rescue.gpu import undrawn
from tabwarden.page.rescue.probe import (
    Stopping,
    browser_took_ms,
    kin_of,
    sessions_of,
    silent,
    stop_scripts,
)
from tabwarden.page.rescue.renderer import until
from tabwarden.page.rescue.renewal import is_navigating, renewed
from tabwarden.page.rescue.restless import stilled
from tabwarden.page.rescue.story import Call, Rescue
from tabwarden.page.rescue.timers import clear_timers
from tabwarden.page.running import RunningScript
from tabwarden.page.task import Task
from tabwarden.protocol import page
from tabwarden.supervisor import CDPSupervisor, PendingDialog, Race, SetScripts, SupervisorState

__all__ = ["IN_PLACE_MS", "PROBE_MS", "climb"]

PROBE_MS = 15.0
_TERMINATE_MS = 30.0
IN_PLACE_MS = PROBE_MS + _TERMINATE_MS + 15.0
"""How long it takes at most to free a page whose script can be stopped, on a machine at rest."""
_STOP_LOADING = "Page.stopLoading"
_RESTLESS = 5
"""So many documents in the time of one call: the page navigates itself all the time."""
_MOMENT_S = 0.008
_AGAIN_MS = 12.0
_DEAF_MS = 3_000.0
"""How long the browser process may say nothing before a page is taken for the reason: some keep it
busy."""
_URL = 300
"""Characters of an address in a hint."""
_LINE_MS = 2_000.0
"""Many more scripts than wait in one line can be stopped by then."""
_NATIVE_MS = 70.0
"""How long native code may take to come to its end."""
_PATIENCE_MS = 90.0
"""The same, or a machine that is slow to stop a script, where no call waits any more."""


async def climb(task: Task, tab_id: str, rescue: Rescue, call: Call, *, hung_before: bool) -> None:
    """Free a tab's page, by the cheapest rung that does."""
    await _climbed(task, tab_id, rescue, call, hung_before=hung_before)
    if _STOP_LOADING in rescue.steps:  # who asked under way was told where it was bound for
        with suppress(TabwardenError), Race(task.supervisor, Budget(_TERMINATE_MS)) as race:
            await task.refresh(race, tab_id)


async def _climbed(
    task: Task, tab_id: str, rescue: Rescue, call: Call, *, hung_before: bool
) -> None:
    supervisor = task.supervisor
    if blocking_dialogs(supervisor.state, tab_id):
        rescue.ended("waits for a dialog", "")
        return
    top = supervisor.state.top_frame(tab_id)
    bound_for = top.bound_for if top is not None else ""
    if stopped := _stop_loading(supervisor, tab_id):
        rescue.did(_STOP_LOADING)
    sessions = sessions_of(supervisor.state, tab_id)
    hung = await silent(supervisor, sessions, PROBE_MS)
    if hung and await browser_took_ms(supervisor, _DEAF_MS) > PROBE_MS:
        # It may have been the wire. What waited there is known now, a dialog perhaps, whose pause
        # would be ended unseen by what comes next.
        if await _asks(supervisor, tab_id, rescue):
            return
        sessions = sessions_of(supervisor.state, tab_id)
        hung = await silent(supervisor, sessions, PROBE_MS)
    if not hung and call.own_script:  # it may run all the same, in a loop that served us meanwhile
        stop_scripts(supervisor, sessions)
        hung = await _hung_again(supervisor, tab_id, sessions, rescue)
    if not hung:
        task.scripts.came_through(tab_id)
        rescue.did("probe: the page answers")
        if supervisor.state.documents_in(tab_id) >= call.documents + _RESTLESS:
            await stilled(task, tab_id, rescue)
            return
        rescue.ended("idle", _why_idle(supervisor.state, tab_id, bound_for if stopped else None))
        await undrawn(task, tab_id, rescue)
        return
    rescue.did("probe: no answer")
    if await _asks(supervisor, tab_id, rescue):
        return
    script = _older_script(task, tab_id, call.began, hung_before=hung_before)
    if script is not None:
        _waits_behind(script, rescue)
        return
    # Whichever of the tabs of one renderer it was: it may begin again under any of them.
    kin = kin_of(supervisor.state, tab_id)
    task.hung_documents &= {supervisor.state.document_in(one) for one in supervisor.state.tabs}
    task.hung_documents |= {supervisor.state.document_in(one) for one in (tab_id, *kin)} - {""}
    heard = True
    if not hung_before:
        hung, heard = await _terminated(supervisor, tab_id, hung, rescue)
        if hung and await _asks(supervisor, tab_id, rescue):  # what was stopped had kept it back
            return
        if hung and heard:
            hung = await _line_stopped(task, tab_id, hung, rescue)
    if not hung:
        task.scripts.came_through(tab_id)
        return
    task.relapsing_documents &= task.hung_documents
    task.relapsing_documents.add(supervisor.state.document_in(tab_id))
    # A renderer that took no notice runs no script: only native code can hold it.
    if heard and await _calmed(task, tab_id, rescue, hung, hung_before=hung_before):
        return
    await renewed(task, tab_id, rescue)
    if rescue.state in ("renewed", "replaced"):  # what was lost may have waited for the GPU
        await undrawn(task, tab_id, rescue)


def _stop_loading(supervisor: CDPSupervisor, tab_id: str) -> bool:
    """Give up a navigation whose server does not answer.

    While a page's main frame waits for a response, the browser holds back every command to its
    renderer, ``terminateExecution`` among them; ``Page.stopLoading`` is answered by the browser
    itself (docs/decisions/0003).
    """
    tab = supervisor.state.tabs.get(tab_id)
    if tab is None or not is_navigating(supervisor.state, tab_id):
        return False
    supervisor.send(page.StopLoading(), tab.session_id)
    return True


def _why_idle(state: SupervisorState, tab_id: str, given_up: str | None) -> str:
    """What a page that answers was waited for, as far as is known.

    Args:
        state, tab_id: where.
        given_up: the address of a navigation that was given up; "": one whose address is not known;
            None: there was none.
    """
    top = state.top_frame(tab_id)
    here = top.url[:_URL] if top is not None else ""
    if given_up is not None:
        return (
            f"The server has not answered{f' for {given_up[:_URL]}' if given_up else ''}, so that "
            f"navigation was given up: {here or 'the page before it'} still stands in the tab. "
            "Go elsewhere."
        )
    if top is not None and top.lifecycle and "load" not in top.lifecycle:
        return (
            f"{here} stands in the tab and answers, but has not loaded to its end: something that "
            "it needs, as a script, a stylesheet or an image, has not come. Take a snapshot to see "
            "what is there."
        )
    return (
        "The page itself is responsive: what was waited for did not happen. "
        "Take a snapshot and go on."
    )


def _older_script(
    task: Task, tab_id: str, began: float, *, hung_before: bool
) -> RunningScript | None:
    """A script of the agent's that may be what runs: it began before the call that has ended, and
    its page has not answered since (it would have, had the script come to wait for a promise)."""
    for one in task.scripts.of(tab_id):
        if hung_before and not one.runs:
            continue
        if one.began < began and task.supervisor.heard.get(one.session_id, 0.0) < one.began:
            return one
    return None


async def _asks(supervisor: CDPSupervisor, tab_id: str, rescue: Rescue) -> bool:
    """Whether a page that does not answer waits for a dialog, its own or one of its kin's: then it
    does not hang, and what stops scripts would end a dialog's pause unseen."""
    await until(supervisor, lambda state: not state.is_asking(tab_id), _PATIENCE_MS)
    state = supervisor.state
    if blocking_dialogs(state, tab_id):
        rescue.ended("waits for a dialog", "")
        return True
    kin = kin_of(state, tab_id)
    dialog = next((d for d in state.pending_dialogs if d.tab_id in kin), None)
    if dialog is not None:
        _waits_for_kin(dialog, rescue)
    return dialog is not None


def _waits_for_kin(dialog: PendingDialog, rescue: Rescue) -> None:
    rescue.ended(
        "waits for a dialog",
        f"Dialog {dialog.id} ({dialog.type}) waits in tab {dialog.tab_id}, which shares this tab's "
        f"renderer. Answer it: browser_dialog(action='accept' or 'dismiss', "
        f"dialog_id='{dialog.id}'); then go on.",
    )


def _waits_behind(script: RunningScript, rescue: Rescue) -> None:
    left_s = script.budget.remaining_s()
    rescue.ended(
        "busy",
        "Another call's script (browser_evaluate) runs in this tab, so this one waited behind it. "
        f"It is stopped when its own time is up, in {left_s:.1f} s, or when it is cancelled.",
    )


async def _terminated(
    supervisor: CDPSupervisor, tab_id: str, hung: list[str], rescue: Rescue
) -> tuple[list[str], bool]:
    """Stop what runs; what hangs all the same, and whether it took notice."""
    sessions = hung
    rescue.did("Runtime.terminateExecution")
    with Stopping(supervisor, hung) as stopping:
        hung = await _still_silent(supervisor, tab_id, hung, _TERMINATE_MS, rescue)
        if hung and not stopping.noticed:
            rescue.did("wait for native code")
            hung = await silent(supervisor, hung, _NATIVE_MS)
    hung = hung or await _hung_again(supervisor, tab_id, sessions, rescue)
    if not hung:
        rescue.ended(
            "freed",
            "The script that hung the page was stopped; the tab works. Take a snapshot and go on.",
        )
    return hung, stopping.noticed


async def _line_stopped(task: Task, tab_id: str, hung: list[str], rescue: Rescue) -> list[str]:
    """Stop, one after the other, the scripts of agents that were given up while they waited behind
    the one that was stopped; what hangs all the same.

    One that somebody waits for is let run: it has its own deadline.
    """
    supervisor = task.supervisor
    waiting = many = task.scripts.given_up(tab_id) - 1
    if many < 1:
        return hung
    answer = asyncio.ensure_future(silent(supervisor, hung, _LINE_MS))
    try:
        while waiting > 0 and not answer.done():
            with Stopping(supervisor, hung) as stopping:
                if not await stopping.taken(_PATIENCE_MS):
                    break
            waiting -= 1
    finally:
        answer.cancel()
    hung = await _hung_again(supervisor, tab_id, hung, rescue)
    script = next(iter(task.scripts.of(tab_id)), None)
    if not hung:
        rescue.ended(
            "freed",
            "The scripts that hung the page, one behind the other, were stopped; the tab works. "
            "Take a snapshot and go on.",
        )
    elif (
        waiting < many
        and script is not None
        and supervisor.heard.get(script.session_id, 0.0) < script.began
    ):
        _waits_behind(script, rescue)
        return []
    return hung


async def _calmed(
    task: Task, tab_id: str, rescue: Rescue, hung: list[str], *, hung_before: bool
) -> bool:
    """Switch scripts off so that no new one begins, and on again once it is safe.

    A page that hangs even then keeps them off until it is left.
    """
    supervisor = task.supervisor
    switch = _Switch(supervisor, tab_id, await _hung_kin(supervisor, tab_id), rescue)
    rescue.did("Emulation.setScriptExecutionDisabled")
    if await switch.off(hung):
        rescue.did("wait for native code")
        if await silent(supervisor, hung, _PATIENCE_MS):
            return await switch.on_if_asked()
    if not hung_before:
        if not (again := await switch.on_and_probed()):
            rescue.ended(
                "freed",
                "The scripts that hung the page, one after the other, were stopped; the tab works. "
                "Take a snapshot and go on.",
            )
            return True
        if await _asks(supervisor, tab_id, rescue):
            return True
        await switch.off(again)
    await clear_timers(task, [*hung, *switch.kin_sessions()])
    rescue.did("timers cleared")
    if not (again := await switch.on_and_probed()):
        rescue.ended(
            "freed",
            "The page hung again each time its script was stopped, so its timers were cleared. "
            "Take a snapshot; reload it if something does not move any more.",
            ["the page's timers"],
        )
        return True
    if await _asks(supervisor, tab_id, rescue):
        return True
    rescue.did("Emulation.setScriptExecutionDisabled: for good")
    if await switch.off(again) and await silent(supervisor, again, _PATIENCE_MS):
        return await switch.on_if_asked()
    rescue.ended(
        "quieted",
        "The page hangs again each time it is stopped, so its scripts are off: it can be read, "
        "and left (browser_navigate), or tried anew (browser_reload).",
        ["the page's scripts, until it is left"],
    )
    return True


async def _hung_again(
    supervisor: CDPSupervisor, tab_id: str, sessions: list[str], rescue: Rescue
) -> list[str]:
    """Which sessions hang a moment later: the next timer may begin what was just stopped."""
    await asyncio.sleep(_MOMENT_S * supervisor.hang_patience)
    return await _still_silent(supervisor, tab_id, sessions, _AGAIN_MS, rescue)


async def _still_silent(
    supervisor: CDPSupervisor, tab_id: str, sessions: list[str], within_ms: float, rescue: Rescue
) -> list[str]:
    """Which sessions are silent after scripts were stopped, and after a navigation that these had
    kept back, as that of a link whose handler ran on, was given up too. One that waits for the
    answer to a ``beforeunload`` is not."""
    hung = await silent(supervisor, sessions, within_ms)
    if any(d.type == "beforeunload" for d in blocking_dialogs(supervisor.state, tab_id)):
        return hung
    top = supervisor.state.top_frame(tab_id)
    if not hung or _STOP_LOADING in rescue.steps or not _stop_loading(supervisor, tab_id):
        return hung
    rescue.did(_STOP_LOADING)
    to = f" to {top.bound_for[:_URL]}" if top is not None and top.bound_for else ""
    rescue.aside = f"A navigation{to} that had waited behind it was given up."
    return await silent(supervisor, hung, _AGAIN_MS)


class _Switch:
    """The scripts of a tab and of those that share its renderer."""

    def __init__(
        self, supervisor: CDPSupervisor, tab_id: str, kin: list[str], rescue: Rescue
    ) -> None:
        self._supervisor, self._rescue = supervisor, rescue
        self._tab_id, self._kin = tab_id, kin

    def kin_sessions(self) -> list[str]:
        """The pages' own sessions of the other tabs."""
        state = self._supervisor.state
        return [session for one in self._kin for session in sessions_of(state, one)[:1]]

    async def on_if_asked(self) -> bool:
        """Whether a dialog is what the tab waits for: scripts are on again then. Else they are but
        in that tab, which hangs: its own are, once it has left its renderer."""
        asks = await _asks(self._supervisor, self._tab_id, self._rescue)
        self._set([self._tab_id, *self._kin] if asks else self._kin, on=True)
        return asks

    async def on_and_probed(self) -> list[str]:
        """Which of the tab's sessions hang again once scripts may run."""
        self._set([self._tab_id, *self._kin], on=True)
        sessions = sessions_of(self._supervisor.state, self._tab_id)
        return await _hung_again(self._supervisor, self._tab_id, sessions, self._rescue)

    async def off(self, hung: list[str]) -> list[str]:
        """Which sessions hang although no script may run."""
        self._set([self._tab_id, *self._kin], on=False)
        stop_scripts(self._supervisor, hung)
        return await _still_silent(
            self._supervisor, self._tab_id, hung, _TERMINATE_MS, self._rescue
        )

    def _set(self, tabs: list[str], *, on: bool) -> None:
        for one in tabs:
            self._supervisor.feed(SetScripts(one, on=on))


async def _hung_kin(supervisor: CDPSupervisor, tab_id: str) -> list[str]:
    """The tabs that share what hangs, as one of them may have begun it."""
    own = {one: sessions_of(supervisor.state, one)[:1] for one in kin_of(supervisor.state, tab_id)}
    if not own:
        return []
    hung = await silent(supervisor, [s for sessions in own.values() for s in sessions], PROBE_MS)
    return [one for one, sessions in own.items() if set(sessions) & set(hung)]
