"""Rescue: after a deadline or a cancel, find out whether a tab hangs, and bring it back.

A ladder, each rung bounded and written down. Order matters (FINDINGS 4): scripts are terminated on
the sessions that were attached before the hang, first, as a navigation within a site would take
them away; only what does not answer to that costs the page.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from tabwarden.page.blocking import blocking_dialogs
from tabwarden.page.calm import clear_timers
from tabwarden.page.probe import kin_of, sessions_of, silent, stop_scripts
from tabwarden.page.renew import is_parsed, kill_renderer, renew_frame, renew_tab, until
from tabwarden.page.task import Task
from tabwarden.protocol import page
from tabwarden.supervisor import (
    CDPSupervisor,
    DeclareGone,
    ReplaceTab,
    SetScripts,
    SupervisorState,
    TabRenewed,
)

__all__ = ["RESCUE_MS", "Rescue", "begin_rescue", "begin_revival", "make_sure"]

PROBE_MS = 15.0
TERMINATE_MS = 30.0
RESCUE_MS = PROBE_MS + TERMINATE_MS + 5.0
"""What a call keeps of its budget, to be rescued within it."""
CALM_MS = 40.0
AGAIN_MS = 25.0
PATIENCE_MS = 80.0
"""How long native code that no termination stops may take to come to its end."""
RENEWAL_MS = 450.0
"""How far past its deadline a call may wait for a tab to be replaced."""
REPLACE_MS = 3_000.0
REVIVE_MS = 5_000.0
CRASHES = 3
CRASHES_S = 30.0
"""So many crashes within so many seconds: the page is not loaded again."""

_LOST = ["what the page's scripts held in memory", "form data that was not submitted", "refs"]


class Rescue:
    """One rescue of one tab, shared by all calls that wait for it."""

    def __init__(self, task: Task, tab_id: str) -> None:
        self.steps: list[str] = []
        """The rungs as they were taken, last one last."""
        self.state = "recovering"
        """How the tab is: idle, busy, freed, quieted, renewed, replaced, reviving, revived, gone,
        recovering, or that a dialog waits."""
        self.hint = (
            "The tab is being brought back: the next call on it waits for that. Take a snapshot."
        )
        self.lost: list[str] = []
        self.work: asyncio.Task[None]
        self._task = task
        self._tab_id = tab_id

    def did(self, step: str) -> None:
        """Write a rung down."""
        self.steps.append(step)
        self._task.supervisor.telemetry.ladder_step(step.partition(":")[0], tab_id=self._tab_id)

    def ended(self, state: str, hint: str, lost: list[str] | None = None) -> None:
        """Say how it went."""
        self.state, self.hint, self.lost = state, hint, lost or []

    async def waited(self, until_monotonic: float) -> None:
        """Wait for its end, or until a time; it goes on beside the calls then."""
        await asyncio.wait([self.work], timeout=max(0.0, until_monotonic - time.monotonic()))

    def report(self) -> dict[str, Any]:
        """``{steps, state}``, and ``lost`` where something was, for an error's data."""
        said: dict[str, Any] = {"steps": list(self.steps), "state": self.state}
        if not self.work.done():
            said["steps"].append("not over yet: recovery goes on in the background")
        if self.lost:
            said["lost"] = list(self.lost)
        return said


def begin_rescue(task: Task, tab_id: str, *, hung_before: bool = False) -> Rescue:
    """Start to rescue a tab, or join the rescue that is under way.

    Args:
        task: whose tab.
        tab_id: which.
        hung_before: its page has been freed before, and hangs again by itself.
    """
    return _begin(task, tab_id, lambda rescue: _climb(task, tab_id, rescue, hung_before))


def begin_revival(task: Task, tab_id: str) -> Rescue:
    """Load a crashed tab's page again, or join that."""
    return _begin(task, tab_id, lambda rescue: _revived(task, tab_id, rescue))


