"""How much memory new browsers may take on this machine."""

from __future__ import annotations

import os
from pathlib import Path


def free_memory_mb() -> int | None:
    """Return the available memory in MB; None if the system doesn't tell."""
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            name, _, rest = line.partition(":")
            if name == "MemAvailable":
                return int(rest.split()[0]) // 1024
    except (OSError, ValueError, IndexError):
        return None
    return None


_TASK_MB = 400
_TASKS_PER_PROCESSOR = 4


def bearable_tasks() -> int:
    """Return how many browsers this machine can bear at a time, by its memory and processors."""
    free = free_memory_mb()
    by_processor = max(1, (os.cpu_count() or 1) * _TASKS_PER_PROCESSOR)
    return by_processor if free is None else max(1, min(by_processor, free // _TASK_MB))
