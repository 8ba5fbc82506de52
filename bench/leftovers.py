"""What a bench started and did not end: found by a mark in its environment, which children keep.

Rivals start daemons and browsers in process groups of their own, so a group is not enough.
"""

from __future__ import annotations

import os
import signal
import uuid
from pathlib import Path

__all__ = ["MARK", "end_leftovers", "marked"]

MARK = "TABWARDEN_BENCH_RUN"


def marked() -> str:
    """This process's mark, made if it has none; what it starts from now on has it, too."""
    return os.environ.setdefault(MARK, uuid.uuid4().hex)


def end_leftovers(mark: str) -> int:
    """Kill every other process with the mark; how many there were. Linux only: else none."""
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
            continue  # gone meanwhile, or another user's
    return ended
