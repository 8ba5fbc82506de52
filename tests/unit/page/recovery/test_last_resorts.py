"""Last resorts: which process is killed, and when none is."""

from __future__ import annotations

import itertools
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest
from support.memory_wire import MemoryWire, supervised

from tabwarden.endpoints import OpenedEndpoint
from tabwarden.page.recovery.last_resorts import find_stalled_gpu, kill_renderer, restore_drawing
from tabwarden.page.task.rescue import Rescue
from tabwarden.page.task.task import Task

pytestmark = pytest.mark.anyio
WITHIN_S = 0.12


@pytest.fixture
async def task(wire: MemoryWire) -> AsyncIterator[Task]:
    supervisor = await supervised(wire)
    yield Task(supervisor)
    await supervisor.stop()


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    killed: list[int] = []
    monkeypatch.setattr(OpenedEndpoint, "owned", True)
    monkeypatch.setattr(os, "kill", lambda pid, _: killed.append(pid))
    return killed


def has(wire: MemoryWire, *, gpu_s: float, renderer_s: float = 0.0, webgl: str = "enabled") -> None:
    """Its processes use this many more CPU seconds per query; no frame is drawn."""
    times = itertools.count()

    def told() -> dict[str, Any]:
        n = next(times)
        took = {"GPU": 3 + n * gpu_s, "renderer": 3 + n * renderer_s}
        processes = [{"type": t, "id": pid, "cpuTime": took[t]} for pid, t in enumerate(took, 7)]
        return {"processInfo": processes}

    status = {"devices": [], "driverBugWorkarounds": [], "videoDecoding": [], "videoEncoding": []}
    gpu = {**status, "featureStatus": {"webgl": webgl}}
    about = {"gpu": gpu, "modelName": "", "modelVersion": "", "commandLine": ""}
    wire.answers |= {"SystemInfo.getProcessInfo": told, "SystemInfo.getInfo": about}
    wire.silent.add("Runtime.evaluate")


async def test_recovery_kills_a_busy_gpu_process_when_no_frames_are_drawn(
    task: Task, wire: MemoryWire, killed: list[int]
) -> None:
    has(wire, gpu_s=0.2)
    found = await find_stalled_gpu(task, "t1", WITHIN_S)
    assert found is not None
    assert (found.ended, killed) == (True, [7])
    assert found.step == "kill: GPU process 7"


@pytest.mark.parametrize(
    ("processes", "draws"),
    [
        ({"gpu_s": 0.2}, True),
        ({"gpu_s": 0.01}, False),
        ({"gpu_s": 0.2, "renderer_s": 0.5}, False),
    ],
    ids=["frame drawn", "idle", "page busy with a script"],
)
async def test_recovery_does_not_kill_a_gpu_process_that_does_not_block_drawing(
    processes: dict[str, float], draws: bool, task: Task, wire: MemoryWire, killed: list[int]
) -> None:
    has(wire, **processes)  # type: ignore[arg-type]
    if draws:
        wire.silent.clear()
    assert await find_stalled_gpu(task, "t1", WITHIN_S) is None
    assert killed == []


async def test_recovery_does_not_kill_a_gpu_process_whose_end_would_close_the_browser(
    task: Task, wire: MemoryWire, killed: list[int]
) -> None:
    has(wire, gpu_s=0.2, webgl="disabled_off")
    found = await find_stalled_gpu(task, "t1", WITHIN_S)
    assert found is not None
    assert not found.ended
    assert killed == []


async def test_recovery_only_reports_the_gpu_process_of_an_attached_browser(
    task: Task, wire: MemoryWire
) -> None:
    has(wire, gpu_s=0.2)
    rescue = Rescue("t1", task.supervisor.telemetry)
    rescue.ended("idle", "The page answers.")
    await restore_drawing(task, "t1", rescue)
    assert rescue.state == "idle"
    assert "GPU process (pid 7)" in rescue.hint
    assert rescue.steps == ["probe: the GPU process is busy"]


async def test_recovery_inspects_no_processes_when_killing_is_disabled(
    task: Task, wire: MemoryWire, killed: list[int]
) -> None:
    has(wire, gpu_s=0.2, renderer_s=0.2)
    task.supervisor.kill_busy_processes = False
    assert await find_stalled_gpu(task, "t1", WITHIN_S) is None
    assert await kill_renderer(task.supervisor) is None
    assert "SystemInfo.getProcessInfo" not in wire.methods()
    assert killed == []


# -- renderers -------------------------------------------------------------------------------


def processes(wire: MemoryWire, *samples: dict[int, float]) -> None:
    """The CPU time of each renderer, per query."""
    left = list(samples)

    def told() -> dict[str, Any]:
        known = left.pop(0)
        renderers = [{"type": "renderer", "id": pid, "cpuTime": s} for pid, s in known.items()]
        return {"processInfo": [{"type": "browser", "id": 1, "cpuTime": 9_000}, *renderers]}

    wire.answers["SystemInfo.getProcessInfo"] = told


@pytest.mark.parametrize(
    ("before", "after", "ended"),
    [
        ({11: 5.0, 12: 5.0}, {11: 5.1, 12: 5.0}, 11),
        ({11: 5.0, 12: 5.0}, {11: 5.1, 12: 5.1}, None),
        ({11: 5.0, 12: 5.0}, {11: 5.04, 12: 5.0}, None),
        ({11: 5.0}, {12: 9.0}, None),
        ({}, {}, None),
    ],
    ids=["one busy", "two busy", "none busy", "another busy", "no renderer"],
)
async def test_kill_renderer_kills_only_a_single_busy_renderer(
    before: dict[int, float],
    after: dict[int, float],
    ended: int | None,
    task: Task,
    wire: MemoryWire,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    processes(wire, before, after)
    killed: list[int] = []
    with monkeypatch.context() as ours:
        ours.setattr(OpenedEndpoint, "owned", True)
        ours.setattr(os, "kill", lambda pid, _: killed.append(pid))
        assert await kill_renderer(task.supervisor) == ended
    assert killed == ([] if ended is None else [ended])


async def test_kill_renderer_does_not_kill_processes_of_an_attached_browser(
    task: Task, wire: MemoryWire
) -> None:
    assert await kill_renderer(task.supervisor) is None
    assert "SystemInfo.getProcessInfo" not in wire.methods()


async def test_kill_renderer_does_not_report_an_already_ended_process_as_killed(
    task: Task, wire: MemoryWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise ProcessLookupError

    processes(wire, {11: 5.0}, {11: 5.1})
    with monkeypatch.context() as ours:
        ours.setattr(OpenedEndpoint, "owned", True)
        ours.setattr(os, "kill", gone)
        assert await kill_renderer(task.supervisor) is None
