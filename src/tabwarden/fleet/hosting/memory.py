"""How many browsers a machine can bear."""

from __future__ import annotations

import os

from tabwarden.memory import free_memory_mb

_TASK_MB = 400
_TASKS_PER_PROCESSOR = 4


def bearable_tasks() -> int:
    """Return how many browsers this machine can bear at a time, by its memory and processors."""
    free = free_memory_mb()
    by_processor = max(1, (os.cpu_count() or 1) * _TASKS_PER_PROCESSOR)
    return by_processor if free is None else max(1, min(by_processor, int(free / _TASK_MB)))
