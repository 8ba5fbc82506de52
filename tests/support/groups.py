"""Process groups on Linux: every browser is one."""

from __future__ import annotations

from pathlib import Path

__all__ = ["browsers_of", "is_running", "running_in_group"]


def is_running(pid: int) -> bool:
    """Whether a process runs. A zombie does not."""
    fields = _fields(Path(f"/proc/{pid}/stat"))
    return bool(fields) and fields[0] not in "ZX"


def running_in_group(group: int) -> list[int]:
    """Return the running processes of a group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        fields = _fields(stat)
        if fields and fields[0] not in "ZX" and int(fields[2]) == group:
            found.append(int(stat.parent.name))
    return found


def browsers_of(pid: int) -> list[int]:
    """Return the running browsers that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        fields = _fields(stat)
        if fields and fields[0] not in "ZX" and int(fields[1]) == pid:
            command = stat.with_name("cmdline").read_bytes()
            if b"--remote-debugging-" in command:
                found.append(int(stat.parent.name))
    return found


def _fields(stat: Path) -> list[str]:
    """Return the fields after a process's name: its state, parent, group, and more."""
    try:
        return stat.read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return []
