"""Rescues: one a tab at a time; whoever needs one begins it, or joins the one under way."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from tabwarden.budget import Budget
from tabwarden.page.rescue.ladder import IN_PLACE_MS, climb
from tabwarden.page.rescue.probe import kin_of, sessions_of, silent
from tabwarden.page.rescue.revival import revived
from tabwarden.page.rescue.story import Call, Rescue
from tabwarden.page.task import Task

__all__ = [
    "RESCUE_MS",
    "begin",
    "begin_rescue",
    "begin_revival",
    "call_on",
    "make_sure",
    "may_hang",
    "relapse_watched",
]

log = logging.getLogger("tabwarden.rescue")

RESCUE_MS = IN_PLACE_MS + 40.0
"""What a call keeps of its budget, to be rescued within it: the rungs that leave the page where it
is, and as much again as a machine with more to do may take over them."""
_RELAPSE_MS = 400.0
_RELAPSE_SHARE = 0.25
"""So long, and no longer part of a call's time, a page that has hung before may be busy."""
_OUR_SCRIPTS_MS = 3_000.0
"""Longer than what an action asks of a page keeps that busy."""


def begin_rescue(
    task: Task, tab_id: str, call: Call | None = None, *, hung_before: bool = False
) -> Rescue:
    """Start to rescue a tab, or join the rescue that is under way.

    Args:
        task: whose tab.
        tab_id: which.
        call: the one that has ended; one that begins now when left out.
        hung_before: its page has been freed before, and hangs again by itself.
    """
    ended = call or call_on(task, tab_id)
    return begin(
        task, tab_id, lambda rescue: climb(task, tab_id, rescue, ended, hung_before=hung_before)
    )


def call_on(task: Task, tab_id: str, *, own_script: bool = False) -> Call:
    """A call that begins now."""
    return Call(time.monotonic(), task.state.documents_in(tab_id), own_script)


def begin_revival(task: Task, tab_id: str) -> Rescue:
    """Load a crashed tab's page again, or join that."""
    return begin(task, tab_id, lambda rescue: revived(task, tab_id, rescue))


async def make_sure(task: Task, budget: Budget, tab_id: str) -> Rescue | None:
    """Before an action on a page that has hung, or one of whose renderer has: does it answer? The
    rescue that it needs if not. A handler that takes its time is no hang."""
    tab = task.state.tabs.get(tab_id)
    if tab is None or tab.status == "crashed":
        return None
    if not may_hang(task, tab_id):
        return None
    patience_ms = min(_RELAPSE_MS, budget.remaining_ms() * _RELAPSE_SHARE)
    hung = await silent(task.supervisor, sessions_of(task.state, tab_id)[:1], patience_ms)
    return begin_rescue(task, tab_id, hung_before=True) if hung else None


def may_hang(task: Task, tab_id: str) -> bool:
    """Whether a tab's page has hung, or one of whose renderer has; from any thread."""
    if not task.hung_documents:
        return False
    state = task.state
    together = (tab_id, *kin_of(state, tab_id))
    return not task.hung_documents.isdisjoint(state.document_in(one) for one in together)


@asynccontextmanager
async def relapse_watched(
    task: Task, tab_id: str, notes: list[str], *, navigates: bool
) -> AsyncIterator[None]:
    """Around an action on a page that has hung: should it hang again before the action's own
    commands reach it, it is freed under the action, which goes on then.

    Commands of a session are handled in order: where a probe that goes ahead is not answered no
    script of the action's has begun, so that what is stopped is the page's. Later ones tell the
    same as long as an agent's script is not known to run; scripts of ours do not take so long.
    ``notes`` says so then.
    """
    if navigates or task.state.document_in(tab_id) not in task.hung_documents:
        yield
        return
    watch = task.supervisor.spawn(_freed_if_silent(task, tab_id, notes))
    await asyncio.sleep(0)  # its probe goes first
    try:
        yield
    finally:
        watch.cancel()


async def _freed_if_silent(task: Task, tab_id: str, notes: list[str]) -> None:
    within_ms = _RELAPSE_MS
    while True:
        hung = await silent(task.supervisor, sessions_of(task.state, tab_id)[:1], within_ms)
        scripts = task.scripts.of(tab_id)
        if hung and not any(script.runs for script in scripts):
            rescue = begin_rescue(task, tab_id, hung_before=True)
            await asyncio.wait([rescue.work])
            if (told := rescue.relapse()) and told not in notes:
                notes.append(told)
        else:
            await asyncio.sleep(_RELAPSE_MS / 1000)
        within_ms = _RELAPSE_MS if task.scripts.of(tab_id) else _OUR_SCRIPTS_MS


def begin(task: Task, tab_id: str, work: Callable[[Rescue], Coroutine[Any, Any, None]]) -> Rescue:
    """Start to do ``work`` for a tab, or join the rescue that is under way."""
    under_way = task.rescues.get(tab_id)
    if under_way is not None:
        return under_way
    telemetry = task.supervisor.telemetry
    rescue = Rescue(tab_id, telemetry, task.supervisor.hang_patience)
    rescue.work = task.supervisor.spawn(_to_its_end(work(rescue), rescue))
    task.rescues[tab_id] = rescue

    def over(_: asyncio.Task[None]) -> None:
        task.rescues.pop(tab_id, None)
        if words := rescue.recovery():
            task.recovered[tab_id] = words
        telemetry.rescued(rescue.state, rescue.steps, tab_id=tab_id)

    rescue.work.add_done_callback(over)
    return rescue


async def _to_its_end(work: Coroutine[Any, Any, None], rescue: Rescue) -> None:
    """A rescue that fails itself is no reason to fail the calls that wait for it."""
    try:
        await work
    except Exception:
        log.exception("rescue failed")
        rescue.did("the rescue itself failed")
