"""``python -m bench`` runs a few rows, writes both report files, and always ends."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

from bench.catalogue import NAMES, bench_named
from bench.leftovers import MARK, end_leftovers
from bench.rivals.installed import Installed
from bench.runner import run

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(300)  # takes some seconds; on a busy machine its imports are slow
@pytest.mark.long
def test_bench_command_writes_json_and_html_reports(tmp_path: Path) -> None:
    page, figures = tmp_path / "report.html", tmp_path / "report.json"
    done = subprocess.run(
        [
            sys.executable, "-m", "bench", "--quick", "--scale", "0.1", "--only", "snapshot_text",
            "--no-rivals", "--json", figures, "--html", page,
        ],
        cwd=ROOT, capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    told = json.loads(figures.read_text())
    assert {"processor", "system"} <= set(told["machine"])
    assert {"browser", "python", "playwright", "tabwarden"} <= set(told["versions"])
    assert told["skipped"] == {"rivals": "--no-rivals"}
    found = told["benches"][0]
    assert not found["failed"]
    shares = [
        row["ways"]["tabwarden"][0] / row["ways"]["playwright"][0]
        for row in found["rows"]
        if row["unit"] == "characters"
    ]
    share = found["verdicts"][0]
    assert len(shares) >= 3
    assert share["found"] == pytest.approx(statistics.median(shares))
    assert share["reached"] == (share["found"] <= share["limit"])
    assert done.returncode == any(one["reached"] is False for one in found["verdicts"])
    assert page.read_text().count("<svg") == len(shares)


def test_bench_reports_why_a_rival_tool_is_not_installed(tmp_path: Path) -> None:
    (tmp_path / "why-not.json").write_text('{"hermes": "not installed: no network"}')
    installed = Installed(tmp_path)
    for who, why in (
        (installed.agent_browser, f"not installed in {tmp_path}"),
        (lambda: installed.python("hermes"), "not installed: no network"),
        (lambda: installed.npm_program("playwright-mcp"), f"not installed in {tmp_path}"),
    ):
        with pytest.raises(FileNotFoundError, match=re.escape(why)):
            who()


def test_runner_stops_a_bench_at_its_deadline_and_leaves_no_processes() -> None:
    bench = bench_named("recovery")
    late = type(bench)(bench.name, bench.title, bench.measure, bench.figures, deadline_s=0.3)
    found = run(late, ["--quick"], quick=False)
    assert found.failed == "not done after 0.3 s"
    assert [verdict.reached for verdict in found.verdicts] == [None]
    assert end_leftovers(f"{os.environ[MARK]}.recovery") == 0


def test_cleanup_kills_only_leftover_processes_with_its_own_marker() -> None:
    mark = "a-test-of-leftovers"
    left = subprocess.Popen(["sleep", "60"], env={**os.environ, MARK: mark}, start_new_session=True)
    other = subprocess.Popen(["sleep", "60"], env={**os.environ, MARK: mark + "-not"})
    try:
        assert end_leftovers(mark) == 1
        assert left.wait(10) < 0
        assert other.poll() is None
    finally:
        for process in (left, other):
            process.kill()
            process.wait()


def test_bench_list_command_prints_every_bench_module() -> None:
    for name in NAMES:
        assert bench_named(name).name == name
    modules = {path.stem for path in (ROOT / "bench").glob("*.py") if "BENCH = Bench(" in
               path.read_text("utf-8")}  # fmt: skip
    assert modules == set(NAMES)
