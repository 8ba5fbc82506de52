"""The metrics of a process and its servers: memory, waiting tasks, refused calls."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING
from weakref import WeakSet

from tabwarden.memory import free_memory_mb, memory_of_trees
from tabwarden.telemetry.definitions import FLEET_METRICS, SERVER_METRICS

if TYPE_CHECKING:
    from prometheus_client.core import Metric as Family

_MB = 1 << 20
_lock = threading.Lock()
_servers: WeakSet[ServerTelemetry] = WeakSet()
_browsers: dict[object, tuple[str, int]] = {}
"""The task and the process id of each running browser, by the browser's owner."""


class ServerTelemetry:
    """Counts the calls that one server refuses, for as long as the server exists.

    Args:
        opening: returns how many tasks are waiting for their browser. Any thread may call it.
    """

    def __init__(self, opening: Callable[[], int]) -> None:
        self.opening = opening
        self.refusals: Counter[str] = Counter()
        with _lock:
            _servers.add(self)

    def refused(self, reason: str) -> None:
        """Record that a call could not open a browser; ``reason`` has only a few possible
        values.
        """
        self.refusals[reason] += 1


def runs(owner: object, task: str, pid: int) -> None:
    """Record that a task's browser is running with this process id, until ``ended`` is called."""
    with _lock:
        _browsers[owner] = (task, pid)


def ended(owner: object) -> None:
    with _lock:
        _browsers.pop(owner, None)


Values = Mapping[str, Mapping[tuple[str, ...], float]]
"""Values by the metric's key, then by its label values."""
_fleet: list[Callable[[], Values]] = []


def read_fleet_with(read: Callable[[], Values]) -> None:
    """Add a fleet's metrics (``FLEET_METRICS``) to ``/metrics``.

    Args:
        read: returns the values. It may take some seconds, and any thread may call it.
    """
    _fleet[:] = [read]


class ServerTotals:
    """A collector that reads the values on demand."""

    def collect(self) -> Iterator[Family]:
        from prometheus_client.core import Metric as Family

        values = dict(_values())
        for read in _fleet:
            values.update(read())
        for metric in (*SERVER_METRICS, *FLEET_METRICS):
            if metric.key not in values:
                continue
            family = Family(metric.name, metric.words, metric.kind)
            suffix = "_total" if metric.kind == "counter" else ""
            for labels, value in values[metric.key].items():
                named = dict(zip(metric.labels, labels, strict=True))
                family.add_sample(f"{metric.name}{suffix}", named, value)
            yield family


def _values() -> Values:
    with _lock:
        servers, browsers = list(_servers), list(_browsers.values())
    taken = memory_of_trees([pid for _, pid in browsers])
    memory: Counter[tuple[str, ...]] = Counter()
    for task, pid in browsers:
        if taken[pid]:
            memory[task,] += taken[pid]
    free = free_memory_mb()
    refusals = sum((server.refusals for server in servers), Counter[str]())
    return {
        "browser_memory": memory,
        "free_memory": {} if free is None else {(): free * _MB},
        "opening_tasks": {(): sum(server.opening() for server in servers)},
        "refused_tasks": {(reason,): number for reason, number in refusals.items()},
    }
