"""The watchdog: a process that tracks how long its host's leases are valid, and kills the browsers
when that time ends.

Run it as ``python -I -S -E watchdog.py``. It imports only the standard library, and does very
little. It therefore meets its deadlines even if the machine is too busy for the host. It renews the
leases itself with *pulses*, small datagrams to which the coordinator replies. It tracks one period
of validity for all of the host's leases. A browser may live as long as this period has not been
interrupted since the heartbeat whose reply granted the lease to the host.

The host writes lines to its standard input, and reads its replies:

- ``terms LEASE_S EVERY_S KEY HOST_ID ADDRESS PORT``: a renewal is valid for LEASE_S. Send a pulse
  to the coordinator every EVERY_S seconds. KEY and HOST_ID are in hexadecimal digits; the last two
  fields can be missing.
- ``renew SENT``: the coordinator has replied to a heartbeat that was sent at SENT.
- ``hold PID START GRANTED``: guard a browser whose lease was granted by the reply to a heartbeat
  sent at GRANTED. The watchdog replies ``held PID`` or ``late PID``.
- ``drop PID``: forget a browser.

After each renewal, ``time SINCE UNTIL NEARLY_LATE`` reports when the time began and when it ends
(seconds of ``now``), and how many renewals were nearly late. If the host exits, the input closes,
and the watchdog kills all browsers at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import select
import signal
import socket
import time

LONGEST = 1_000
"""How many bytes of a datagram we read. The datagrams that we send are shorter."""
_NICENESS = -10
_NEARLY = 0.25
"""A renewal is nearly late if it arrives in the last part of the time; this is that part, as a
fraction.
"""
_AT_ONCE = 100
"""How many replies to read before doing other work, even if they are not from the coordinator."""


def now() -> float:
    """Return the seconds since a fixed point in time, which is the same for all processes on this
    machine. Leases use this clock because it also runs while the machine is suspended.
    """
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


def start_time(pid: int) -> str:
    """Return when a process started, in the system's units; "" if the process has exited. Another
    process that later gets the same ID has another start time.
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        return ""


def is_same(pid: int, started: str) -> bool:
    """Whether a process ID still belongs to the browser that was started at ``start``, or to the
    rest of its process group. No new process gets the ID of a process group that still has a
    process.
    """
    return start_time(pid) in ("", started)


def take_priority() -> None:
    """Raise this process's priority, if the system allows it."""
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)


# -- pulses: HOST_ID NUMBER MAC, and the reply NUMBER MAC ------------------------------------


def pulse_key(ticket_key: bytes) -> bytes:
    """Return the key for a host's pulses. The key can't equal a ticket, because no ticket is an
    authentication code for this text.
    """
    return hmac.new(ticket_key, b"\0pulses", hashlib.sha256).digest()


def pulse(key: bytes, host_id: str, number: int) -> bytes:
    """Return the datagram with which a host's watchdog requests more time."""
    text = f"{host_id} {number}"
    return f"{text} {_code(key, text)}".encode()


def answer(key: bytes, number: int) -> bytes:
    """Return the datagram that grants more time."""
    return f"{number} {_code(key, str(number))}".encode()


def read_pulse(data: bytes) -> tuple[str, int]:
    """Return a datagram's host and number, which are not authenticated yet.

    Raises:
        ValueError: the datagram is not a pulse.
    """
    host_id, number, _ = data.decode().rsplit(" ", 2)
    return host_id, int(number[:20])


