"""Report the times of a test run, compared with the previous run, and check the folders' budgets.

``tests/budgets.toml`` has the total seconds for a folder's tests, summed over all workers, on an
idle machine. They are multiplied by the ``slowness`` of a slow or busy machine.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

BUDGETS = Path(__file__).parents[1] / "tests" / "budgets.toml"
PACE = Path(__file__).parents[1] / "tests" / "support" / "pace.py"
LAST_RUN = Path(__file__).parents[1] / ".test-times.json"
SLOWEST = 25
_KEPT_S = 0.5
"""``keep`` omits tests that took less time."""
_DEPTH = 4
"""Maximum depth of the listed folders, such as tests/browser/page/input."""


@dataclass(frozen=True)
class Times:
    """The seconds for each test with its fixtures, and the run's wall-clock time."""

    tests: Mapping[str, float]
    whole: float

    @property
    def folders(self) -> Mapping[str, float]:
        """Return the seconds per folder, the slowest folder first."""
        sums: dict[str, float] = {}
        for name, seconds in self.tests.items():
            folder = folder_of(name)
            sums[folder] = sums.get(folder, 0.0) + seconds
        return dict(sorted(sums.items(), key=lambda one: -one[1]))

    @property
    def slowest(self) -> list[tuple[str, float]]:
        """Return the tests and their seconds, the slowest test first."""
        return sorted(self.tests.items(), key=lambda one: -one[1])


@dataclass(frozen=True)
class Budgets:
    """The folders' budgets in seconds on the machine that set them."""

    folders: Mapping[str, float]
    other_folder: float
    """The budget for a folder without its own budget."""
    whole: float
    """The wall-clock budget for the whole run."""

    @classmethod
    def read(cls, file: Path = BUDGETS) -> Budgets:
        """Read the budgets."""
        return cls(**tomllib.loads(file.read_text("utf-8")))

    def exceeded(self, times: Times, scale: float) -> list[str]:
        """Return a line for each folder that exceeded its budget.

        Args:
            times: what the run took.
            scale: the current slowness of this machine.
        """
        used = [(folder, seconds, self.of(folder)) for folder, seconds in times.folders.items()]
        return [
            f"{what} took {seconds:.0f} s; its budget here is {budget * scale:.0f} s"
            for what, seconds, budget in [*used, ("The whole run", times.whole, self.whole)]
            if seconds > budget * scale
        ]

    def of(self, folder: str) -> float:
        """Return the seconds of one folder."""
        return self.folders.get(folder, self.other_folder)


def slowness() -> float:
    """Return how many times as long work takes now as on the idle machine that set the budgets."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", PACE],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    return max(1.0, float(done.stdout))


def folder_of(test: str) -> str:
    """Return the folder of a test, at most ``_DEPTH`` deep."""
    return "/".join(test.partition("::")[0].split("/")[:-1][:_DEPTH])


def table(times: Times, budgets: Budgets | None, scale: float, last: Mapping[str, object]) -> str:
    """Return the seconds per folder and the slowest tests as text.

    Args:
        times: the run's times.
        budgets: the budgets to show in a column.
        scale: the factor for the budgets.
        last: the result of ``read_last``.
    """
    before = last.get("folders")
    before = before if isinstance(before, dict) else {}
    of_commit = f" (in brackets: the last run, at {last['commit']})" if before else ""
    lines = [f"Seconds of the tests per folder, over all workers{of_commit}:"]
    for folder, seconds in times.folders.items():
        if seconds >= 1 or folder in before:
            was = f" ({before[folder]:.0f})" if folder in before else ""
            limit = f" of {budgets.of(folder) * scale:.0f}" if budgets else ""
            lines.append(f"{seconds:7.1f}{limit} {folder}{was}")
    lines.append(f"The {SLOWEST} slowest tests, in seconds:")
    lines += [f"{seconds:7.1f} {name}" for name, seconds in times.slowest[:SLOWEST]]
    return "\n".join(lines)


def read_last(file: Path = LAST_RUN) -> dict[str, object]:
    """Return the times that ``keep`` wrote; empty if there are none."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep(times: Times, skipped: Sequence[str] = (), file: Path = LAST_RUN) -> None:
    """Write the times, and the names of the skipped tests, for the next run."""
    shown = {
        "commit": _commit(),
        "whole": round(times.whole),
        "folders": {folder: round(seconds, 1) for folder, seconds in times.folders.items()},
        "tests": {name: round(took, 1) for name, took in times.slowest if took >= _KEPT_S},
        "skipped": list(skipped),
    }
    file.write_text(json.dumps(shown, indent=1) + "\n", "utf-8")


def _commit() -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=LAST_RUN.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip() or "an unknown commit"
