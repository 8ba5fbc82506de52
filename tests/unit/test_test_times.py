"""Test times per folder, beside the last run, with budgets."""

from __future__ import annotations

from pathlib import Path

import test_times
from test_times import Budgets, Times

TIMES = Times(
    {
        "tests/unit/test_a.py::test_a": 1.0,
        "tests/browser/page/input/pointing/test_drag.py::test_b[1]": 4.0,
        "tests/browser/page/input/test_c.py::test_c": 5.0,
    },
    whole=8.0,
)
BUDGETS = Budgets({"tests/browser/page/input": 6.0}, other_folder=2.0, whole=10.0)


def test_test_time_report_sums_the_seconds_of_all_tests_in_a_folder() -> None:
    assert TIMES.folders == {"tests/browser/page/input": 9.0, "tests/unit": 1.0}
    assert [seconds for _, seconds in TIMES.slowest] == [5.0, 4.0, 1.0]


def test_test_time_report_lists_a_folder_over_its_budget() -> None:
    assert BUDGETS.exceeded(TIMES, 1.0) == [
        "tests/browser/page/input took 9 s; its budget here is 6 s"
    ]
    assert BUDGETS.exceeded(TIMES, 2.0) == []


def test_test_time_budgets_also_cover_unlisted_folders_and_the_whole_run() -> None:
    slow = Times({"tests/new/test_a.py::test_a": 3.0}, whole=11.0)
    said = BUDGETS.exceeded(slow, 1.0)
    assert [line.split(" took")[0] for line in said] == ["tests/new", "The whole run"]


def test_test_time_report_shows_the_last_run_beside_this_run(tmp_path: Path) -> None:
    file = tmp_path / "times.json"
    assert test_times.read_last(file) == {}
    test_times.keep(TIMES, ["tests/a.py::test"], file)
    assert test_times.read_last(file)["skipped"] == ["tests/a.py::test"]
    shown = test_times.table(TIMES, BUDGETS, 1.0, test_times.read_last(file))
    assert "    9.0 of 6 tests/browser/page/input (9)" in shown
    assert "    5.0 tests/browser/page/input/test_c.py::test_c" in shown


def test_test_time_report_ignores_a_truncated_file_of_the_last_run(tmp_path: Path) -> None:
    file = tmp_path / "times.json"
    file.write_text('{"folders": ')
    assert test_times.read_last(file) == {}


def test_measured_slowness_of_this_machine_is_plausible() -> None:
    assert 1.0 <= test_times.slowness() < 1000


def test_test_time_budget_file_of_this_repository_is_valid() -> None:
    assert Budgets.read().whole > 0
