"""``fleet up --block``, as a service manager runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from support.eventually import eventually

pytest.importorskip("ray", reason="needs ray: make env")
pytestmark = [
    pytest.mark.calm,
    pytest.mark.timeout(300),
    pytest.mark.long,  # starts two clusters, which takes a minute
]

PORT = 6395


@pytest.fixture
def service(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A running head."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("XDG_")
    } | {"HOME": str(tmp_path)}
    words = (sys.executable, "-m", "tabwarden.surfaces.cli", "fleet")
    running = subprocess.Popen(
        (*words, "up", "--block", "--port", str(PORT), "--node", "n1", "--json"),
        env=environment, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        yield running
    finally:
        running.kill()
        running.communicate()
        subprocess.run((*words, "stop"), env=environment, timeout=150, check=True)


def first_answer(running: subprocess.Popen[str]) -> dict[str, str]:
    assert running.stdout is not None
    told: dict[str, str] = json.loads(running.stdout.readline())
    return told


def parts_of(home: Path) -> dict[str, psutil.Process]:
    """The processes with this home, by name."""
    found = {}
    for process in psutil.process_iter():
        try:
            if process.environ().get("HOME") == str(home) and process.status() != "zombie":
                found[process.name()] = process
        except psutil.Error:
            continue
    return found


def test_fleet_up_block_stops_its_node_on_sigterm(
    service: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert first_answer(service)["node"] == "n1"
    assert {"raylet", "gcs_server"} <= set(parts_of(tmp_path))
    assert eventually(lambda: "chromium" in parts_of(tmp_path))
    service.send_signal(signal.SIGTERM)
    service.communicate(timeout=100)
    assert service.returncode == 0
    assert not parts_of(tmp_path)


@pytest.mark.parametrize("part", ["raylet", "gcs_server"])
def test_fleet_up_block_exits_and_leaves_no_processes_if_ray_dies(
    service: subprocess.Popen[str], tmp_path: Path, part: str
) -> None:
    first_answer(service)
    parts_of(tmp_path)[part].kill()
    told, _ = service.communicate(timeout=150)
    assert service.returncode != 0
    assert json.loads(told)["error"]["code"] == "launch_failed"
    assert not parts_of(tmp_path)
