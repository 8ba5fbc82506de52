"""What a tool's processes take: all that this process started, and their children.

``adopt_orphans`` makes this process the parent of those that a tool leaves behind, such as daemons.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

from tabwarden.memory import memory_of_trees

__all__ = ["adopt_orphans", "cpu_s", "end_all", "memory_mb", "others_cpu_s"]

_PR_SET_CHILD_SUBREAPER = 36
_IDLE = slice(3, 5)
_STOLEN = 8
"""Fields of the first line of /proc/stat: idle and waiting for a disk; the end of what to count."""
_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _USER, _LAST = 1, 11, 15
"""Fields of /proc/PID/stat after the name: the parent; user, system, and the same of children."""


def adopt_orphans() -> None:
    """Become the parent of processes whose own parent ends.

    Raises:
        OSError: this system has no such thing (it is not Linux).
    """
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def memory_mb() -> float:
    """The memory of all of them. What they share counts in parts."""
    return sum(memory_of_trees(_children(_stats())).values()) / 2**20


def cpu_s() -> float:
    """The processor time of all of them, also of those that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    stats = _stats()
    ticks = sum(sum(map(int, stats[pid][_USER:_LAST])) for pid in _below(stats))
    return ended.ru_utime + ended.ru_stime + ticks / _TICKS


def others_cpu_s() -> float:
    """The processor time of everything else on this machine since it started, and of its kernel.

    This counts neither this process nor those that ``cpu_s`` counts.
    """
    fields = [int(one) for one in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    busy = sum(fields[:_STOLEN]) - sum(fields[_IDLE])
    return busy / _TICKS - cpu_s() - time.process_time()


def end_all() -> int:
    """Kill those that are still there, and wait for their end; return how many there were.

    Nobody else may wait for a process meanwhile: no event loop may run.
    """
    left = [pid for pid, stat in _stats().items() if pid in _below(_stats()) and stat[0] != "Z"]
    for pid in left:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    return len(left)


def _children(stats: dict[int, list[str]]) -> list[int]:
    return [pid for pid, stat in stats.items() if stat[_PARENT] == str(os.getpid())]


def _below(stats: dict[int, list[str]]) -> set[int]:
    """Every process that this one started or adopted, and theirs."""
    by_parent: dict[int, list[int]] = defaultdict(list)
    for pid, stat in stats.items():
        by_parent[int(stat[_PARENT])].append(pid)
    found: set[int] = set()
    rest = [os.getpid()]
    while rest:
        here = by_parent[rest.pop()]
        found.update(here)
        rest += here
    return found


def _stats() -> dict[int, list[str]]:
    """The fields of each process after its name; the first is its state."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                found[int(folder.name)] = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended
                continue
    return found
