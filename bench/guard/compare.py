"""Compares two lists of times that were measured in turns."""

from __future__ import annotations

import random
import statistics
from dataclasses import dataclass, field

from bench.telling import number

__all__ = ["LIMIT", "Compared"]

LIMIT = 1.1
"""A row that takes more than this many times its old time has lost."""
RESAMPLES = 2000
OUTER = 0.025
"""Share of the resamples below, and above, the 95 % interval."""


@dataclass
class Compared:
    """One row's times in both versions. Each generation of processes and browsers adds a list."""

    limit: float = LIMIT
    own: list[float] = field(default_factory=list)
    """The median of each turn."""
    other: list[float] = field(default_factory=list)
    ratios: list[list[float]] = field(default_factory=list)
    """For each generation, our time by the other's time in each round."""

    def add(self, own: list[float], other: list[float], calls: int) -> None:
        """Add the times of the calls of one generation, with ``calls`` in each turn."""
        ours, theirs = _medians(own, calls), _medians(other, calls)
        self.own += ours
        self.other += theirs
        self.ratios.append([a / b for a, b in zip(ours, theirs, strict=True)])

    @property
    def ratio(self) -> float:
        """The median ratio of two turns that followed each other, so that a slow phase of the
        machine, which slows both, changes nothing."""
        return statistics.median(ratio for ratios in self.ratios for ratio in ratios)

    def interval(self) -> tuple[float, float]:
        """Return the 95 % confidence interval of the ratio, by the bootstrap. It draws generations
        first, because one browser can be slower than the next for as long as it lives."""
        draw = random.Random(1)
        found = sorted(
            statistics.median(
                ratio
                for ratios in draw.choices(self.ratios, k=len(self.ratios))
                for ratio in draw.choices(ratios, k=len(ratios))
            )
            for _ in range(RESAMPLES)
        )
        outer = round(RESAMPLES * OUTER)
        return found[outer], found[-1 - outer]

    @property
    def is_slower(self) -> bool:
        return self.ratio > self.limit

    @property
    def has_lost(self) -> bool:
        """Whether the row is slower, and hardly by chance: half of the limit is certain."""
        return self.is_slower and self.interval()[0] > (1 + self.limit) / 2

    def line(self, name: str) -> str:
        low, high = self.interval()
        times = (
            f"{number(statistics.median(self.other)):>10}{number(statistics.median(self.own)):>10}"
        )
        word = "  SLOWER" if self.is_slower else "  faster" if high < 1 / LIMIT else ""
        return f"{name:<30}{times}{self.ratio:>8.2f}  ({low:.2f} to {high:.2f}){word}"


def _medians(times: list[float], calls: int) -> list[float]:
    return [statistics.median(times[at : at + calls]) for at in range(0, len(times), calls)]
