"""Measure the free memory on this machine or in this container, and the memory that browsers
use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path

_MB = 1 << 20
_ROOT = Path("/")


def free_memory_mb(root: Path = _ROOT) -> float | None:
    """Return how much memory new processes can use before the machine swaps, in MB.

    This is the smallest of the machine's available memory and the memory left below the limits of
    this process's control groups (version 2, or version 1 in older containers). Memory for files
    that the kernel can drop counts as free.

    Args:
        root: the folder with ``proc`` and ``sys``; tests use another folder.

    Returns:
        A number of at least 0; None if the system does not report its memory (systems other than
        Linux).
    """
    candidates = [*_machine(root), *_groups_v2(root), *_groups_v1(root)]
    return max(0.0, min(candidates)) if candidates else None


def memory_of_trees(pids: Collection[int], root: Path = _ROOT) -> dict[int, int]:
    """Return how much memory each process tree uses, in bytes.

    Shared memory is divided among its processes (PSS), so the sum over all browsers is correct. If
    the system does not report a process's PSS, all of its resident memory counts. This function
    reads a few files for each process on the machine, so call it on a thread that may block.

    Args:
        pids: the first process of each tree. Processes that have exited use no memory.
        root: the folder with ``proc``; tests use another folder.
    """
    children: defaultdict[int, list[int]] = defaultdict(list)
    for folder in (root / "proc").glob("[0-9]*") if pids else ():
        stat = "".join(_lines(folder / "stat"))
        after_name = stat.rpartition(")")[2].split()
        if len(after_name) > 1:
            children[int(after_name[1])].append(int(folder.name))
    return {pid: sum(_taken(root, one) for one in _tree(pid, children)) for pid in pids}


def _tree(pid: int, children: dict[int, list[int]]) -> Iterator[int]:
    yield pid
    for child in children.get(pid, ()):
        yield from _tree(child, children)


def _taken(root: Path, pid: int) -> int:
    kb = _numbers(root / f"proc/{pid}/smaps_rollup").get("Pss:")
    if kb is None:
        kb = _numbers(root / f"proc/{pid}/status").get("VmRSS:", 0)
    return kb * 1024


def _machine(root: Path) -> Iterator[float]:
    kb = _numbers(root / "proc/meminfo").get("MemAvailable:")
    if kb is not None:
        yield kb * 1024 / _MB


def _groups_v2(root: Path) -> Iterator[float]:
    for folder in _folders(root, root / "sys/fs/cgroup", ""):
        yield from _left(folder, "memory.max", "memory.current", "inactive_file")


def _groups_v1(root: Path) -> Iterator[float]:
    for folder in _folders(root, root / "sys/fs/cgroup/memory", "memory"):
        yield from _left(
            folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
        )


def _folders(root: Path, mounted: Path, controller: str) -> Iterator[Path]:
    """Yield the folders of this process's control groups, any of which may contain the limit. In a
    container, the process's path may not exist below the mount point; in that case, yield only the
    top folder.
    """
    for line in _lines(root / "proc/self/cgroup"):
        _, controllers, path = (*line.split(":", 2), "", "")[:3]
        if controller not in controllers.split(","):
            continue
        folder = mounted / path.strip().lstrip("/")
        while folder != mounted and mounted in folder.parents:
            yield folder
            folder = folder.parent
        yield mounted


def _left(folder: Path, limit: str, used: str, droppable: str) -> Iterator[float]:
    most, now = _number(folder / limit), _number(folder / used)
    if most is not None and now is not None:
        yield (most - now + _numbers(folder / "memory.stat").get(droppable, 0)) / _MB


def _number(path: Path) -> int | None:
    """Return the number in a file; None if the file has no number, such as ``max``."""
    text = "".join(_lines(path)).strip()
    return int(text) if text.isdecimal() else None


def _numbers(path: Path) -> dict[str, int]:
    pairs = (line.split() for line in _lines(path))
    return {words[0]: int(words[1]) for words in pairs if len(words) > 1 and words[1].isdecimal()}


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("ascii", "replace").splitlines()
    except OSError:
        return []
