"""Rescues. At most one runs per tab. A call that needs a rescue starts one, or joins the running
one."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from typing import Any

from tabwarden.budget import Budget
from tabwarden.page.recovery import timing
from tabwarden.page.recovery.ladder import CallStart, climb, replace_between_documents
from tabwarden.page.recovery.outcomes import LOST
from tabwarden.page.recovery.probe import find_silent, renderer_siblings, sessions_of, stop_scripts
from tabwarden.page.recovery.renderer import is_parsed, slowed_s, until
from tabwarden.page.recovery.replace import (
    is_navigating,
    is_ready,
    is_stuck_between_documents,
    replace_tab,
)
from tabwarden.page.task import Rescue, Task
from tabwarden.protocol import page
from tabwarden.supervisor.core.state.notices import NavigationStarted, Notice
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.runtime import CDPSupervisor

log = logging.getLogger("tabwarden.rescue")

_CRASHES = 3
"""After this many crashes within ``timing.CRASHES_S``, the page is not loaded again."""
_STUCK_LOOKS = 3
"""If this many checks in a row find a tab between two documents, its renderer counts as hung."""
_RELAPSE_SHARE = 0.25
"""A page that hung before may be busy for this share of a call's time."""


def begin_rescue(
    task: Task, tab_id: str, start: CallStart | None = None, *, hung_before: bool = False
) -> Rescue:
    """Start to rescue a tab, or join the running rescue.

    Args:
        task, tab_id: the task, and its tab to rescue.
        start: describes the call that ended; by default, a call that began now.
        hung_before: whether the page was unblocked before and now hangs again by itself.
    """
    start = (start or call_start(task, tab_id))._replace(hung_before=hung_before)
    return _begin(task, tab_id, lambda rescue: climb(task, tab_id, rescue, start))


def call_start(task: Task, tab_id: str, *, own_script: bool = False) -> CallStart:
    """Describe a call that begins now."""
    return CallStart(time.monotonic(), task.state.documents_in(tab_id), own_script)


def begin_crash_reload(task: Task, tab_id: str) -> Rescue:
    return _begin(task, tab_id, lambda rescue: _reload_crashed(task, tab_id, rescue))


async def check_for_hang(task: Task, budget: Budget, tab_id: str) -> Rescue | None:
    """If a tab's renderer has hung before, check whether the page responds. If it does not, start a
    rescue and return the rescue. A page that is only briefly busy needs no rescue."""
    tab = task.state.tabs.get(tab_id)
    if tab is None or tab.status == "crashed":
        return None
    if not may_hang(task, tab_id):
        return None
    within_s = min(timing.RELAPSE_S, budget.remaining_s() * _RELAPSE_SHARE)
    hung = await find_silent(task.supervisor, sessions_of(task.state, tab_id)[:1], within_s)
    return begin_rescue(task, tab_id, hung_before=True) if hung else None


def may_hang(task: Task, tab_id: str) -> bool:
    """Whether a tab's page, or another page in the same renderer, has hung before. Thread-safe."""
    if not task.hangs.any_hung:
        return False
    state = task.state
    tab_ids = (tab_id, *renderer_siblings(state, tab_id))
    return task.hangs.has_hung(*map(state.document_in, tab_ids))


@asynccontextmanager
async def watch_for_relapse(
    task: Task, tab_id: str, notes: list[str], *, navigates: bool
) -> AsyncIterator[None]:
    """Watch an action on a page that hung earlier. If the page hangs again before it receives the
    action's commands, unblock the page and let the action continue.

    A session handles commands in order, and the probe is sent first. So if the probe gets no reply,
    none of the action's scripts has started, and stopping scripts affects only the page's own
    script. The same is true for later probes, unless one of the agent's scripts is known to be
    running. Tabwarden's own scripts are too short to matter. The rescue's note is added to
    ``notes``.
    """
    if navigates or not task.hangs.has_hung(task.state.document_in(tab_id)):
        yield
        return
    watch = task.supervisor.spawn(_free_if_silent(task, tab_id, notes))
    await asyncio.sleep(0)  # the probe must be sent first
    try:
        yield
    finally:
        watch.cancel()


async def _free_if_silent(task: Task, tab_id: str, notes: list[str]) -> None:
    within_s = timing.RELAPSE_S
    while True:
        hung = await find_silent(task.supervisor, sessions_of(task.state, tab_id)[:1], within_s)
        scripts = task.scripts.of(tab_id)
        if hung and not any(script.runs for script in scripts):
            rescue = begin_rescue(task, tab_id, hung_before=True)
            await asyncio.wait([rescue.work])
            if (note := rescue.relapse()) and note not in notes:
                notes.append(note)
        else:
            await asyncio.sleep(timing.RELAPSE_S)
        within_s = timing.RELAPSE_S if task.scripts.of(tab_id) else timing.OUR_SCRIPTS_S


