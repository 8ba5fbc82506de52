"""Last resorts: kill a browser process that is chosen by its CPU usage.

CDP does not report which process serves which tab, nor which page keeps the GPU process busy.
Therefore, these steps compare the CPU usage of processes. They kill processes only in a browser
that Tabwarden launched:

- A renderer, if a tab can't even be replaced, and exactly one renderer keeps a CPU core busy.
- The GPU process, if a page responds but renders no frame. One GPU process renders all tabs. So if
  a page gives it endless work, all tabs stop rendering: screenshots, the mouse wheel and animation
  frames wait forever, even in idle pages and new tabs. Chromium then starts another GPU process,
  and WebGL content is lost.

With ``browser.kill_busy_processes: false``, Tabwarden neither measures nor kills processes.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from typing import NamedTuple, Self

import msgspec

from tabwarden.hints import joined
from tabwarden.page.recovery import timing
from tabwarden.page.recovery.probe import find_silent, sessions_of
from tabwarden.page.recovery.renderer import call_within
from tabwarden.page.task import Rescue, Task
from tabwarden.protocol import encode_params, runtime, system_info
from tabwarden.supervisor.runtime import CDPSupervisor

_BUSY_SHARE = 0.5
"""A renderer that hangs in native code uses at least this share of a CPU core."""
_GPU_SHARE = 0.15
"""An endlessly busy GPU process uses more than this share of a CPU core, unless other processes
overload the computer."""
_CROWDED = 4
"""How many times longer to wait for a frame, at most, if the GPU process gets only a part of the
CPU."""
_FRAME = (
    "new Promise((on) => document.hidden ? on('hidden') : requestAnimationFrame(() => on('drawn')))"
)
_LOST = ["all WebGL and WebGPU content, in every tab"]


def may_kill(supervisor: CDPSupervisor) -> bool:
    opened = supervisor.opened
    return supervisor.kill_busy_processes and opened is not None and opened.owned


async def kill_renderer(supervisor: CDPSupervisor) -> int | None:
    """If exactly one renderer keeps a CPU core busy, kill it and return its process id."""
    if not may_kill(supervisor):
        return None
    before = await _CpuTimes.read(supervisor)
    await asyncio.sleep(timing.SAMPLE_S)
    after = await _CpuTimes.read(supervisor)
    busy = _busy(before.renderers, after.renderers, timing.SAMPLE_S * _BUSY_SHARE)
    return busy[0] if len(busy) == 1 and _end_process(busy[0]) else None


# -- the GPU process ---------------------------------------------------------------------------


class StalledGpu(NamedTuple):
    """A GPU process that used a CPU core while no frame was rendered."""

    pid: int
    ended: bool

    @property
    def step(self) -> str:
        return f"kill: GPU process {self.pid}" if self.ended else "probe: the GPU process is busy"

    @property
    def words(self) -> str:
        if self.ended:
            return (
                "The browser drew nothing, because a page kept the GPU process busy (most likely "
                "with WebGL). Tabwarden killed that process, and the browser started another."
            )
        return (
            f"The browser is drawing nothing, and its GPU process (pid {self.pid}) is using a "
            "whole CPU core. Most likely, a page keeps the process busy with WebGL. Close that "
            "page's tab. If that does not help, kill this process on the browser's machine (the "
            "browser starts another), or close the browser."
        )


async def restore_drawing(task: Task, tab_id: str, rescue: Rescue) -> None:
    """After a rescue, check whether the page renders frames. If the GPU process prevents that, kill
    the GPU process."""
    gpu_process = await find_stalled_gpu(task, tab_id)
    if gpu_process is None:
        return
    rescue.did(gpu_process.step)
    if rescue.state != "idle":
        rescue.hint = joined(rescue.hint, gpu_process.words)
        rescue.lost += _LOST * gpu_process.ended
    elif gpu_process.ended:
        rescue.ended("freed", f"{gpu_process.words} Take a snapshot and try again.", _LOST)
    else:
        rescue.ended("idle", gpu_process.words)
    if gpu_process.ended:
        await _draws(task.supervisor, tab_id, timing.GPU_RESTART_S)


async def find_stalled_gpu(
    task: Task, tab_id: str, within_s: float = timing.FRAME_S
) -> StalledGpu | None:
    """Return the GPU process if it keeps a CPU core busy while a tab's page renders no frame.

    Also kill the process if that is permitted and the browser still has WebGL. A browser that lost
    WebGL after GPU process crashes exits after a few more crashes (docs/decisions/0009).
    """
    supervisor, sessions = task.supervisor, sessions_of(task.state, tab_id)[:1]
    if not supervisor.kill_busy_processes:
        return None
    within_s *= supervisor.hang_patience
    before, began = await _CpuTimes.read(supervisor), time.monotonic()
    frame = asyncio.ensure_future(_draws(supervisor, tab_id, _CROWDED * within_s + timing.SAMPLE_S))
    try:
        for until_s in (timing.SAMPLE_S, within_s, _CROWDED * within_s):
            await asyncio.wait([frame], timeout=began + until_s - time.monotonic())
            if frame.done() and frame.result():
                return None
            now, took_s = await _CpuTimes.read(supervisor), time.monotonic() - began
            # If other programs use the CPU, the GPU process gets less CPU time, so frames take
            # longer.
            busy = _busy(before.gpu, now.gpu, took_s * _GPU_SHARE)
            if not busy:
                return None
            if until_s >= within_s and _busy(before.gpu, now.gpu, took_s * _BUSY_SHARE):
                break
    finally:
        frame.cancel()
    busy_renderers = _busy(before.renderers, now.renderers, took_s * _BUSY_SHARE)
    if busy_renderers and await find_silent(supervisor, sessions, timing.PROBE_S):
        return None  # a script keeps the page from rendering
    pid = busy[0]
    return StalledGpu(
        pid, may_kill(supervisor) and await _survives_crash(supervisor) and _end_process(pid)
    )


async def _draws(supervisor: CDPSupervisor, tab_id: str, within_s: float) -> bool:
    """Whether a tab's page renders a frame, or no longer exists."""
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
    return True  # rendered, or refused because the tab just left the document


