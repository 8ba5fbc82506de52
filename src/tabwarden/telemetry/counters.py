"""One task's counters."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tabwarden.telemetry.definitions import METRICS, Metric

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Histogram buckets in seconds: from a click on a static page to the longest budgets."""

_METRICS = {metric.key: metric for metric in METRICS}


class Sample(NamedTuple):
    metric: Metric
    name: str
    labels: tuple[tuple[str, str], ...]
    value: float


class Counters:
    """One task's counters, read as Prometheus samples. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[tuple[str, tuple[str, ...]], float] = {}
        self._durations: dict[tuple[str, tuple[str, ...]], tuple[list[int], float]] = {}
        """For each histogram and its labels: the values in each bucket, and their sum."""
        self._gauges: dict[str, Callable[[], float]] = {}
        self._counts.update({(m.key, ()): 0 for m in METRICS if not m.labels})

    def count(self, key: str, *labels: str) -> None:
        with self._lock:
            self._counts[key, labels] = self._counts.get((key, labels), 0) + 1

    def observe(self, key: str, seconds: float, *labels: str) -> None:
        with self._lock:
            buckets, total = self._durations.get((key, labels)) or ([0] * (len(BUCKETS) + 1), 0.0)
            buckets[bisect_left(BUCKETS, seconds)] += 1
            self._durations[key, labels] = (buckets, total + seconds)

    def gauge(self, key: str, read: Callable[[], float]) -> None:
        """Set the function that returns a gauge's value."""
        self._gauges[key] = read

    def samples(self) -> Iterator[Sample]:
        with self._lock:
            counts = dict(self._counts)
            durations = {
                key: (list(buckets), total) for key, (buckets, total) in self._durations.items()
            }
        for (key, values), count in counts.items():
            metric = _METRICS[key]
            if metric.kind == "counter":
                yield Sample(metric, f"{metric.name}_total", _named(metric, values), count)
        for key, read in self._gauges.items():
            yield Sample(_METRICS[key], _METRICS[key].name, (), read())
        for (key, values), (buckets, total) in durations.items():
            metric, labels, below = _METRICS[key], _named(_METRICS[key], values), 0
            for bound, number in zip((*map(str, BUCKETS), "+Inf"), buckets, strict=True):
                below += number
                yield Sample(metric, f"{metric.name}_bucket", (*labels, ("le", bound)), below)
            yield Sample(metric, f"{metric.name}_count", labels, below)
            yield Sample(metric, f"{metric.name}_sum", labels, total)


def _named(metric: Metric, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple(zip(metric.labels, values, strict=True))