def _begin(task: Task, tab_id: str, work: Callable[[Rescue], Coroutine[Any, Any, None]]) -> Rescue:
    under_way = task.hangs.rescue_of(tab_id)
    if under_way is not None:
        return under_way
    telemetry = task.supervisor.telemetry
    rescue = Rescue(tab_id, telemetry, task.supervisor.hang_patience)
    rescue.work = task.supervisor.spawn(_run(work(rescue), rescue))
    task.hangs.begin(tab_id, rescue)

    def on_done(_: asyncio.Task[None]) -> None:
        task.hangs.end(tab_id)
        telemetry.rescued(rescue.state, rescue.steps, tab_id=tab_id)

    rescue.work.add_done_callback(on_done)
    return rescue


async def _run(work: Coroutine[Any, Any, None], rescue: Rescue) -> None:
    """Run a rescue. Catch its errors, because the calls that are waiting for the rescue must not
    fail too."""
    try:
        await work
    except Exception:
        log.exception("rescue failed")
        rescue.did("the rescue itself failed")


def watch_navigations(task: Task) -> None:
    """Start a rescue for each tab that hangs between two documents, even if no call is running.

    The call that started the navigation may already be over, and the next call would spend its
    whole budget waiting for a page that never appears.
    """
    watched: set[str] = set()

    def start_watches(notices: Iterable[Notice], state: SupervisorState) -> None:
        for one in notices:
            if not isinstance(one, NavigationStarted) or one.tab_id in watched:
                continue
            if one.frame_id == state.top_frame_id(one.tab_id):
                tab_id = one.tab_id
                watched.add(tab_id)
                task.supervisor.spawn(_watch(task, tab_id, watched))

    task.supervisor.observe(start_watches)


async def _watch(task: Task, tab_id: str, watched: set[str]) -> None:
    try:
        await _wait_or_rescue(task, tab_id)
    finally:
        watched.discard(tab_id)


async def _wait_or_rescue(task: Task, tab_id: str) -> None:
    """Wait until a navigation is over. Start a rescue if the tab remains between two documents."""
    times, pause_s = 0, timing.ARRIVAL_S
    while not await until(task.supervisor, lambda s: not is_navigating(s, tab_id), pause_s):
        if task.state.health.status != "live":
            return
        if task.state.dialogs_of(tab_id) or task.hangs.rescue_of(tab_id):
            times = 0
            continue
        began = time.monotonic()
        times = times + 1 if await is_stuck_between_documents(task.supervisor, tab_id) else 0
        pause_s = slowed_s(pause_s, time.monotonic() - began)
        if times == _STUCK_LOOKS:
            _begin(task, tab_id, lambda rescue: replace_between_documents(task, tab_id, rescue))
            return


def _reload_crashed(task: Task, tab_id: str, rescue: Rescue) -> Coroutine[Any, Any, None]:
    """Load a crashed page again. The browser starts a new renderer for the navigation
    (docs/facts.md, "What a crash looks like").

    Navigate to the page's URL instead of reloading, because a reload could submit a form again.
    """
    rescue.renews()
    tab = task.state.tabs[tab_id]
    crashes = task.hangs.crashed(tab_id, timing.CRASHES_S)
    task.front_target = None
    may_reload = crashes < _CRASHES and is_parsed(task.state, tab_id)
    url = tab.url if may_reload else "about:blank"
    task.supervisor.send(page.Navigate(url=url), tab.session_id)
    rescue.did(f"Page.navigate: {'its last URL' if may_reload else url}")
    hint = "The page is reloading at its last URL. Take a snapshot."
    if not may_reload:
        cause = "while it was loading" if crashes < _CRASHES else f"{crashes} times"
        hint = f"The page crashed {cause}, so the tab now shows {url}. Navigate to another URL."
    rescue.ended("reviving", hint, LOST)
    return _until_alive(task.supervisor, tab_id, rescue)


async def _until_alive(supervisor: CDPSupervisor, tab_id: str, rescue: Rescue) -> None:
    def alive(state: SupervisorState) -> bool:
        tab = state.tabs.get(tab_id)
        if tab is None or (tab.status == "ready" and is_parsed(state, tab_id)):
            return True
        return bool(state.dialogs_of(tab_id))  # a page that opens a dialog does not hang

    if not await until(supervisor, alive, timing.REVIVE_S):
        await _free_or_replace(supervisor, tab_id, rescue)
    rescue.state = "revived"


async def _free_or_replace(supervisor: CDPSupervisor, tab_id: str, rescue: Rescue) -> None:
    """If the reloaded page hangs, stop its script. If the tab is still crashed, replace it."""
    if not is_ready(supervisor.state, tab_id):
        rescue.did("Target.createTarget")
        await replace_tab(supervisor, supervisor.state.tabs[tab_id])
    elif hung := await find_silent(
        supervisor, sessions_of(supervisor.state, tab_id), timing.REVIVED_PROBE_S
    ):
        rescue.did("Runtime.terminateExecution")
        stop_scripts(supervisor, hung)
