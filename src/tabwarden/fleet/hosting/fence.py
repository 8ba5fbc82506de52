"""The fence: lets a browser work only while this host knows that it holds the browser's lease.

A lease is valid until ``lease_s`` after this host *sent* the heartbeat that renewed it. After that,
``allows`` refuses every message, and the watchdog kills the browser, even if this process hangs.
The coordinator gives the task to another host only later (``leasing``).
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tabwarden.fleet.hosting.watchdog import now, start_time

_WATCHDOG = Path(__file__).with_name("watchdog.py")


class _Held(NamedTuple):
    generation: int
    pid: int
    started: str
    until: float


class Fence:
    """The leases' time limits on this host. Use it on one event loop."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = {}
        self._watchdog = subprocess.Popen(
            (sys.executable, "-I", "-S", "-E", str(_WATCHDOG)),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )

    def hold(self, task: str, generation: int, pid: int, until: float) -> None:
        """Let a task's browser work until ``until`` (``watchdog.now``)."""
        self._held[task] = held = _Held(generation, pid, start_time(pid), until)
        self._tell(f"hold {held.pid} {held.started} {held.until:.6f}")

    def renew(self, task: str, generation: int, until: float) -> None:
        """Extend a task's time. A renewal that arrives late changes nothing."""
        held = self._of(task, generation)
        if held is not None and until > held.until > now():
            self._held[task] = held = held._replace(until=until)
            self._tell(f"hold {held.pid} {held.started} {held.until:.6f}")

    def drop(self, task: str, generation: int) -> None:
        """Forget a task whose browser has ended. A newer generation stays as it is."""
        held = self._of(task, generation)
        if held is not None:
            del self._held[task]
            self._tell(f"drop {held.pid}")

    def allows(self, task: str, generation: int) -> bool:
        """Whether a task's browser may work now, for this generation of its lease."""
        held = self._of(task, generation)
        return held is not None and now() < held.until

    def expired(self) -> list[tuple[str, int]]:
        """Return the tasks whose time is over, with their generations."""
        at = now()
        return [(task, held.generation) for task, held in self._held.items() if held.until <= at]

    async def watchdog_ended(self) -> None:
        """Return when the watchdog is gone: without it, no browser may run."""
        await asyncio.to_thread(self._watchdog.wait)

    def close(self) -> None:
        """End the watchdog, which kills the browsers that are left."""
        if self._watchdog.stdin is not None:
            self._watchdog.stdin.close()
        self._watchdog.wait(timeout=5)

    def _of(self, task: str, generation: int) -> _Held | None:
        held = self._held.get(task)
        return held if held is not None and held.generation == generation else None

    def _tell(self, line: str) -> None:
        assert self._watchdog.stdin is not None
        try:
            self._watchdog.stdin.write(f"{line}\n".encode())
            self._watchdog.stdin.flush()
        except OSError:  # it is gone: ``watchdog_ended`` tells the host
            return
