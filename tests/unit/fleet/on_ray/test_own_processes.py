"""The processes of a fleet's Ray on this machine, and their exit."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="needs ray: make env")
from tabwarden.fleet.on_ray.own_processes import await_end_of_ray, marked


@pytest.fixture(params=["raylet", "gcs_server"])
def part(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that looks like a part of our Ray, beside other processes of ours."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    running = {}
    for name in ("other", "raylet", "gcs_server"):
        program = tmp_path / name
        shutil.copy("/bin/sleep", program)
        running[name] = subprocess.Popen((program, "600"), env=os.environ | marked())
    yield running[request.param]
    for one in running.values():
        one.kill()
        one.wait()


def test_waiting_for_ray_to_exit_returns_when_a_ray_process_exits(
    part: subprocess.Popen[bytes],
) -> None:
    told: list[bool] = []
    waiting = threading.Thread(target=lambda: told.append(await_end_of_ray(threading.Event())))
    waiting.start()
    waiting.join(0.2)
    assert waiting.is_alive(), "it runs"
    part.kill()
    waiting.join(30)
    assert told == [False]


@pytest.mark.parametrize("part", ["raylet"], indirect=True)
def test_waiting_for_ray_to_exit_detects_a_raylet_that_exited_earlier(
    part: subprocess.Popen[bytes],
) -> None:
    """The head's other process may still run."""
    part.kill()
    part.wait()
    assert not await_end_of_ray(threading.Event())


def test_waiting_for_ray_to_exit_stops_when_the_caller_sets_the_event(
    part: subprocess.Popen[bytes],
) -> None:
    over = threading.Event()
    over.set()
    assert await_end_of_ray(over)
