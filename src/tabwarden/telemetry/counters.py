"""One task's counters, in a separate registry of the Prometheus client.

Importing the client takes about 50 ms, so this module is imported only when a task starts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from tabwarden.telemetry.definitions import METRICS, Metric

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""Histogram buckets in seconds: from a click on a static page to the longest budgets."""


class Sample(NamedTuple):
    metric: Metric
    name: str
    labels: tuple[tuple[str, str], ...]
    value: float


class Counters:
    """One task's counters. Thread-safe."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._made: dict[str, Any] = {metric.key: self._make(metric) for metric in METRICS}
        self._children: dict[tuple[str, tuple[str, ...]], Any] = {}

    def _make(self, metric: Metric) -> Counter | Histogram | Gauge:
        about = (metric.name, metric.words, metric.labels)
        match metric.kind:
            case "counter":
                return Counter(*about, registry=self._registry)
            case "histogram":
                return Histogram(*about, registry=self._registry, buckets=BUCKETS)
            case "gauge":
                return Gauge(*about, registry=self._registry)

    def count(self, key: str, *labels: str) -> None:
        self._child(key, labels).inc()

    def observe(self, key: str, seconds: float, *labels: str) -> None:
        self._child(key, labels).observe(seconds)

    def _child(self, key: str, labels: tuple[str, ...]) -> Any:
        child = self._children.get((key, labels))
        if child is None:
            made = self._made[key]
            child = self._children[key, labels] = made.labels(*labels) if labels else made
        return child

    def gauge(self, key: str, read: Callable[[], float]) -> None:
        """Set the function that returns a gauge's value."""
        self._made[key].set_function(read)

    def samples(self) -> Iterator[Sample]:
        kinds = {metric.name: metric for metric in METRICS}
        for family in self._registry.collect():
            for sample in family.samples:
                if not sample.name.endswith("_created"):  # a timestamp, different in each task
                    labels = tuple(sample.labels.items())
                    yield Sample(kinds[family.name], sample.name, labels, sample.value)