async def make_sure(task: Task, tab_id: str) -> Rescue | None:
    """Before an action on a page that has hung: does it answer? The rescue that it needs if not."""
    if _document(task.state, tab_id) not in task.hung_documents:
        return None
    hung = await silent(task.supervisor, sessions_of(task.state, tab_id)[:1], TERMINATE_MS)
    return begin_rescue(task, tab_id, hung_before=True) if hung else None


def _begin(task: Task, tab_id: str, work: Callable[[Rescue], Coroutine[Any, Any, None]]) -> Rescue:
    under_way = task.rescues.get(tab_id)
    if under_way is not None:
        return under_way
    rescue = Rescue(task, tab_id)
    rescue.work = task.supervisor.spawn(work(rescue))
    task.rescues[tab_id] = rescue

    def over(_: asyncio.Task[None]) -> None:
        task.rescues.pop(tab_id, None)
        task.supervisor.telemetry.rescued(rescue.state, rescue.steps, tab_id=tab_id)

    rescue.work.add_done_callback(over)
    return rescue


# -- the ladder ------------------------------------------------------------------------------


async def _climb(task: Task, tab_id: str, rescue: Rescue, hung_before: bool) -> None:
    supervisor = task.supervisor
    if blocking_dialogs(supervisor.state, tab_id):
        rescue.ended("waits for a dialog", "")
        return
    if _stop_loading(supervisor, tab_id):
        rescue.did("Page.stopLoading")
    hung = await silent(supervisor, sessions_of(supervisor.state, tab_id), PROBE_MS)
    if not hung:
        rescue.did("probe: the page answers")
        rescue.ended(
            "idle",
            "The page itself is responsive: what was waited for did not happen. "
            "Take a snapshot and go on, or allow more time (timeout_ms).",
        )
        return
    rescue.did("probe: no answer")
    if task.scripts.get(tab_id):
        left_s = max(budget.remaining_s() for budget in task.scripts[tab_id])
        rescue.ended(
            "busy",
            "Another call's script (browser_evaluate) runs in this tab, so this one waited behind "
            f"it. It is stopped when its own time is up, in {left_s:.1f} s, or when it is "
            "cancelled.",
        )
        return
    task.hung_documents.add(_document(supervisor.state, tab_id))
    if not hung_before:
        rescue.did("Runtime.terminateExecution")
        hung = await _stopped(supervisor, hung, TERMINATE_MS)
        if not hung:
            rescue.ended(
                "freed",
                "The script that hung the page was stopped; the tab works. "
                "Take a snapshot and go on.",
            )
            return
    if await _calmed(task, tab_id, rescue, hung, for_good=hung_before):
        return
    if blocking_dialogs(supervisor.state, tab_id):
        rescue.ended("waits for a dialog", "")
        return
    await _renewed(task, tab_id, rescue)


async def _stopped(supervisor: CDPSupervisor, hung: list[str], within_ms: float) -> list[str]:
    stop_scripts(supervisor, hung)
    return await silent(supervisor, hung, within_ms)


