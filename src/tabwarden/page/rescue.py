"""Rescue: after a deadline, find out whether a tab hangs, and free it.

Order matters (FINDINGS 4): ``Runtime.terminateExecution`` on the sessions that were attached
before the hang, first; only if that is not answered, the tab is replaced at its last URL. It has
a side effect: whatever script runs at that moment is stopped, so it is sent only to a session
that does not answer a probe.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tabwarden.budget import Budget
from tabwarden.errors import BrowserGone, TabwardenError
from tabwarden.page.task import Task
from tabwarden.protocol import page, runtime
from tabwarden.supervisor import CDPSupervisor, Race, ReplaceTab, SupervisorState
from tabwarden.wire import Reply

__all__ = ["RESCUE_MS", "rescue"]

PROBE_MS = 15.0
TERMINATE_MS = 30.0
RESCUE_MS = PROBE_MS + TERMINATE_MS + 5.0
"""How long a call is held up by its own rescue at most."""
PATIENCE_MS = 2_000.0
"""How long a terminated renderer may take to answer before its tab is replaced: a slow machine
must not cost an agent its page."""
REPLACE_MS = 5_000.0


async def rescue(task: Task, tab_id: str) -> dict[str, Any]:
    """Free a tab within some 45 ms, or go on doing so in the background and say so.

    Returns ``{"steps": [...], "state": "idle" | "freed" | "recovering" | "waits for a dialog"}``
    with a ``hint``.
    """
    supervisor = task.supervisor
    if supervisor.state.health.status == "gone":
        raise BrowserGone("the browser is gone", reason=supervisor.state.health.reason)
    if supervisor.state.dialogs_of(tab_id):
        return {"steps": [], "state": "waits for a dialog"}
    steps = _stop_loading(supervisor, tab_id)
    hung = await _silent(supervisor, _sessions(supervisor, tab_id), PROBE_MS)
    if not hung:
        return {
            "steps": [*steps, "probe: the page answers"],
            "state": "idle",
            "hint": "The page itself is responsive: what was waited for did not happen. "
            "Take a snapshot and go on, or allow more time (timeout_ms).",
        }
    steps += ["probe: no answer", "Runtime.terminateExecution"]
    for session_id in hung:
        supervisor.send(runtime.TerminateExecution(), session_id)
    if not await _silent(supervisor, hung, TERMINATE_MS):
        return {
            "steps": steps,
            "state": "freed",
            "hint": "The script that hung the page was stopped; the tab works. "
            "Take a snapshot and go on.",
        }
    if tab_id not in task.rescues:
        work = supervisor.spawn(_free_or_replace(task, tab_id, hung))
        task.rescues[tab_id] = work
        work.add_done_callback(lambda _: task.rescues.pop(tab_id, None))
    return {
        "steps": [*steps, "no answer yet: recovery goes on in the background"],
        "state": "recovering",
        "hint": "The tab is being freed, or replaced at its last URL: the next call on it waits "
        "for that. Take a snapshot.",
    }


def _stop_loading(supervisor: CDPSupervisor, tab_id: str) -> list[str]:
    """Give up a navigation whose server does not answer.

    While a page's main frame waits for a response, the browser holds back every command to its
    renderer, ``terminateExecution`` among them; ``Page.stopLoading`` is answered by the browser
    itself (docs/decisions/0003).
    """
    state = supervisor.state
    tab = state.tabs.get(tab_id)
    top = state.frames.get(state.top_frame_id(tab_id) or "")
    if tab is None or top is None or not top.navigating:
        return []
    supervisor.send(page.StopLoading(), tab.session_id)
    return ["Page.stopLoading"]


async def _free_or_replace(task: Task, tab_id: str, hung: list[str]) -> None:
    supervisor = task.supervisor
    if not await _silent(supervisor, hung, PATIENCE_MS):
        return
    if supervisor.state.dialogs_of(tab_id):
        return
    supervisor.feed(ReplaceTab(tab_id))
    task.front_target = None
    await _until_ready(supervisor, tab_id, Budget(REPLACE_MS))


async def _until_ready(supervisor: CDPSupervisor, tab_id: str, budget: Budget) -> None:
    def ready(state: SupervisorState) -> bool:
        tab = state.tabs.get(tab_id)
        return tab is None or (tab_id not in state.replacing and tab.status == "ready")

    try:
        with Race(supervisor, budget) as race:
            await race.until(ready)
    except TabwardenError:
        return


async def _silent(supervisor: CDPSupervisor, session_ids: list[str], within_ms: float) -> list[str]:
    """Which sessions' JavaScript does not answer within the time."""
    loop = asyncio.get_running_loop()
    silent = set(session_ids)
    all_answered = loop.create_future()
    sent: list[int] = []

    def answered(session_id: str) -> Callable[[Reply], None]:
        def on_reply(_: Reply) -> None:
            silent.discard(session_id)
            if not silent and not all_answered.done():
                all_answered.set_result(None)

        return on_reply

    for session_id in session_ids:
        probe = runtime.Evaluate(expression="0")
        sent.append(supervisor.send(probe, session_id, answered(session_id)))
    if silent:
        await asyncio.wait([all_answered], timeout=within_ms / 1000)
    for command_id in sent:
        supervisor.connection.forget(command_id)
    return [s for s in session_ids if s in silent]


def _sessions(supervisor: CDPSupervisor, tab_id: str) -> list[str]:
    return [
        s.session_id for s in supervisor.state.sessions.values() if s.tab_id == tab_id and s.ready
    ]
