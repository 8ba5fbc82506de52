"""Placement: choose the host for a new task."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

_TASK_MB = 200
"""The memory that a browser will take soon after its start, in MB. Until the next heartbeat, the
host's report does not show it."""


class Place(NamedTuple):
    """What a host offers now."""

    host_id: str
    free: int
    """How many more browsers it may have."""
    max_tasks: int
    warm: int
    """How many browsers wait ready on it, less the tasks placed since its last report."""
    free_memory_mb: int | None
    """Available memory; None if unknown."""
    placed: int
    """How many tasks were placed on it since its last report."""


def choose(places: Iterable[Place], min_free_memory_mb: int) -> str | None:
    """Return the host for a task; None if no host has a place.

    A host with a warm browser comes first, then the one with the largest share of free places. The
    order of equal hosts depends only on their ids, so that a replay gives the same result.
    """
    best = max(
        (place for place in places if _bears(place, min_free_memory_mb)),
        key=lambda place: (place.warm > 0, place.free / place.max_tasks, place.host_id),
        default=None,
    )
    return best.host_id if best is not None else None


def _bears(place: Place, min_free_memory_mb: int) -> bool:
    if place.free <= 0:
        return False
    if place.free_memory_mb is None:
        return True
    return place.free_memory_mb - place.placed * _TASK_MB >= min_free_memory_mb