async def _calmed(
    task: Task, tab_id: str, rescue: Rescue, hung: list[str], *, for_good: bool
) -> bool:
    """Switch scripts off so that no new one begins, and on again once it is safe.

    A page that hangs even then keeps them off until it is left.
    """
    supervisor = task.supervisor
    tabs = [tab_id, *await _hung_kin(supervisor, tab_id)]
    for one in tabs:
        supervisor.feed(SetScripts(one, on=False))
    stop_scripts(supervisor, hung)
    rescue.did("Emulation.setScriptExecutionDisabled")
    hung = await silent(supervisor, hung, CALM_MS)
    if hung:
        rescue.did("wait for native code")
        hung = await silent(supervisor, hung, PATIENCE_MS)
    calm = not hung
    if calm:
        await clear_timers(task, tab_id)
        rescue.did("timers cleared")
    for one in tabs:
        supervisor.feed(SetScripts(one, on=True))
    if not calm:
        return False
    again = await silent(supervisor, sessions_of(supervisor.state, tab_id), AGAIN_MS)
    if not again:
        rescue.ended(
            "freed",
            "The page hung again each time its script was stopped, so its timers were cleared. "
            "Take a snapshot; reload it if something does not move any more.",
            ["the page's timers"],
        )
        return True
    for one in tabs:
        supervisor.feed(SetScripts(one, on=False))
    stop_scripts(supervisor, again)
    rescue.did("Emulation.setScriptExecutionDisabled: for good")
    if await silent(supervisor, sessions_of(supervisor.state, tab_id), CALM_MS + PATIENCE_MS):
        for one in tabs:
            supervisor.feed(SetScripts(one, on=True))
        return False
    rescue.ended(
        "quieted",
        "The page hangs again each time it is stopped, so its scripts are off: it can be read, "
        "and left (browser_navigate), or tried anew (browser_reload).",
        ["the page's scripts, until it is left"],
    )
    return True


async def _hung_kin(supervisor: CDPSupervisor, tab_id: str) -> list[str]:
    """The tabs that share what hangs, as one of them may have begun it."""
    kin = kin_of(supervisor.state, tab_id)
    own = {one: sessions_of(supervisor.state, one)[:1] for one in kin}
    hung = await silent(supervisor, [s for sessions in own.values() for s in sessions], PROBE_MS)
    return [one for one, sessions in own.items() if set(sessions) & set(hung)]


async def _renewed(task: Task, tab_id: str, rescue: Rescue) -> None:
    """Another renderer, another target, and at last the end of what hangs."""
    supervisor = task.supervisor
    if await _frames_renewed(supervisor, tab_id, rescue):
        return
    rescue.did("Page.navigate: about:blank and back")
    task.front_target = None
    if await renew_tab(supervisor, tab_id) and await _answers(supervisor, tab_id):
        supervisor.feed(TabRenewed(tab_id))
        rescue.ended(
            "renewed",
            "Nothing could stop what hung, so the page was loaded again at its last URL in a new "
            "renderer; history and scroll position were kept. Take a snapshot.",
            _LOST,
        )
        return
    rescue.did("Target.createTarget")
    if await _replaced(supervisor, tab_id):
        rescue.ended(*_another("replaced"))
        return
    pid = await kill_renderer(supervisor)
    if pid is not None:
        rescue.did(f"kill: renderer process {pid}")
        if await _replaced(supervisor, tab_id):
            rescue.ended(*_another("replaced"))
            return
    rescue.did("Target.closeTarget: the tab is given up")
    supervisor.feed(DeclareGone(tab_id))
    await until(supervisor, lambda state: state.active_tab_id is not None, REPLACE_MS)
    left = task.state.active_tab_id
    rescue.ended(
        "gone",
        "The tab could not be brought back and is gone. "
        + (f"Go on in tab {left}." if left else "Open another: browser_tabs(mode='open')."),
        [*_LOST, "history", "the tab"],
    )


async def _frames_renewed(supervisor: CDPSupervisor, tab_id: str, rescue: Rescue) -> bool:
    """Whether only frames in other processes hung, and they were renewed."""
    hung = await silent(supervisor, sessions_of(supervisor.state, tab_id), PROBE_MS)
    tab = supervisor.state.tabs.get(tab_id)
    if not hung or tab is None or tab.session_id in hung:
        return False
    for session_id in hung:
        rescue.did("Page.navigate: a frame to about:blank and back")
        if not await renew_frame(supervisor, session_id):
            return False
    rescue.ended(
        "renewed",
        "A frame hung in native code, so it was loaded again; the rest of the page is as it was. "
        "Take a snapshot.",
        ["what that frame held"],
    )
    return True


def _another(state: str) -> tuple[str, str, list[str]]:
    return (
        state,
        "Nothing could stop what hung, so the tab was replaced by a new one at its last URL. "
        "Take a snapshot.",
        [*_LOST, "history", "scroll position"],
    )


