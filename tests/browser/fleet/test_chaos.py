"""Faults on three nodes of a real Ray, briefly; `make fleet-chaos` does it for long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.cases import ALL

pytest.importorskip("ray")


@pytest.mark.xdist_group("ray")
@pytest.mark.skipif(not ALL, reason="takes two minutes and more: ALL=1")
@pytest.mark.timeout(400)
def test_no_task_has_two_browsers_and_no_call_is_late(tmp_path: Path) -> None:
    """In a process of its own, because Ray reads its secrets when it is imported."""
    told = tmp_path / "told.json"
    done = subprocess.run(
        (sys.executable, "-m", "support.fleet_chaos", "--deaths", "1", "--json", str(told),
         "--kinds", "host killed", "host stopped", "coordinator killed"),
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True, text=True, timeout=390, check=False,
    )  # fmt: skip
    assert told.exists(), done.stderr[-3000:]
    found = json.loads(told.read_text())
    assert found["double_owners"] == []
    assert found["browsers_left"] == 0
    assert [kind["deaths"] for kind in found["kinds"].values()] == [1, 1, 1]
    assert found["calls"] > 0
    assert all(kind["untold"] == 0 for kind in found["kinds"].values())
