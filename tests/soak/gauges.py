"""The counts between two rounds: everything that a call can leave in or around a process."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import sys
import threading
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

from tabwarden.supervisor.runtime import engine_loop

__all__ = ["ALLOWED", "Sample", "by_type", "descendants", "sample", "settled"]

ALLOWED: dict[str, float] = {
    "rss_kib": 4 * 1024,
    "blocks": 6_000,
    "objects": 30,
    "tasks": 2,
    "futures": 2,
    "descriptors": 2,
    "threads": 2,
    "processes": 2,
    "files": 3,
    "browser_kib": 60 * 1024,
}
"""How much each may rise over a whole run, however long. The browser's memory is not ours, but what
we leave in it is: handles, worlds, scripts. Its own caches need room."""
_SETTLE_S = 5.0
_POLL_S = 0.05


@dataclass(frozen=True)
class Sample:
    """Counts at one moment of rest."""

    rss_kib: int
    """Resident memory of this process."""
    blocks: int
    """Memory blocks that Python has allocated."""
    objects: int
    """Instances of Tabwarden's own classes."""
    tasks: int
    """Tasks on the engine's loop."""
    futures: int
    """Unresolved futures on the engine's loop."""
    descriptors: int
    threads: int
    processes: int
    """Child processes, their descendants, and zombies."""
    files: int
    """Files below the temporary folder and the cache: profiles, downloads, sockets, leases."""
    browser_kib: int
    """Proportional memory of all children."""

    def as_dict(self) -> dict[str, int]:
        return asdict(self)


def sample(folder: Path) -> Sample:
    """Count, at rest.

    Args:
        folder: holds this process's ``TMPDIR`` and caches.
    """
    gc.collect()
    _give_back()
    children = descendants(os.getpid())
    tasks, futures = _on_engine()
    return Sample(
        rss_kib=_rss_kib(),
        blocks=sys.getallocatedblocks(),
        objects=sum(by_type().values()),
        tasks=tasks,
        futures=futures,
        descriptors=len(os.listdir("/proc/self/fd")),
        threads=threading.active_count(),
        processes=len(children),
        files=sum(len(files) for _, _, files in os.walk(folder)),
        browser_kib=sum(map(_pss_kib, children)),
    )


def settled(folder: Path) -> None:
    """Wait for work that ends by itself: until three equal counts in a row, or a few seconds."""
    until = time.monotonic() + _SETTLE_S
    last: list[tuple[object, ...]] = []
    while time.monotonic() < until:
        found = (
            *_on_engine(),
            threading.active_count(),
            len(os.listdir("/proc/self/fd")),
            len(descendants(os.getpid())),
        )
        last = [*last[-2:], found]
        if len(last) == 3 and len(set(last)) == 1:
            return
        time.sleep(_POLL_S)


def by_type() -> Counter[str]:
    """Instances of our own classes that the garbage collector tracks, by class."""
    return Counter(
        f"{kind.__module__}.{kind.__qualname__}"
        for kind in map(type, gc.get_objects())
        if str(kind.__module__).startswith("tabwarden")
    )


def descendants(pid: int) -> list[int]:
    """The number of processes below this one, at any depth."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (parent := _parent(entry)) is not None:
            children.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    left = [pid]
    while left:
        below = children.get(left.pop(), [])
        found += below
        left += below
    return found


def _parent(entry: Path) -> int | None:
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:  # it has ended
        return None


def _give_back() -> None:
    """Return the C library's freed memory to the system, because it is not a leak."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's
    if trim is not None:
        trim(0)


def _rss_kib() -> int:
    return _kib(Path("/proc/self/status"), "VmRSS:")


def _pss_kib(pid: int) -> int:
    try:
        return _kib(Path(f"/proc/{pid}/smaps_rollup"), "Pss:")
    except OSError:  # it has ended, or is a zombie
        return 0


def _kib(path: Path, key: str) -> int:
    for line in path.read_text().splitlines():
        if line.startswith(key):
            return int(line.split()[1])
    return 0


def _on_engine() -> tuple[int, int]:
    """The tasks that run on the loop, and the futures that are waiting."""
    loop = engine_loop().loop

    async def count() -> tuple[int, int]:
        waiting = [
            one
            for one in gc.get_objects()
            if isinstance(one, asyncio.Future) and one.get_loop() is loop and not one.done()
        ]
        tasks = sum(isinstance(one, asyncio.Task) for one in waiting)
        return tasks - 1, len(waiting) - tasks

    return engine_loop().run_sync(count())
