"""How many browsers a machine can run."""

from __future__ import annotations

import os

from tabwarden.memory import free_memory_mb

_PLANNED_TASK_MB = 400
_TASKS_PER_PROCESSOR = 4


def default_max_tasks() -> int:
    """Return how many browsers this machine can run at a time, based on its memory and
    processors.
    """
    return tasks_for(free_memory_mb(), os.cpu_count())


def tasks_for(free_mb: float | None, processors: int | None) -> int:
    """Return how many browsers a machine can run. Pass None for values that the system does not
    report."""
    by_processor = (processors or 1) * _TASKS_PER_PROCESSOR
    return (
        by_processor
        if free_mb is None
        else max(1, min(by_processor, int(free_mb / _PLANNED_TASK_MB)))
    )
