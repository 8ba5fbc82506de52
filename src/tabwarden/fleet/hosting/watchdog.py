"""The watchdog: a process that kills the browsers whose leases have run out.

Run it as ``python -I -S -E watchdog.py``. It imports only the standard library. The host writes
lines to its standard input: ``hold PID START UNTIL`` gives a browser time until UNTIL (seconds of
``CLOCK_BOOTTIME``), ``drop PID`` forgets it. So a host that hangs can't keep a browser past its
lease. If the host ends, the input ends, and the watchdog kills all browsers at once.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time


def now() -> float:
    """Return seconds since some fixed time, the same for all processes of this machine. It is the
    clock that leases run by: it also runs while the machine is suspended."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def start_time(pid: int) -> str:
    """Return when a process started, in the system's units: another process that gets the same id
    later has another start time. "" if the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""


def is_same(pid: int, started: str) -> bool:
    """Whether a process id still stands for the browser that started then, or for what it left: no
    new process gets the id of a process group in which any process remains."""
    return start_time(pid) in ("", started)


class Watchdog:
    """Keeps the time limits of browsers. It does no I/O except to kill."""

    def __init__(self) -> None:
        self.until: dict[int, tuple[str, float]] = {}

    def hear(self, line: str) -> None:
        """Obey one line; ignore a line that is not one of ours."""
        word, *rest = line.split()
        if word == "hold":
            pid, started, until = rest
            self.until[int(pid)] = (started, float(until))
        elif word == "drop":
            self.until.pop(int(rest[0]), None)

    def wait_s(self, at: float) -> float | None:
        """Return the seconds until the first limit; None if there is no browser."""
        limits = [until for _, until in self.until.values()]
        return max(0.0, min(limits) - at) if limits else None

    def overdue(self, at: float) -> list[int]:
        """Return the browsers to kill, and forget them."""
        late = [pid for pid, (_, until) in self.until.items() if until <= at]
        return [pid for pid in late if is_same(pid, self.until.pop(pid)[0])]


def kill(pid: int) -> None:
    """Kill a browser with its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends with its host
    watchdog, rest = Watchdog(), b""
    while True:
        readable, _, _ = select.select([0], [], [], watchdog.wait_s(now()))
        if readable:
            data = os.read(0, 65536)
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                with contextlib.suppress(ValueError, IndexError):
                    watchdog.hear(line.decode())
        for pid in watchdog.overdue(now()):
            kill(pid)
    for pid, (started, _) in watchdog.until.items():
        if is_same(pid, started):
            kill(pid)


if __name__ == "__main__":
    main()
