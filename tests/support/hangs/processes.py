"""The processes of a browser that a test launched, on Linux."""

from __future__ import annotations

import resource
from pathlib import Path

import tabwarden
from tabwarden.sync import Browser

__all__ = ["browser_processes", "limit_memory", "renderers"]

_ROOM = 300 * 1024 * 1024


def browser_processes(browser: Browser) -> list[int]:
    """The browser's own process and all its descendants."""
    supervisor = tabwarden.browser.opening.registry.get(browser.task_id)
    assert supervisor is not None
    assert supervisor.opened is not None
    assert supervisor.opened.launched is not None
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:  # it has just ended
            continue
        parent = int(text.rpartition(")")[2].split()[1])
        parents.setdefault(parent, []).append(int(stat.parent.name))
    found, queue = [], [supervisor.opened.launched.pid]
    while queue:
        pid = queue.pop()
        found.append(pid)
        queue += parents.get(pid, [])
    return found


def renderers(browser: Browser) -> list[int]:
    """The processes that run pages."""
    return [pid for pid in browser_processes(browser) if b"--type=renderer" in _command(pid)]


def limit_memory(browser: Browser) -> None:
    """Limit the renderers' memory to little more than now, so that a growing one crashes soon."""
    for pid in renderers(browser):
        try:
            status = Path(f"/proc/{pid}/status").read_text()
            data = next(line for line in status.splitlines() if line.startswith("VmData"))
            limit = int(data.split()[1]) * 1024 + _ROOM
            resource.prlimit(pid, resource.RLIMIT_DATA, (limit, limit))
        except OSError:  # it has just ended
            continue


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
