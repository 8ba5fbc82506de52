"""Say where the time of a test run went, beside the run before it, and hold folders to budgets.

``tests/budgets.toml`` has the seconds that a folder's tests may take together, summed over all
workers, on an idle machine. A slow or busy machine multiplies them by its ``slowness``.
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
"""``keep`` leaves out the tests that took less."""
_DEPTH = 4
"""Folders are told apart down to this level: tests/browser/page/input."""


@dataclass(frozen=True)
class Times:
    """The seconds of each test, with its fixtures, and of the whole run on the clock."""

    tests: Mapping[str, float]
    whole: float

    @property
    def folders(self) -> Mapping[str, float]:
        """The seconds of each folder, the slowest first."""
        sums: dict[str, float] = {}
        for name, seconds in self.tests.items():
            folder = folder_of(name)
            sums[folder] = sums.get(folder, 0.0) + seconds
        return dict(sorted(sums.items(), key=lambda one: -one[1]))

    @property
    def slowest(self) -> list[tuple[str, float]]:
        """The tests and their seconds, the slowest first."""
        return sorted(self.tests.items(), key=lambda one: -one[1])


@dataclass(frozen=True)
class Budgets:
    """The seconds that folders may take on the machine that set them."""

    folders: Mapping[str, float]
    other_folder: float
    """For a folder that has no budget of its own."""
    whole: float
    """For the whole run, on the clock."""

    @classmethod
    def read(cls, file: Path = BUDGETS) -> Budgets:
        """Read the budgets."""
        return cls(**tomllib.loads(file.read_text("utf-8")))

    def exceeded(self, times: Times, scale: float) -> list[str]:
        """Say which folders took longer than they may, each in one line.

        Args:
            times: what the run took.
            scale: how many times as long things take on this machine now.
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
    """Return how many times as long as on an idle machine of the budgets work takes now."""
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
        times: what the run took.
        budgets: adds a column of them.
        scale: what the budgets are multiplied by.
        last: what ``read_last`` returned.
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
    """Return what ``keep`` wrote; empty if there is nothing."""
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
