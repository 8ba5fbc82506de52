"""Each frame: work in all frames of a tab at once, and give up frames that hang.

Most frames share the page's process. A frame in another process may hang alone. The work in the
other frames must not wait for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeVar

from tabwarden.page.elements.timing import SILENT_MS, STARTING_S
from tabwarden.page.task import Call
from tabwarden.protocol import runtime
from tabwarden.supervisor import Pending, SessionInfo

R = TypeVar("R")
Probe = Pending[runtime.EvaluateResult]


async def in_each_frame(
    call: Call, frame_ids: Iterable[str], work: Callable[[str], Awaitable[R]]
) -> dict[str, R]:
    """Return the results of the frames whose processes answer. The first frame always counts.

    Each other process gets a probe first. If it has not answered shortly after all other work is
    done, its frames are left out. The work in a process that has answered may take longer.
    """
    wanted = list(frame_ids)
    probes = _probes(call, wanted)
    tasks = {one: asyncio.ensure_future(work(one)) for one in wanted}
    try:
        while not all(task.done() for task in tasks.values()):
            silent = {one for one, probe in probes.items() if not probe.waiter.done()}
            sessions = {one: _session_of(call, one) for one in tasks}
            heard = {task for one, task in tasks.items() if sessions[one] not in silent}
            if not all(task.done() for task in heard):
                await asyncio.wait(heard)
            elif not await _one_answers(call, {one: probes[one] for one in silent}):
                break
    finally:
        late = [task for task in tasks.values() if not task.done()]
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
    return {one: task.result() for one, task in tasks.items() if not task.cancelled()}


def _session_of(call: Call, frame_id: str) -> str:
    frame = call.state.frames.get(frame_id)
    return frame.session_id if frame is not None else ""


def _probes(call: Call, frame_ids: list[str]) -> dict[str, Probe]:
    """Ask each process but the first frame's for a sign of life."""
    sessions = {_session_of(call, one) for one in frame_ids} - {_session_of(call, frame_ids[0]), ""}
    probe = runtime.Evaluate(expression="0", silent=True)
    return {one: call.race.start(probe, one) for one in sessions}


async def _one_answers(call: Call, probes: Mapping[str, Probe]) -> bool:
    """Whether one of the processes answers in time."""
    at_most_ms = max((_patience_ms(call.state.session(one)) for one in probes), default=0)
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


def _patience_ms(session: SessionInfo | None) -> float:
    """Return how long a process may take to answer. A new process may still be starting."""
    if session is None or session.ready:
        return SILENT_MS
    return max(SILENT_MS, (session.attached_at + STARTING_S - time.monotonic()) * 1000)