async def _survives_crash(supervisor: CDPSupervisor) -> bool:
    """Whether the browser survives a crash of its GPU process, because it still has WebGL."""
    info = await call_within(supervisor, system_info.GetInfo(), None, timing.GPU_INFO_S)
    status = (info.gpu.feature_status or {}) if info is not None else {}
    return not str(status.get("webgl", "disabled")).startswith("disabled")


# -- processes ---------------------------------------------------------------------------------


class _CpuTimes(NamedTuple):
    """The CPU seconds that each browser process has used, keyed by process ID."""

    gpu: dict[int, float]
    renderers: dict[int, float]

    @classmethod
    async def read(cls, supervisor: CDPSupervisor) -> Self:
        command = system_info.GetProcessInfo()
        info = await call_within(supervisor, command, None, timing.PROCESSES_S)
        times: dict[str, dict[int, float]] = {}
        for one in info.process_info if info is not None else ():
            times.setdefault(one.type, {})[one.id] = one.cpu_time
        return cls(times.get("GPU", {}), times.get("renderer", {}))


def _busy(before: dict[int, float], after: dict[int, float], least_s: float) -> list[int]:
    """Return the processes that used more than ``least_s`` CPU seconds, sorted by usage, highest
    first."""
    used = {pid: after.get(pid, 0.0) - used_before for pid, used_before in before.items()}
    return sorted((pid for pid in used if used[pid] > least_s), key=lambda pid: -used[pid])


def _end_process(pid: int) -> bool:
    """Kill a process. Return False if the operating system refuses."""
    try:
        os.kill(pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)
    except OSError:
        return False
    return True
