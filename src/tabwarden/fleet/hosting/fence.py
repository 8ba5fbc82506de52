"""The fence: lets a browser work only while this host is certain to hold the browser's lease.

A lease is valid until ``lease_s`` after this host, or its watchdog, *sent* the message that renewed
it. After that, ``allows`` refuses every message, and the watchdog kills the browser, even if this
process hangs. The coordinator gives the task to another host only after that (``leasing``).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tabwarden.fleet import watchdog
from tabwarden.fleet.leasing.values import Registered
from tabwarden.fleet.watchdog import now, pulse_key, start_time

_ENDED = "-"
"""Used as the start time of a browser that has exited on its own."""


class _Held(NamedTuple):
    generation: int
    pid: int
    granted: float


class Fence:
    """Tracks whether the leases on this host are valid. Create and use it on one event loop.

    Attributes:
        nearly_late: how many renewals arrived when the browsers had little time left.
    """

    def __init__(self) -> None:
        self.nearly_late = 0
        self._since = self._until = float("-inf")
        self._held: dict[str, _Held] = {}
        self._pending: dict[int, asyncio.Future[bool]] = {}
        """The browsers that the watchdog does not guard yet."""
        self._rest = b""
        self._gone = asyncio.Event()
        self._watchdog = subprocess.Popen(
            (sys.executable, "-I", "-S", "-E", str(Path(watchdog.__file__))),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        assert self._watchdog.stdout is not None
        self._answers = self._watchdog.stdout.fileno()
        os.set_blocking(self._answers, False)
        asyncio.get_running_loop().add_reader(self._answers, self._hear)

    def agree(self, terms: Registered, host_id: str, ticket_key: bytes) -> None:
        """Let the watchdog renew the leases under the coordinator's terms."""
        key = pulse_key(ticket_key).hex()
        name = host_id.encode().hex()
        host, _, port = terms.pulses.rpartition(":")
        self._tell(f"terms {terms.lease_s} {terms.heartbeat_s} {key} {name} {host} {port}")

    def renew(self, sent: float) -> None:
        """Extend the leases, because the coordinator has replied to the heartbeat that this host
        sent at ``sent``. If the reply arrives too late, the watchdog still kills the browsers.
        """
        self._tell(f"renew {sent!r}")

    async def hold(self, task: str, generation: int, pid: int, granted: float) -> bool:
        """Let a task's browser work, and let the watchdog guard it. Return False if the lease has
        expired.

        Args:
            granted: when the heartbeat whose answer granted the lease to this host was sent.
        """
        future: asyncio.Future[bool]
        future = self._pending[pid] = asyncio.get_running_loop().create_future()
        if self._gone.is_set():
            future.set_result(False)
        self._tell(f"hold {pid} {start_time(pid) or _ENDED} {granted!r}")
        try:
            is_held = await future
        finally:
            del self._pending[pid]
        if is_held:
            self._held[task] = _Held(generation, pid, granted)
        return is_held

    def drop(self, task: str, generation: int) -> None:
        """Forget a task whose browser has been closed. If the task has a newer generation here, do
        nothing.
        """
        held = self._held.get(task)
        if held is not None and held.generation == generation:
            del self._held[task]
            self._tell(f"drop {held.pid}")

    def allows(self, task: str, generation: int) -> bool:
        """Whether a task's browser may work now under this generation of the task's lease."""
        held = self._held.get(task)
        return held is not None and held.generation == generation and self._is_in_time(held)

    def expired(self) -> list[tuple[str, int]]:
        """Return the tasks whose leases have expired, with their generations."""
        return [(t, one.generation) for t, one in self._held.items() if not self._is_in_time(one)]

    async def watchdog_ended(self) -> None:
        """Wait until the watchdog has exited. Without it, no browser may run."""
        await self._gone.wait()

    async def close(self) -> None:
        """Stop the watchdog, which kills the remaining browsers."""
        assert self._watchdog.stdin is not None
        assert self._watchdog.stdout is not None
        self._watchdog.stdin.close()
        await self._gone.wait()
        await asyncio.to_thread(self._watchdog.wait)
        self._watchdog.stdout.close()

    def _is_in_time(self, held: _Held) -> bool:
        if now() >= self._until:
            self._hear()  # this process might have stalled while the watchdog did not
        return self._since <= held.granted and now() < self._until

    def _hear(self) -> None:
        """Read the watchdog's output."""
        while not self._gone.is_set():
            try:
                data = os.read(self._answers, 65536)
            except BlockingIOError:
                return
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                self._obey(*line.decode().split())
            if not data:
                asyncio.get_running_loop().remove_reader(self._answers)
                self._gone.set()
                for future in self._pending.values():
                    _settle(future, is_held=False)

    def _obey(self, word: str, *rest: str) -> None:
        if word == "time":
            self._since, self._until = float(rest[0]), float(rest[1])
            self.nearly_late = int(rest[2])
        elif (future := self._pending.get(int(rest[0]))) is not None:
            _settle(future, is_held=word == "held")

    def _tell(self, line: str) -> None:
        assert self._watchdog.stdin is not None
        # the watchdog has exited: ``watchdog_ended`` informs the host
        with contextlib.suppress(OSError):
            self._watchdog.stdin.write(f"{line}\n".encode())


def _settle(future: asyncio.Future[bool], *, is_held: bool) -> None:
    if not future.done():
        future.set_result(is_held)