async def _replaced(supervisor: CDPSupervisor, tab_id: str) -> bool:
    """Whether the tab stands on another target, that is set up."""
    hung = supervisor.state.tabs.get(tab_id)
    if hung is None:
        return True
    if tab_id not in supervisor.state.replacing:
        supervisor.feed(ReplaceTab(tab_id))

    def ended(state: SupervisorState) -> bool:
        return tab_id not in state.replacing and _is_ready(state, tab_id)

    await until(supervisor, ended, REPLACE_MS)
    tab = supervisor.state.tabs.get(tab_id)
    return tab is None or (tab.target_id != hung.target_id and tab.status == "ready")


async def _answers(supervisor: CDPSupervisor, tab_id: str) -> bool:
    """Whether the page that was loaded again does; one that hangs again by itself is stopped."""
    top = sessions_of(supervisor.state, tab_id)[:1]
    if not await silent(supervisor, top, CALM_MS) or _navigating(supervisor.state, tab_id):
        return True
    return not await _stopped(supervisor, top, PATIENCE_MS)


def _stop_loading(supervisor: CDPSupervisor, tab_id: str) -> bool:
    """Give up a navigation whose server does not answer.

    While a page's main frame waits for a response, the browser holds back every command to its
    renderer, ``terminateExecution`` among them; ``Page.stopLoading`` is answered by the browser
    itself (docs/decisions/0003).
    """
    tab = supervisor.state.tabs.get(tab_id)
    if tab is None or not _navigating(supervisor.state, tab_id):
        return False
    supervisor.send(page.StopLoading(), tab.session_id)
    return True


def _navigating(state: SupervisorState, tab_id: str) -> bool:
    top = state.frames.get(state.top_frame_id(tab_id) or "")
    return top is not None and top.navigating


def _document(state: SupervisorState, tab_id: str) -> str:
    top = state.frames.get(state.top_frame_id(tab_id) or "")
    return top.loader_id if top is not None else ""


# -- after a crash ---------------------------------------------------------------------------


def _revived(task: Task, tab_id: str, rescue: Rescue) -> Coroutine[Any, Any, None]:
    """A dead renderer's page comes back with a navigation of its session (FINDINGS 4).

    By its URL, not by a reload, which would post a form once more.
    """
    tab = task.state.tabs[tab_id]
    now = time.monotonic()
    crashes = [at for at in task.crashes.get(tab_id, ()) if at > now - CRASHES_S] + [now]
    task.crashes[tab_id] = crashes
    task.front_target = None
    again = len(crashes) < CRASHES
    url = tab.url if again else "about:blank"
    task.supervisor.send(page.Navigate(url=url), tab.session_id)
    rescue.did(f"Page.navigate: {'its last URL' if again else url}")
    words = "The page is being loaded again at its last URL. Take a snapshot."
    if not again:
        words = (
            f"It crashed {len(crashes)} times in {CRASHES_S:.0f} s, so the tab stands on {url} "
            "now. Navigate somewhere else."
        )
    rescue.ended("reviving", words, _LOST)
    return _until_alive(task.supervisor, tab_id, rescue)


async def _until_alive(supervisor: CDPSupervisor, tab_id: str, rescue: Rescue) -> None:
    def alive(state: SupervisorState) -> bool:
        tab = state.tabs.get(tab_id)
        return tab is None or (tab.status == "ready" and is_parsed(state, tab_id))

    if not await until(supervisor, alive, REVIVE_MS) and not _is_ready(supervisor.state, tab_id):
        rescue.did("Target.createTarget")
        await _replaced(supervisor, tab_id)
    rescue.state = "revived"


def _is_ready(state: SupervisorState, tab_id: str) -> bool:
    tab = state.tabs.get(tab_id)
    return tab is None or tab.status == "ready"
