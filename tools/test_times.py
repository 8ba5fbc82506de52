"""Say where the time of a test run went, beside the run before it, and hold folders to budgets.

``tests/budgets.toml`` has the seconds that a folder's tests may take together, summed over all
workers, on the machine that set them. ``Machine`` compares this machine with that one: how fast it
computes, and how much of it other programs took meanwhile.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

BUDGETS = Path(__file__).parents[1] / "tests" / "budgets.toml"
LAST_RUN = Path(__file__).parents[1] / ".test-times.json"
SLOWEST = 25
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
        """The slowest tests and their seconds, the slowest first."""
        return sorted(self.tests.items(), key=lambda one: -one[1])[:SLOWEST]


@dataclass(frozen=True)
class Budgets:
    """The seconds that folders may take on the machine that set them."""

    folders: Mapping[str, float]
    other_folder: float
    """For a folder that has no budget of its own."""
    whole: float
    """For the whole run, on the clock."""
    loop_ms: float
    """How long that machine's processor takes for the loop of ``loop_ms``."""

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


class Machine:
    """Compares this machine, from the creation of this object on, with the one of the budgets."""

    def __init__(self) -> None:
        self._loop_ms = loop_ms()
        self._began = _busy_s()
        self._own = _own_s()

    def scale(self, reference_loop_ms: float) -> float:
        """Return how many times as long a run takes here; at least 1."""
        slower = max(1.0, max(self._loop_ms, loop_ms()) / reference_loop_ms)
        busy, own = _busy_s() - self._began, _own_s() - self._own
        # Where others take half of the processors, everything takes twice as long.
        ours = min(1.0, own / busy) if busy > 0 and own > 0 else 1.0
        return slower / ours


def loop_ms() -> float:
    """Return the processor's time for a loop, in ms: the best of some, since caches get cold."""
    took = []
    for _ in range(7):
        began = time.process_time()
        sum(number * number for number in range(200_000))
        took.append(time.process_time() - began)
    return min(took) * 1000


def _busy_s() -> float:
    """Return the seconds that all processors of this machine were busy; 0 if it doesn't tell."""
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()
    except OSError:
        return 0.0
    user, nice, system = (int(field) for field in fields[1:4])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def _own_s() -> float:
    """Return the processor's seconds of this program and of all the children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


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
    lines += [f"{seconds:7.1f} {name}" for name, seconds in times.slowest]
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
        "slowest": times.slowest,
        "skipped": list(skipped),
    }
    file.write_text(json.dumps(shown, indent=1) + "\n", "utf-8")


def _commit() -> str:
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=LAST_RUN.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip() or "an unknown commit"
