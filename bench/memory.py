"""Reads the memory use of processes from Linux."""

from __future__ import annotations

import ctypes
import gc
import os
from pathlib import Path

__all__ = ["own_kb", "private_kb"]


def private_kb(pid: int | str = "self") -> float:
    """Return the memory that would be freed if the process ended: its unshared pages."""
    told = Path(f"/proc/{pid}/smaps_rollup").read_text()
    lines = (line.split() for line in told.splitlines())
    return float(sum(int(line[1]) for line in lines if line[0].startswith("Private_")))


def own_kb() -> float:
    """Return this process's memory after a garbage collection and the release of freed pages."""
    gc.collect()
    if os.name == "posix":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
    return private_kb()
