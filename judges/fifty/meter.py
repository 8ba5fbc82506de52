"""Measures a tool's processes: all processes that this process started, and their children.

``adopt_orphans`` makes this process the parent of orphaned processes, such as daemons.
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
"""Fields in the first line of /proc/stat: idle and I/O wait, and the end of the fields to count."""
_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _USER, _LAST = 1, 11, 15
"""Fields in /proc/PID/stat after the name: the parent; user and system time, also of children."""


def adopt_orphans() -> None:
    """Become the parent of processes whose parent has ended.

    Raises:
        OSError: the system does not support this (it is not Linux).
    """
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def memory_mb() -> float:
    """Return the memory of all processes. Shared memory is counted proportionally."""
    return sum(memory_of_trees(_children(_stats())).values()) / 2**20


def cpu_s() -> float:
    """Return the processor time of all processes, including ended ones."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    stats = _stats()
    ticks = sum(sum(map(int, stats[pid][_USER:_LAST])) for pid in _below(stats))
    return ended.ru_utime + ended.ru_stime + ticks / _TICKS


def others_cpu_s() -> float:
    """Return the processor time of all other programs on this machine since its start, and of its
    kernel, without this process and those that ``cpu_s`` counts.
    """
    fields = [int(one) for one in Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
    busy = sum(fields[:_STOLEN]) - sum(fields[_IDLE])
    return busy / _TICKS - cpu_s() - time.process_time()


def end_all() -> int:
    """Kill the remaining processes, and wait for their end. Return their number. Nothing else may
    wait for a process in the meantime, so no event loop may run.
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
    """Return all processes that this process started or adopted, and their children."""
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
    """Return each process's fields after its name. The first is its state."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                found[int(folder.name)] = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended
                continue
    return found
