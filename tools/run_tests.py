"""Run the tests in two stages: three at a time, then two at a time for tests that are sensitive to
load.

The first line names the browser under test. The end of the output lists the seconds per folder. A
folder that far exceeds its budget fails the run. ``--ci`` also reruns failed tests once, alone. The
last line has the totals.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import test_times

from tabwarden.budget import Budget
from tabwarden.endpoints.finding import Probed, choose
from tabwarden.errors import LaunchFailed

ROOT = Path(__file__).parents[1]
TOLERANCE = 1.5
"""A folder may take this many times its budget: the next run of the same tests on an idle machine
takes up to 1.2 times as long."""
FLAKY = ROOT / "tests" / "flaky.txt"
WORKERS = 3
"""For two processors: a browser test spends a third of its time waiting."""
BUSY = ["--stage=busy", "-n", str(WORKERS), "--dist", "worksteal"]
CALM = ["--stage=calm", "-n", "2", "--dist", "loadfile"]
NOTHING_RAN = 5
"""Pytest's exit status if no test was selected."""
NOTHING = {"passed": 0, "skipped": [], "failed": [], "seconds": {}}


@dataclass
class Results:
    """The results of the pytest runs so far."""

    passed: int = 0
    skipped: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    status: int = 0
    """The first exit status that is not 0."""

    def fail(self, status: int) -> None:
        """Keep the first failing status."""
        self.status = self.status or status


def main() -> int:
    """Run the tests. Return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="run all cases, and long histories")
    parser.add_argument("--ci", action="store_true", help="rerun failures")
    parser.add_argument(
        "--installed", action="store_true", help="fail unless Tabwarden installed the browser"
    )
    parser.add_argument(
        "--skipped",
        action="store_true",
        help="run the tests that the last run skipped, and the named tests",
    )
    given, arguments = parser.parse_known_args()
    if given.skipped:
        arguments += skipped_last()
    browser = browser_under_test()
    if browser is None:
        return 1
    if given.installed and browser.candidate.source != "installed":
        print("This is not the browser that Tabwarden installed.")
        return 1
    slowness, began = test_times.slowness(), time.monotonic()
    results = Results()
    both_stages(results, arguments, {"TABWARDEN_CASES": "all" if given.all else "short"})
    if given.ci:
        rerun(results)
    whole = time.monotonic() - began
    if not arguments:  # a subset of the tests can't be compared with the folders' budgets
        times = test_times.Times(results.seconds, whole)
        say_times(results, times, slowness, hold=not given.all)
    took = datetime.timedelta(seconds=round(whole))
    print(
        f"{results.passed} passed, {len(results.failed)} failed, {len(results.skipped)} skipped"
        f" in {took}"
    )
    return results.status


def skipped_last() -> list[str]:
    """Return the tests and the whole files that the last run skipped."""
    skipped = test_times.read_last().get("skipped")
    if not isinstance(skipped, list) or not skipped:
        raise SystemExit("No test was skipped: run `make test` first.")
    return [str(name) for name in skipped]


def browser_under_test() -> Probed | None:
    """Print which browser the tests are going to use."""
    try:
        found = asyncio.run(choose(Budget(60_000)))
    except LaunchFailed as error:
        print(f"No browser to test: {error.message} {error.hint}", flush=True)
        return None
    source = "installed by Tabwarden" if found.candidate.source == "installed" else "of this system"
    print(f"Browser under test: {found.product}, {source}: {found.path}", flush=True)
    return found


def say_times(
    results: Results, times: test_times.Times, slowness_before: float, *, hold: bool
) -> None:
    """Print and save the times per folder, and check the folders' budgets."""
    budgets = test_times.Budgets.read()
    scale = max(slowness_before, test_times.slowness())
    print(test_times.table(times, budgets if hold else None, scale, test_times.read_last()))
    print(f"Work takes {scale:.2f} times as long here as on an idle machine.")
    test_times.keep(times, results.skipped)
    exceeded = budgets.exceeded(times, scale * TOLERANCE) if hold else []
    for line in exceeded:
        print(f"TOO SLOW {line}: make the tests faster, or mark some `long` (CONTRIBUTING.md)")
    if exceeded:
        results.fail(1)


def both_stages(results: Results, arguments: list[str], environment: dict[str, str]) -> None:
    """Run the tests without the mark ``calm``, then the tests with this mark."""
    statuses = [
        run(results, [*BUSY, *arguments], environment),
        run(results, [*CALM, *(arguments or files_of_calm())], environment),
    ]
    if statuses == [NOTHING_RAN] * 2:
        results.fail(NOTHING_RAN)


def files_of_calm() -> list[str]:
    """Return the files with a test marked ``calm``. Collecting all files takes many seconds."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(file) for file in files if "mark.calm" in file.read_text("utf-8")]


def run(results: Results, arguments: list[str], environment: dict[str, str]) -> int:
    """Run pytest once, and add its results."""
    with tempfile.NamedTemporaryFile(suffix=".json") as written:
        command = [sys.executable, "-m", "pytest", f"--results-to={written.name}", *arguments]
        status = subprocess.run(
            command, cwd=ROOT, check=False, env={**os.environ, **environment}
        ).returncode
        found = json.loads(written.read() or json.dumps(NOTHING))
    results.passed += found["passed"]
    results.skipped += found["skipped"]
    results.failed += found["failed"]
    results.seconds |= found["seconds"]
    if status != NOTHING_RAN:
        results.fail(status)
    return status


def rerun(results: Results) -> None:
    """Rerun the failed tests once, alone. Report tests that now pass as flaky."""
    if results.status != 1 or not results.failed:
        return
    again = Results()
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as names:
        names.write("\n".join(results.failed))
        names.flush()
        run(again, ["-n", "0", f"@{names.name}"], {"TABWARDEN_CASES": "all"})
    flaky = [name for name in results.failed if name not in again.failed]
    if again.status not in (0, 1) or not flaky:
        return
    lines = FLAKY.read_text("utf-8").splitlines()
    entries = [line.split(" ", 1) for line in lines if line[:1].isdigit()]
    known = {name: times for times, name in entries}
    for name in flaky:
        times = int(known.get(name, 0)) + 1
        print(f"FLAKY {name}\nthe line for tests/flaky.txt: {times} {name}", flush=True)
    results.passed += len(flaky)
    results.failed = again.failed
    results.status = again.status


if __name__ == "__main__":
    sys.exit(main())
