"""Placement: choose the host for a new task."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heapify, heappop, heapreplace
from typing import NamedTuple

_STARTING_TASK_MB = 200
"""The memory that a browser uses soon after it starts, in MB. The host's report does not include
this memory until the next heartbeat.
"""


class Place(NamedTuple):
    """The free places, warm browsers and memory of a host."""

    host_id: str
    free: int
    """How many more browsers the host can run."""
    max_tasks: int
    warm: int
    """How many warm browsers the host has, minus the number of tasks placed there since its last
    report.
    """
    free_memory_mb: int | None
    """Available memory; None if unknown."""
    placed: int
    """How many tasks were placed on the host since its last report."""
    is_late: bool
    """Whether the host's heartbeats are missing: it might be dead."""


class Ranking:
    """The hosts that have a place, best first, until their reports change.

    Late hosts come last. Among the others, hosts with a warm browser come first; within each group,
    the largest share of free places decides. The order of equal hosts depends only on their IDs, so
    that a replay gives the same result.

    Args:
        places: what each host offers.
        min_free_memory_mb: a host with less available memory gets no task.
    """

    def __init__(self, places: Iterable[Place], min_free_memory_mb: int) -> None:
        self._min_free_memory_mb = min_free_memory_mb
        self._heap = [_ranked(place) for place in places if self._bears(place)]
        heapify(self._heap)

    def take(self) -> str | None:
        """Return the host for one more task, and count the task as placed there; None if no host
        has a free place.
        """
        if not self._heap:
            return None
        best = self._heap[0].place
        after = best._replace(free=best.free - 1, warm=best.warm - 1, placed=best.placed + 1)
        if self._bears(after):
            heapreplace(self._heap, _ranked(after))
        else:
            heappop(self._heap)
        return best.host_id

    def _bears(self, place: Place) -> bool:
        if place.free <= 0:
            return False
        if place.free_memory_mb is None:
            return True
        return place.free_memory_mb - place.placed * _STARTING_TASK_MB >= self._min_free_memory_mb


class _Ranked(NamedTuple):
    is_late: bool
    is_cold: bool
    taken: float
    """The share of the host's places that are taken."""
    host_id: str
    place: Place


def _ranked(place: Place) -> _Ranked:
    taken = 1 - place.free / place.max_tasks
    return _Ranked(place.is_late, place.warm <= 0, taken, place.host_id, place)
