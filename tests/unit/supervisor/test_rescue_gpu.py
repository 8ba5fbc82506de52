"""The GPU process: ended only where it works while nothing is drawn, and that can be borne."""

from __future__ import annotations

import itertools
import os
from collections.abc import AsyncIterator
from typing import Any

import pytest
from memory_wire import MemoryWire, supervised

from tabwarden.endpoints import OpenedEndpoint
from tabwarden.page.rescue import stalled
from tabwarden.page.rescue.gpu import undrawn
from tabwarden.page.rescue.story import Rescue
from tabwarden.page.task import Task

pytestmark = pytest.mark.anyio
WITHIN_MS = 120.0


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
    """Its processes take so many seconds more each time they are asked for; no frame is drawn."""
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


async def test_one_that_works_while_nothing_is_drawn_is_ended(
    task: Task, wire: MemoryWire, killed: list[int]
) -> None:
    has(wire, gpu_s=0.2)
    found = await stalled(task, "t1", WITHIN_MS)
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
    ids=["a frame comes", "it rests", "a script keeps the page from it"],
)
async def test_any_other_is_let_be(
    processes: dict[str, float], draws: bool, task: Task, wire: MemoryWire, killed: list[int]
) -> None:
    has(wire, **processes)  # type: ignore[arg-type]
    if draws:
        wire.silent.clear()
    assert await stalled(task, "t1", WITHIN_MS) is None
    assert killed == []


async def test_a_browser_that_would_end_itself_keeps_it(
    task: Task, wire: MemoryWire, killed: list[int]
) -> None:
    has(wire, gpu_s=0.2, webgl="disabled_off")
    found = await stalled(task, "t1", WITHIN_MS)
    assert found is not None
    assert not found.ended
    assert killed == []


async def test_in_a_browser_of_somebody_elses_it_is_named(task: Task, wire: MemoryWire) -> None:
    has(wire, gpu_s=0.2)
    rescue = Rescue("t1", task.supervisor.telemetry)
    rescue.ended("idle", "The page answers.")
    await undrawn(task, "t1", rescue)
    assert rescue.state == "idle"
    assert "GPU process (pid 7)" in rescue.hint
    assert rescue.steps == ["probe: the GPU process is busy"]
