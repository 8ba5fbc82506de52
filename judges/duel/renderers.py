"""Finds the renderer processes of a tool's browser by a mark in the tool's environment.

Linux only.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

from bench.leftovers import MARK

__all__ = ["kill_renderers"]


def kill_renderers(mark: str) -> int:
    """Kill the renderers of every browser with the mark, except those of a tool's own extension.
    Return their number."""
    parents, marked, pages = {}, set(), []
    needle = f"{MARK}={mark}\0".encode()
    for process in Path("/proc").glob("[0-9]*"):
        pid = int(process.name)
        try:
            parents[pid] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if needle in (process / "environ").read_bytes() + b"\0":
                marked.add(pid)
            command = (process / "cmdline").read_bytes()
            if b"--type=renderer" in command and b"--extension-process" not in command:
                pages.append(pid)
        except OSError:
            continue  # it has just ended, or it is another user's
    theirs = [pid for pid in pages if _has_ancestor(pid, marked, parents)]
    for pid in theirs:
        os.kill(pid, signal.SIGKILL)
    return len(theirs)


def _has_ancestor(pid: int, marked: set[int], parents: dict[int, int]) -> bool:
    while pid:
        if pid in marked:
            return True
        pid = parents.get(pid, 0)
    return False
