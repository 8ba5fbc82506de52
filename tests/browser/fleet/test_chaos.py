"""A short run of ``make fleet-chaos``: a fleet of three machines on a real Ray, with faults."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.fleet_chaos.machines import why_not
from support.needs import lack

pytest.importorskip("ray", reason="needs ray: make env")
TESTS = Path(__file__).parents[2]


@pytest.mark.calm
@pytest.mark.long  # takes more than two minutes, and Ray may fail to start
@pytest.mark.timeout(600)
def test_fleet_under_faults_never_runs_two_browsers_for_one_task(tmp_path: Path) -> None:
    if why := why_not():
        lack("namespaces", why)
    told = tmp_path / "told.json"
    kinds = ("host killed", "link cut", "coordinator killed", "node lost")
    done = subprocess.run(
        (sys.executable, "-m", "support.fleet_chaos", "--deaths", "1", "--agents", "3",
         "--json", str(told), "--home", str(tmp_path), "--kinds", *kinds),
        env=os.environ | {"PYTHONPATH": str(TESTS)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.exists(), done.stdout + done.stderr
    report = json.loads(told.read_text())
    assert [kind["times"] for kind in report["kinds"]] == [1] * len(kinds), done.stderr
    assert report["broken"] == []
    assert report["browsers_left"] == 0
    assert done.returncode == 0
