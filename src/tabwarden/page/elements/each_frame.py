"""Run work in all frames of a tab concurrently, and give up on frames that hang.

Most frames share the page's process, but a frame in another process may hang alone. The work in the
other frames must not wait for the hung frame.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from tabwarden.budget import Budget
from tabwarden.errors import TabwardenError
from tabwarden.page.elements.timing import BUSY_MS, FRAME_MS, SILENT_MS, STARTING_S
from tabwarden.page.task import Call
from tabwarden.page.walker import WorldGone
from tabwarden.protocol import runtime
from tabwarden.supervisor.core.handlers import descendants
from tabwarden.supervisor.runtime import Interrupted, Pending, Race

R = TypeVar("R")
Probe = Pending[runtime.EvaluateResult]
_PROBE = runtime.Evaluate(expression="0", silent=True)

_ROUNDS = 2
"""How often to look for frames that appeared during the work."""
_FRAME_SHARE = 0.5
"""The share of the caller's budget for reading a frame. The rest is for reporting the result."""
_NEW = 4
"""How many frames without the walker are prepared at once. A process compiles the walker anew for
each of its frames (30 ms), and does what it is asked in turn. If it were asked for all frames at
once, it would have read none of them before it had prepared the last one. What a call leaves
unfinished must not keep the process silent for ``SILENT_MS``."""


async def in_each_frame(
    call: Call, root: str, work: Callable[[str], Awaitable[R]], *, silent: R
) -> dict[str, R]:
    """Return the result of ``work`` for ``root`` and each frame below it.

    Frames that appear during the work are included. ``silent`` is the result for frames whose
    process does not respond. The frames in the process of ``root`` are never given up.

    Raises:
        Interrupted, TargetCrashed, BudgetExceeded: the call was stopped during the work.
    """
    results: dict[str, R] = {}
    for _ in range(_ROUNDS):
        frames = [root, *descendants(call.state, [root])]
        new = [one for one in frames if one not in results]
        if not new:
            break
        results |= await _in_each(call, root, new, work, silent)
        call.race.raise_if_ended()
    return results


async def _in_each(
    call: Call, root: str, frames: list[str], work: Callable[[str], Awaitable[R]], silent: R
) -> dict[str, R]:
    """Run the work in these frames concurrently.

    Each process other than the root's gets a probe first. If a process has not replied shortly
    after all other work is done, give up its frames. If it has replied, its work may take longer.
    """
    probes = _probes(call, frames, but=_session_of(call, root))
    new = asyncio.Semaphore(_NEW)
    whole = call.race.budget.child(at_most_ms=frame_ms(call.race, math.inf))

    async def begin(frame_id: str) -> R:
        if frame_id != root and call.task.worlds.known(frame_id) is None:
            if (probe := probes.get(_session_of(call, frame_id))) is not None:
                await call.race.one_answered([probe])
            async with new:
                await _prepare(call, whole.child(at_most_ms=FRAME_MS), frame_id)
        return await work(frame_id)

    tasks = {one: asyncio.ensure_future(begin(one)) for one in frames}
    try:
        while not all(task.done() for task in tasks.values()):
            unheard = {one for one, probe in probes.items() if not probe.waiter.done()}
            sessions = {one: _session_of(call, one) for one in tasks}
            answering = {task for one, task in tasks.items() if sessions[one] not in unheard}
            if not all(task.done() for task in answering):
                await asyncio.wait(answering)
                continue
            at_most_ms = max((_patience_ms(call, one) for one in unheard), default=0)
            waiting = [probes[one] for one in unheard]
            if not await call.race.one_answered(waiting, at_most_ms=at_most_ms):
                for one in unheard:
                    _ask_outside(call, one)
                break
    finally:
        late = [task for task in tasks.values() if not task.done()]
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
    return {one: silent if task.cancelled() else task.result() for one, task in tasks.items()}


async def _prepare(call: Call, budget: Budget, frame_id: str) -> None:
    """Inject the walker into a frame. If that fails, the frame's work will say why."""
    with (
        suppress(TabwardenError, Interrupted, WorldGone),
        Race(call.task.supervisor, budget, call.tab.tab_id) as inner,
    ):
        await call.task.worlds.of(inner, frame_id)
        return
    # The process replies, but has more to do than this call allows: the next call waits longer.
    call.memory.given_up[_session_of(call, frame_id)] = True


def frame_ms(race: Race, at_most_ms: float = FRAME_MS) -> float:
    return min(at_most_ms, race.budget.remaining_ms() * _FRAME_SHARE)


def _session_of(call: Call, frame_id: str) -> str:
    frame = call.state.frames.get(frame_id)
    return frame.session_id if frame is not None else ""


def _probes(call: Call, frames: list[str], *, but: str) -> dict[str, Probe]:
    """Send a probe to the process of each frame, except the process that serves the session
    ``but``. The result maps each session to its process's probe."""
    name = call.task.worlds.process_of
    processes = {_session_of(call, one): name(one) or one for one in frames}
    others = {one: process for one, process in processes.items() if one not in ("", but)}
    asked = {process: one for one, process in others.items()}
    probes = {process: call.race.start(_PROBE, one) for process, one in asked.items()}
    return {one: probes[process] for one, process in others.items()}


def _ask_outside(call: Call, session_id: str) -> None:
    """Probe a process that was given up, outside of any call. If it replies, it was only busy."""
    given_up = call.memory.given_up
    if given_up.get(session_id, True):
        given_up[session_id] = False
        answered = partial(given_up.__setitem__, session_id, True)
        call.task.supervisor.send(_PROBE, session_id, lambda _: answered())


def _patience_ms(call: Call, session_id: str) -> float:
    """Return how long a process may take to reply. Allow more time for a new process, which may
    still be starting, for a new frame, whose process may still be busy with loading it, and for a
    process that replied after it had been given up, which may be busy again."""
    given_up, heard = call.memory.given_up, call.task.supervisor.heard
    if given_up.get(session_id, session_id not in heard):
        return BUSY_MS
    session = call.state.session(session_id)
    if session is None or session.ready:
        return SILENT_MS
    return max(SILENT_MS, (session.attached_at + STARTING_S - time.monotonic()) * 1000)
