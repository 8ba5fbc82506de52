"""How much memory new browsers may take on this machine."""

from __future__ import annotations

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
