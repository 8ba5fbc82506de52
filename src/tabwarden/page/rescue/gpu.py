"""GPU: one process draws for all tabs, so a page that gives it work without end stops them all.

Such pages answer, and are read and clicked, but no frame of them comes: a screenshot, a turn of the
wheel or an animation frame waits for ever, in calm pages and new tabs, too. Chromium starts another
GPU process where one ended; what is lost is what WebGL and its like held.
"""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple, Self

import msgspec

from tabwarden.page.rescue.probe import sessions_of, silent
from tabwarden.page.rescue.renderer import busier, called, end_process, processor_seconds
from tabwarden.page.rescue.story import Rescue
from tabwarden.page.task import Task
from tabwarden.protocol import encode_params, runtime, system_info
from tabwarden.supervisor import CDPSupervisor

__all__ = ["FRAME_MS", "Stalled", "stalled", "undrawn"]

FRAME_MS = 350.0
"""A page that shows no frame for so long does not draw, as long as the GPU process is busy."""
_SAMPLE_S = 0.1
_PROBE_MS = 15.0
_SHARE = 0.15
"""Of a processor: less than a GPU process that works without end gets on any but a machine full of
others."""
_CROWDED = 4
"""So many times longer no frame may come where it gets no more than that."""
_INFO_MS = 500.0
_AGAIN_S = 1.0
"""Another GPU process is there, and has drawn, within 100 ms on a machine at rest."""
_FRAME = (
    "new Promise((on) => document.hidden ? on('hidden') : requestAnimationFrame(() => on('drawn')))"
)
_LOST = ["what WebGL and WebGPU held, in every tab"]


class Stalled(NamedTuple):
    """A GPU process that took a processor for itself while no frame came."""

    pid: int
    ended: bool

    @property
    def step(self) -> str:
        """The rung, as it is written down."""
        return f"kill: GPU process {self.pid}" if self.ended else "probe: the GPU process is busy"

    @property
    def words(self) -> str:
        """What happened, and what to do."""
        if self.ended:
            return (
                "No frame came, as a page had given the browser's GPU process work without end "
                "(WebGL, most likely). That process was ended, and the browser has started another."
            )
        return (
            f"No frame comes, and the browser's GPU process (pid {self.pid}) takes a processor for "
            "itself: most likely a page has given it work without end (WebGL). Close that page's "
            "tab; if that does not help, end this process where the browser runs (it starts "
            "another), or the browser."
        )


async def undrawn(task: Task, tab_id: str, rescue: Rescue) -> None:
    """The rung after a page that answers: where it can't draw, end what it waits for."""
    found = await stalled(task, tab_id)
    if found is None:
        return
    rescue.did(found.step)
    if rescue.state != "idle":
        rescue.hint = f"{rescue.hint} {found.words}"
        rescue.lost += _LOST * found.ended
    elif found.ended:
        rescue.ended("freed", f"{found.words} Take a snapshot and try again.", _LOST)
    else:
        rescue.ended("idle", found.words)
    if found.ended:
        await _draws(task.supervisor, tab_id, _AGAIN_S)


async def stalled(task: Task, tab_id: str, within_ms: float = FRAME_MS) -> Stalled | None:
    """End the GPU process if a tab's page shows no frame while that process takes a processor for
    itself; None where it is not so.

    Only in a browser that we launched, and only while it has WebGL: one that has lost that to
    crashes before ends itself after some more (docs/decisions/0009).
    """
    supervisor, sessions = task.supervisor, sessions_of(task.state, tab_id)[:1]
    within_s = within_ms * supervisor.hang_patience / 1000
    before, began = await _Taken.so_far(supervisor), time.monotonic()
    pid: int | None = None
    frame = asyncio.ensure_future(_draws(supervisor, tab_id, _CROWDED * within_s + _SAMPLE_S))
    try:
        for until_s in (_SAMPLE_S, within_s, _CROWDED * within_s):
            await asyncio.wait([frame], timeout=began + until_s - time.monotonic())
            if frame.done() and frame.result():
                return None
            now, took_s = await _Taken.so_far(supervisor), time.monotonic() - began
            # Where others take the machine it gets less, and frames may be slow to come.
            pid = _busiest(before.gpu, now.gpu, took_s * _SHARE)
            if pid is None:
                return None
            if until_s >= within_s and busier(before.gpu, now.gpu, took_s):
                break
    finally:
        frame.cancel()
    works = bool(busier(before.renderers, now.renderers, took_s))
    if pid is None or (works and await silent(supervisor, sessions, _PROBE_MS)):
        return None  # a script keeps the page from it
    owned = supervisor.opened is not None and supervisor.opened.owned
    return Stalled(pid, owned and await _may_crash(supervisor) and end_process(pid))


class _Taken(NamedTuple):
    """Seconds of processors, by process id."""

    gpu: dict[int, float]
    renderers: dict[int, float]

    @classmethod
    async def so_far(cls, supervisor: CDPSupervisor) -> Self:
        known = await processor_seconds(supervisor)
        return cls(known.get("GPU", {}), known.get("renderer", {}))


def _busiest(before: dict[int, float], after: dict[int, float], least_s: float) -> int | None:
    """Who has taken the most in between, and at least so much."""
    took = {pid: after.get(pid, 0.0) - was for pid, was in before.items()}
    pid = max(took, key=lambda pid: took[pid], default=None)
    return pid if pid is not None and took[pid] >= least_s else None


async def _draws(supervisor: CDPSupervisor, tab_id: str, within_s: float) -> bool:
    """Whether a tab's page shows a frame, or is not there to show one."""
    state = supervisor.state
    tab, world = state.tabs.get(tab_id), state.worlds.get(state.top_frame_id(tab_id) or "")
    if tab is None or tab.session_id is None:
        return True
    command = runtime.Evaluate(
        expression=_FRAME,
        await_promise=True,
        silent=True,
        unique_context_id=world.unique_id if world is not None else msgspec.UNSET,
    )
    call = supervisor.connection.call(command.METHOD, encode_params(command), tab.session_id)
    try:
        await asyncio.wait_for(call, within_s)
    except TimeoutError:
        return False
    return True  # refused: the document has just been left


async def _may_crash(supervisor: CDPSupervisor) -> bool:
    """Whether the browser stands it that its GPU process ends: it has another way to draw then."""
    known = await called(supervisor, system_info.GetInfo(), None, _INFO_MS)
    status = (known.gpu.feature_status or {}) if known is not None else {}
    return not str(status.get("webgl", "disabled")).startswith("disabled")