def _code(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


# -- the time of a host's leases --------------------------------------------------------------


class Watchdog:
    """Tracks the time of the leases, and the browsers that the watchdog guards. Does no I/O.

    Attributes:
        since: when the heartbeat or pulse that began the current time was sent.
        until: when the time ends.
        held: the browsers' process IDs, with their start times.
        nearly_late: how many renewals arrived when browsers had little time left.
        coordinator: where to send pulses; None for nowhere.
    """

    def __init__(self) -> None:
        self.since = self.until = float("-inf")
        self.held: dict[int, str] = {}
        self.nearly_late = 0
        self.coordinator: tuple[str, int] | None = None
        self._lease_s = self._every_s = 0.0
        self._key, self._host_id = b"", ""
        self._number = 0
        self._pulse_at = float("-inf")
        self._sent: dict[int, float] = {}
        """When the pulses that can still renew the time were sent, by number."""

    def hear(self, line: str, at: float) -> str:
        """Obey a line from the host; return the reply, or "".

        Raises:
            ValueError, IndexError: the line is invalid. Nothing has changed.
        """
        word, *rest = line.split()
        if word == "hold":
            pid, started, granted = int(rest[0]), rest[1], float(rest[2])
            if not self.since <= granted or at >= self.until:
                return f"late {pid}"
            self.held[pid] = started
            return f"held {pid}"
        if word == "drop":
            self.held.pop(int(rest[0]), None)
        elif word == "renew":
            return self.renew(float(rest[0]), at)
        elif word == "terms":
            self._lease_s, self._every_s, self._key = (
                float(rest[0]), float(rest[1]), bytes.fromhex(rest[2]),
            )  # fmt: skip
            self._host_id = bytes.fromhex(rest[3]).decode()
            self.coordinator = (rest[4], int(rest[5])) if len(rest) == 6 else None
        return ""

    def renew(self, sent: float, at: float) -> str:
        """Extend the time because of a message that was sent at ``sent``; return the line for the
        host.

        A renewal that arrives after the time has ended begins a new time, which does not cover
        earlier browsers. Therefore, ``overdue`` must be called first.
        """
        until = sent + self._lease_s
        if until <= max(self.until, at) or (at >= self.until and self.held):
            return ""
        if at >= self.until:
            self.since = sent
        elif self.held and self.until - at < self._lease_s * _NEARLY:
            self.nearly_late += 1
        self.until = until
        return f"time {self.since!r} {self.until!r} {self.nearly_late}"

    def pulse(self, at: float) -> bytes:
        """Return the next pulse."""
        self._sent = {n: sent for n, sent in self._sent.items() if sent + self._lease_s > at}
        self._number += 1
        self._sent[self._number] = at
        self._pulse_at = at + self._every_s
        return pulse(self._key, self._host_id, self._number)

    def answered(self, data: bytes, at: float) -> str:
        """Extend the time because of a reply to a pulse; return the line for the host. The data is
        untrusted.
        """
        number = int(data.split(b" ")[0]) if data[:20].split(b" ")[0].isdigit() else 0
        sent = self._sent.get(number)
        if sent is None or not hmac.compare_digest(data, answer(self._key, number)):
            return ""
        return self.renew(sent, at)

    def wait_s(self, at: float) -> float | None:
        """Return the seconds until the next action; None if there is none."""
        times = [self.until] if self.held else []
        if self.coordinator is not None:
            times.append(self._pulse_at)
        return max(0.0, min(times) - at) if times else None

    def is_pulse_due(self, at: float) -> bool:
        """Whether the next pulse should be sent."""
        return self.coordinator is not None and self._pulse_at <= at

    def overdue(self, at: float) -> list[int]:
        """Return the browsers to kill, and forget them."""
        if at < self.until:
            return []
        late, self.held = self.held, {}
        return [pid for pid, started in late.items() if is_same(pid, started)]


# -- the process ------------------------------------------------------------------------------


def kill(pid: int) -> None:
    """Kill a browser's process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


class _Process:
    def __init__(self) -> None:
        self._watchdog = Watchdog()
        self._rest = b""
        self._connected: tuple[str, int] | None = None
        self._socket: socket.socket | None = None

    def run(self) -> None:
        """Run until standard input closes. Then, or on failure, kill all browsers."""
        try:
            self._work()
        finally:
            for pid, started in self._watchdog.held.items():
                if is_same(pid, started):
                    kill(pid)

    def _work(self) -> None:
        while True:
            inputs = [0] if self._socket is None else [0, self._socket.fileno()]
            readable, _, _ = select.select(inputs, [], [], self._watchdog.wait_s(now()))
            for pid in self._watchdog.overdue(now()):  # before a late reply is read
                kill(pid)
            if self._socket is not None and self._socket.fileno() in readable:
                self._read_answers(self._socket)
            if 0 in readable and not self._read_lines():
                break
            self._connect()
            if self._socket is not None and self._watchdog.is_pulse_due(now()):
                with contextlib.suppress(OSError):  # the next pulse might arrive
                    self._socket.send(self._watchdog.pulse(now()))

    def _read_answers(self, coordinator: socket.socket) -> None:
        with contextlib.suppress(OSError):  # no more datagrams, or the coordinator has exited
            for _ in range(_AT_ONCE):
                self._tell(self._watchdog.answered(coordinator.recv(LONGEST), now()))

    def _read_lines(self) -> bool:
        """Obey the host's lines; return False if the host has exited."""
        data = os.read(0, 65536)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            with contextlib.suppress(ValueError, IndexError):
                self._tell(self._watchdog.hear(line.decode(), now()))
        return bool(data)

    def _tell(self, answer: str) -> None:
        if answer:
            with contextlib.suppress(OSError):  # the host hangs, and the pipe is full
                os.write(1, f"{answer}\n".encode())

    def _connect(self) -> None:
        """Send pulses to the coordinator that the latest ``terms`` line specified."""
        address = self._watchdog.coordinator
        if address == self._connected:
            return
        if self._socket is not None:
            self._socket.close()
        self._socket, self._connected = None, address
        if address is not None:
            family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
            self._socket = socket.socket(family, socket.SOCK_DGRAM)
            self._socket.setblocking(False)
            with contextlib.suppress(OSError):
                self._socket.connect(address)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the watchdog exits with its host
    take_priority()
    os.set_blocking(1, False)
    _Process().run()


if __name__ == "__main__":
    main()
