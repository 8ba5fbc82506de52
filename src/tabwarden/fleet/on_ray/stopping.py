"""Stopping: end the processes of one Ray cluster on this machine.

``ray stop`` would end every Ray on the machine, also those of other clusters and in containers, and
any program whose command line has a word like ``monitor.py``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ray._common.utils import get_default_system_temp_dir, reset_ray_address

from tabwarden.fleet.on_ray.timing import DIES_S


def last_session() -> str | None:
    """Return the name of the cluster's session that this machine joined last; None if none."""
    latest = Path(get_default_system_temp_dir()) / "ray" / "session_latest"
    return latest.resolve().name if latest.exists() else None


def end_session(session: str) -> None:
    """Kill the processes of a session on this machine, and all that they have started.

    Every node of a cluster has the same session, and Ray names it in the command line of each
    process but the workers, which the raylet starts.

    Args:
        session: ``session_`` and a time.
    """
    ours: set[Any] = set()
    for process in psutil.process_iter(["cmdline"]):
        if any(session in word for word in process.info["cmdline"] or ()) and _is_here(process.pid):
            ours |= {process, *_children_of(process)}
    ours.discard(psutil.Process())
    for process in ours:
        try:
            process.kill()
        except psutil.NoSuchProcess:
            continue
    psutil.wait_procs(ours, timeout=DIES_S)
    reset_ray_address()


def _children_of(process: Any) -> list[Any]:
    try:
        children: list[Any] = process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []
    return children


def _is_here(pid: int) -> bool:
    """Whether a process is not in a container of this machine."""
    try:
        return os.readlink(f"/proc/{pid}/ns/pid") == os.readlink("/proc/self/ns/pid")
    except FileNotFoundError:  # it has ended, or this is not Linux
        return not Path("/proc/self/ns/pid").exists()
