"""The judge: does a series of samples grow? Decided by its slope, never by one number.

The slope is Theil and Sen's: the median of the slopes between all pairs of samples, so that an
odd sample has no say. It counts from the lower end of its confidence interval (Sen 1968): what
noise alone could have made is no growth.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

__all__ = ["FEWEST", "Verdict", "judge", "warmed_up"]

FEWEST = 6
"""Fewer samples than these are not conclusive."""
_Z = 1.645
"""A one-sided confidence of 95 %."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on a series."""

    name: str
    slope: float
    """The rise per round."""
    rise: float
    """The minimum rise over all samples: the lower end of the interval."""
    allowed: float
    """The rise that does not count as a leak."""

    @property
    def grows(self) -> bool:
        """Whether it is a leak."""
        return self.rise > self.allowed


def warmed_up(samples: Sequence[float]) -> Sequence[float]:
    """The samples without the first third, in which caches, pools and ring buffers fill."""
    return samples[len(samples) // 3 :]


def judge(name: str, samples: Sequence[float], allowed: float) -> Verdict:
    """Judge one sample a round.

    Args:
        name: of what was counted.
        samples: in order, as many rounds apart each.
        allowed: how much it may rise over all of them.

    Raises:
        ValueError: there are too few samples.
    """
    n = len(samples)
    if n < FEWEST:
        raise ValueError(f"{n} samples of {name} tell nothing: {FEWEST} are needed")
    slopes = sorted((samples[j] - samples[i]) / (j - i) for i in range(n) for j in range(i + 1, n))
    margin = _Z * math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
    lowest = slopes[max(0, int((len(slopes) - margin) / 2))]
    return Verdict(name, median(slopes), max(0.0, lowest * (n - 1)), allowed)
