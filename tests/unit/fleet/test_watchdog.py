"""The watchdog renews the time of its host's leases, and kills the browsers when it is over,
whatever becomes of the host."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.eventually import eventually
from support.groups import is_running
from support.needs import needs

from tabwarden.fleet import watchdog as module
from tabwarden.fleet.watchdog import (
    Watchdog,
    answer,
    now,
    pulse,
    pulse_key,
    read_pulse,
    start_time,
)

LEASE_S, LATER_S = 2.0, 600.0
KEY = pulse_key(b"key")
HOST = "n1-0123"


class Groups:
    """Real processes, each the leader of its own session, like browsers."""

    def __init__(self) -> None:
        self._started: list[subprocess.Popen[str]] = []

    def start(self, *command: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            command, start_new_session=True, stdout=subprocess.PIPE, text=True
        )
        self._started.append(process)
        return process

    def sleeper(self) -> subprocess.Popen[str]:
        return self.start("sleep", "600")

    def orphan(self) -> tuple[subprocess.Popen[str], int]:
        """A group whose leader has ended, and its remaining process."""
        leader = self.start("sh", "-c", "sleep 600 >&- & echo $!")
        assert leader.stdout is not None
        left = int(leader.stdout.readline())
        leader.wait()
        return leader, left

    def end(self) -> None:
        for process in self._started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if process.stdout is not None:
                process.stdout.close()


@pytest.fixture
def groups() -> Iterator[Groups]:
    groups = Groups()
    yield groups
    groups.end()


def terms(lease_s: float, port: str = "") -> str:
    address = f"127.0.0.1 {port}" if port else ""
    return f"terms {lease_s} 0.05 {KEY.hex()} {HOST.encode().hex()} {address}\n"


class Started:
    """The real watchdog as a process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            (sys.executable, "-I", "-S", "-E", module.__file__),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def tell(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def told(self) -> list[str]:
        """The words of its next answer."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().split()

    def begin(self, seconds: float) -> None:
        """Start its lease time for this long."""
        self.tell(f"{terms(seconds)}renew {now()!r}\n")
        assert self.told()[0] == "time"

    def hold(self, pid: int, started: str = "") -> None:
        self.tell(f"hold {pid} {started or start_time(pid)} {now()!r}\n")
        assert self.told() == ["held", str(pid)]

    def end(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def watchdog(groups: Groups) -> Iterator[Started]:
    started = Started()
    yield started
    started.end()


def watching(at: float = 10.0) -> Watchdog:
    """A watchdog whose lease time lasts two seconds from ``at``."""
    dog = Watchdog()
    dog.hear(terms(LEASE_S), at)
    dog.hear(f"renew {at}", at)
    return dog


def test_renewal_extends_the_lease_from_its_send_time() -> None:
    dog = watching(10)
    assert dog.hear("hold 999999999 7 10", 10) == "held 999999999"
    assert dog.wait_s(10) == 2
    assert dog.hear("renew 11", 11.5) == "time 10.0 13.0 0"
    assert (dog.wait_s(12), dog.wait_s(99)) == (1, 0)


def test_older_renewal_never_shortens_the_lease() -> None:
    dog = watching(10)
    dog.hear("renew 11", 11)
    assert dog.hear("renew 10.5", 11.2) == ""
    assert dog.until == 13


def test_watchdog_kills_an_overdue_browser_despite_a_late_renewal(groups: Groups) -> None:
    """Another host may have the lease already."""
    pid = groups.sleeper().pid
    dog = watching(10)
    dog.hear(f"hold {pid} {start_time(pid)} 10", 10)
    assert dog.hear("renew 11", 12.1) == ""
    assert dog.overdue(12.1) == [pid]
    assert dog.hear("renew 11", 12.1) == "time 11.0 13.0 0"


def test_watchdog_rejects_a_browser_leased_before_the_current_period() -> None:
    """It started after the lease time was over: another host may have its lease."""
    dog = watching(10)
    dog.hear("renew 15", 15)
    assert dog.hear("hold 999999999 7 10", 15) == "late 999999999"
    assert dog.hear("hold 999999999 7 15", 15) == "held 999999999"


def test_watchdog_rejects_a_browser_whose_lease_has_expired() -> None:
    dog = watching(10)
    assert dog.hear("hold 999999999 7 10", 12) == "late 999999999"


def test_renewal_is_nearly_late_only_if_a_browser_has_little_time_left() -> None:
    dog = watching(10)
    dog.hear("renew 11.9", 11.9)
    dog.hear("hold 999999999 7 11.9", 11.9)
    dog.hear("renew 13.3", 13.3)
    assert dog.nearly_late == 0
    dog.hear("renew 14", 14.9)
    assert dog.nearly_late == 1


def test_only_a_coordinators_answer_to_a_pulse_renews_the_lease() -> None:
    dog = watching(10)
    assert read_pulse(dog.pulse(11)) == (HOST, 1)
    for wrong in (
        b"", b"1", b"1 ", b"2 " + answer(KEY, 2), answer(pulse_key(b"other"), 1), answer(KEY, 2),
        answer(KEY, 1) + b"0", b"9" * 900, b"\xff\x00",
    ):  # fmt: skip
        assert dog.answered(wrong, 11.1) == ""
    assert dog.answered(answer(KEY, 1), 11.1) == "time 10.0 13.0 0"


def test_slow_pulse_answer_renews_the_lease_from_the_pulses_send_time() -> None:
    """The coordinator's time started when the pulse arrived, which may be long ago."""
    dog = watching(10)
    dog.pulse(10.5)
    dog.hear("hold 999999999 7 10", 10.5)
    assert dog.answered(answer(KEY, 1), 11.9) == "time 10.0 12.5 1"
    dog.pulse(12)
    assert dog.answered(answer(KEY, 2), 12.5) == ""


@pytest.mark.parametrize("name", ["n1", "a name with spaces", "ñ"])
def test_pulse_can_encode_any_host_name(name: str) -> None:
    assert read_pulse(pulse(KEY, name, 7)) == (name, 7)


@pytest.mark.parametrize("data", [b"", b"x", b"a b", b"a b c", b"\xff 1 c"])
def test_decoding_a_pulse_rejects_malformed_data(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_pulse(data)


def test_watchdog_stops_tracking_a_dropped_browser(groups: Groups) -> None:
    pid = groups.sleeper().pid
    dog = watching(10)
    dog.hear(f"hold {pid} {start_time(pid)} 10", 10)
    dog.hear(f"drop {pid}", 10)
    dog.hear(f"drop {pid}", 10)
    assert (dog.wait_s(10), dog.overdue(12)) == (None, [])


def test_watchdog_reports_an_overdue_browser_once(groups: Groups) -> None:
    pid = groups.sleeper().pid
    dog = watching(10)
    dog.hear(f"hold {pid} {start_time(pid)} 10", 10)
    assert dog.overdue(11.9) == []
    assert dog.overdue(12) == [pid]
    assert (dog.overdue(12), dog.wait_s(12)) == ([], None)


@needs("linux")
def test_watchdog_does_not_kill_a_process_that_reused_a_browsers_pid(groups: Groups) -> None:
    pid = groups.sleeper().pid
    dog = watching(10)
    dog.hear(f"hold {pid} {int(start_time(pid)) - 1} 10", 10)
    assert dog.overdue(12) == []


@needs("linux")
def test_watchdog_does_not_kill_a_process_with_an_unknown_start_time(groups: Groups) -> None:
    """Its start time can no longer be read."""
    pid = groups.sleeper().pid
    dog = watching(10)
    dog.held[pid] = ""
    assert dog.overdue(12) == []


def test_watchdog_kills_browsers_when_their_lease_expires(
    groups: Groups, watchdog: Started
) -> None:
    first, second = groups.sleeper(), groups.sleeper()
    watchdog.begin(0.3)
    watchdog.hold(first.pid)
    watchdog.hold(second.pid)
    assert [first.wait(), second.wait()] == [-signal.SIGKILL] * 2


def test_watchdog_kills_processes_that_a_dead_browser_left_behind(
    groups: Groups, watchdog: Started
) -> None:
    leader, left = groups.orphan()
    watchdog.begin(0.3)
    watchdog.hold(leader.pid, "1")
    assert eventually(lambda: not is_running(left))


def test_watchdog_does_not_kill_a_dropped_browser_when_it_exits(
    groups: Groups, watchdog: Started
) -> None:
    dropped, held = groups.sleeper(), groups.sleeper()
    watchdog.begin(0.5)
    watchdog.hold(dropped.pid)
    watchdog.hold(held.pid)
    watchdog.tell(f"drop {dropped.pid}\n")
    assert held.wait() == -signal.SIGKILL
    watchdog.end()
    assert is_running(dropped.pid)


def test_watchdog_kills_all_browsers_when_its_host_exits(groups: Groups, watchdog: Started) -> None:
    browsers = [groups.sleeper(), groups.sleeper()]
    leader, left = groups.orphan()
    watchdog.begin(LATER_S)
    for browser in browsers:
        watchdog.hold(browser.pid)
    watchdog.hold(leader.pid, "1")
    watchdog.end()
    assert [browser.wait() for browser in browsers] == [-signal.SIGKILL] * 2
    assert eventually(lambda: not is_running(left))


def test_watchdog_renews_the_lease_until_the_coordinator_stops_answering(
    groups: Groups, watchdog: Started
) -> None:
    browser = groups.sleeper()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as coordinator:
        coordinator.bind(("127.0.0.1", 0))
        coordinator.settimeout(20)
        watchdog.tell(terms(0.5, str(coordinator.getsockname()[1])))
        since = ""
        for number in range(1, 30):
            data, sender = coordinator.recvfrom(1_000)
            assert data == pulse(KEY, HOST, number)
            coordinator.sendto(answer(KEY, number), sender)
            word, since, _, _ = watchdog.told()
            assert word == "time"
            if number == 1:
                began = since
                watchdog.tell(f"hold {browser.pid} {start_time(browser.pid)} {since}\n")
                assert watchdog.told() == ["held", str(browser.pid)]
        assert since == began  # without a break, for three times as long as one renewal lasts
        assert is_running(browser.pid)
        assert browser.wait() == -signal.SIGKILL


@pytest.mark.threat
def test_flood_of_pulse_answers_does_not_delay_the_watchdog() -> None:
    """A third party sends more than it can read, with the coordinator's address."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as coordinator,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own,
    ):
        own.bind(("127.0.0.1", 0))
        own.setblocking(False)
        for _ in range(200):
            coordinator.sendto(b"1 x", own.getsockname())
        module._Process()._read_answers(own)
        assert own.recv(100) == b"1 x"


def test_failing_watchdog_kills_its_browsers(groups: Groups, watchdog: Started) -> None:
    browser = groups.sleeper()
    watchdog.begin(LATER_S)
    watchdog.hold(browser.pid)
    watchdog.tell(terms(LATER_S, "99999"))  # no such port
    assert browser.wait() == -signal.SIGKILL


def test_watchdog_ignores_unknown_commands(groups: Groups, watchdog: Started) -> None:
    browser = groups.sleeper()
    watchdog.begin(0.5)
    watchdog.tell("hold\nhold x y z\ndrop\ndrop x\n\nkill 1\n\xff\nhold 1 2\nterms 1\nrenew x\n")
    watchdog.hold(browser.pid)
    assert browser.wait() == -signal.SIGKILL


def test_watchdog_reads_a_command_line_received_in_fragments(
    groups: Groups, watchdog: Started
) -> None:
    browser = groups.sleeper()
    watchdog.begin(LATER_S)
    for piece in f"hold {browser.pid} {start_time(browser.pid)} {now()}\n":
        watchdog.tell(piece)
    assert watchdog.told() == ["held", str(browser.pid)]


_HOST = f"""
import subprocess, sys
pid, started, terms = sys.argv[1:]
sys.path.insert(0, {str(Path(module.__file__).parent)!r})
from watchdog import now
dog = subprocess.Popen(
    (sys.executable, "-I", "-S", "-E", {module.__file__!r}),
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
dog.stdin.write(f"{{terms}}renew {{now()}}\\nhold {{pid}} {{started}} {{now()}}\\n".encode())
dog.stdin.flush()
dog.stdout.readline()
print(dog.stdout.readline().decode().split()[0], flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_watchdog_kills_the_browsers_of_a_hung_or_dead_host(
    groups: Groups, number: signal.Signals
) -> None:
    browser = groups.sleeper()
    lease_s = 1.0 if number == signal.SIGSTOP else LATER_S
    host = groups.start(
        sys.executable, "-c", _HOST, str(browser.pid), start_time(browser.pid), terms(lease_s)
    )
    assert host.stdout is not None
    assert host.stdout.readline() == "held\n"
    host.send_signal(number)
    assert browser.wait() == -signal.SIGKILL
