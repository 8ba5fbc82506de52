"""Finds the processes that a bench has left running, by a mark in their environment, which children
inherit. Rivals start daemons and browsers in separate process groups, so a group is not enough.
"""

from __future__ import annotations

import os
import signal
import uuid
from pathlib import Path

__all__ = ["MARK", "end_leftovers", "marked"]

MARK = "TABWARDEN_BENCH_RUN"


def marked() -> str:
    """Return this process's mark; create it if necessary. Processes started later inherit the
    mark."""
    return os.environ.setdefault(MARK, uuid.uuid4().hex)


def end_leftovers(mark: str) -> int:
    """Kill every other process with the mark. Return their number; 0 on systems other than
    Linux."""
    needle = f"{MARK}={mark}\0".encode()
    ended = 0
    for process in Path("/proc").glob("[0-9]*"):
        pid = int(process.name)
        if pid in (os.getpid(), os.getppid()):
            continue
        try:
            if needle in (process / "environ").read_bytes() + b"\0":
                os.kill(pid, signal.SIGKILL)
                ended += 1
        except OSError:
            continue  # ended in the meantime, or another user's
    return ended
