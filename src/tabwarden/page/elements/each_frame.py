"""Run work in all frames of a tab concurrently, and give up on frames that hang.

Most frames share the page's process, but a frame in another process may hang alone. The work in the
other frames must not wait for the hung frame.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeVar

from tabwarden.page.elements.timing import BUSY_MS, SILENT_MS, STARTING_S
from tabwarden.page.task import Call
from tabwarden.protocol import runtime
from tabwarden.supervisor.core.handlers import descendants
from tabwarden.supervisor.runtime import Pending

R = TypeVar("R")
Probe = Pending[runtime.EvaluateResult]
_PROBE = runtime.Evaluate(expression="0", silent=True)

_ROUNDS = 2
"""How often to look for frames that appeared during the work."""


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
    tasks = {one: asyncio.ensure_future(work(one)) for one in frames}
    try:
        while not all(task.done() for task in tasks.values()):
            unheard = {one for one, probe in probes.items() if not probe.waiter.done()}
            sessions = {one: _session_of(call, one) for one in tasks}
            answering = {task for one, task in tasks.items() if sessions[one] not in unheard}
            if not all(task.done() for task in answering):
                await asyncio.wait(answering)
            elif not await _one_answers(call, {one: probes[one] for one in unheard}):
                for one in unheard:
                    _ask_outside(call, one)
                break
    finally:
        late = [task for task in tasks.values() if not task.done()]
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
    return {one: silent if task.cancelled() else task.result() for one, task in tasks.items()}


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


async def _one_answers(call: Call, probes: Mapping[str, Probe]) -> bool:
    """Whether any of the processes replies in time."""
    at_most_ms = max((_patience_ms(call, one) for one in probes), default=0)
    waits = [
        asyncio.ensure_future(call.race.answered(one, at_most_ms=at_most_ms))
        for one in probes.values()
    ]
    try:
        done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        return any(one.result() for one in done)
    finally:
        for one in waits:
            one.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


def _ask_outside(call: Call, session_id: str) -> None:
    """Probe a process that was given up, outside of any call. If it replies, it was only busy."""
    given_up = call.memory.given_up
    if given_up.get(session_id, True):
        given_up[session_id] = False
        answered = partial(given_up.__setitem__, session_id, True)
        call.task.supervisor.send(_PROBE, session_id, lambda _: answered())


def _patience_ms(call: Call, session_id: str) -> float:
    """Return how long a process may take to reply. Allow more time for a new process, which may
    still be starting, and for a process that replied after it had been given up, which may be busy
    again."""
    if call.memory.given_up.get(session_id):
        return BUSY_MS
    session = call.state.session(session_id)
    if session is None or session.ready:
        return SILENT_MS
    return max(SILENT_MS, (session.attached_at + STARTING_S - time.monotonic()) * 1000)
