"""The process's metrics: the sums over all tasks, including ended tasks."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from tabwarden.telemetry.definitions import METRICS
from tabwarden.telemetry.servers import ServerTotals

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import Metric as Family

    from tabwarden.telemetry.counters import Counters

_Sums = dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]]
"""Sums by metric, then by a sample's name and labels."""

_lock = threading.Lock()
_running: list[Counters] = []
_ended: _Sums = defaultdict(dict)


def add(counters: Counters) -> None:
    with _lock:
        _running.append(counters)


def retire(counters: Counters) -> None:
    """Remove an ended task's counters. The totals keep its counts, but not its gauges."""
    with _lock:
        if counters in _running:
            _running.remove(counters)
            _add_up(_ended, counters, gauges=False)


def render() -> tuple[bytes, str]:
    """Return the body and content type of ``/metrics``. Thread-safe. Never waits for a browser, but
    reads files about its processes, which takes some milliseconds per browser.
    """
    from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

    return generate_latest(_registry()), CONTENT_TYPE_LATEST


@cache
def _registry() -> CollectorRegistry:
    from prometheus_client import CollectorRegistry

    registry = CollectorRegistry()
    registry.register(_Totals())
    registry.register(ServerTotals())
    return registry


class _Totals:
    """A collector that computes the sums on demand."""

    def collect(self) -> Iterator[Family]:
        from prometheus_client.core import Metric as Family

        with _lock:
            sums: _Sums = defaultdict(dict, {key: dict(of) for key, of in _ended.items()})
            for counters in _running:
                _add_up(sums, counters, gauges=True)
        for metric in METRICS:
            family = Family(metric.name, metric.words, metric.kind)
            for (name, labels), value in sums[metric.key].items():
                family.add_sample(name, dict(labels), value)
            if not metric.labels and not family.samples:
                total = "_total" if metric.kind == "counter" else ""
                family.add_sample(f"{metric.name}{total}", {}, 0)
            yield family


def _add_up(sums: _Sums, counters: Counters, *, gauges: bool) -> None:
    for metric, name, labels, value in counters.samples():
        if gauges or metric.kind != "gauge":
            of = sums[metric.key]
            of[name, labels] = of.get((name, labels), 0) + value
