"""The clock that leases run by. It also runs while the machine is suspended."""

from __future__ import annotations

import time


def now() -> float:
    """Return seconds since some fixed time, the same for all processes of this machine."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()
