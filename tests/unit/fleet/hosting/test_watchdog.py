"""The watchdog kills browsers at their limits, whatever becomes of its host."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest
from support.eventually import eventually
from support.groups import is_running
from support.needs import needs

from tabwarden.fleet.hosting import watchdog as module
from tabwarden.fleet.hosting.watchdog import Watchdog, now, start_time

SOON_S, LATER_S = 0.2, 600.0


class Groups:
    """Real processes, each the leader of its own session, as browsers are."""

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
        """A group whose leader has ended, and the process that is left in it."""
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


class Started:
    """The real watchdog as a process."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            (sys.executable, "-I", "-S", "-E", module.__file__), stdin=subprocess.PIPE
        )

    def tell(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def hold(self, pid: int, seconds: float) -> None:
        self.tell(f"hold {pid} {start_time(pid)} {now() + seconds:.6f}\n")

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


@pytest.fixture
def watchdog(groups: Groups) -> Iterator[Started]:
    started = Started()
    yield started
    started.end()


def test_a_later_hold_extends_the_limit() -> None:
    dog = Watchdog()
    assert dog.wait_s(0) is None
    dog.hear("hold 999999999 7 10.5")
    dog.hear("hold 999999998 8 12")
    assert dog.wait_s(10) == 0.5
    dog.hear("hold 999999999 7 20")
    assert dog.wait_s(10) == 2
    assert dog.wait_s(99) == 0
    assert dog.overdue(11) == []


def test_a_dropped_browser_is_forgotten() -> None:
    dog = Watchdog()
    dog.hear("hold 999999999 7 10")
    dog.hear("drop 999999999")
    dog.hear("drop 999999999")
    assert (dog.wait_s(10), dog.overdue(10)) == (None, [])


def test_it_names_an_overdue_browser_once(groups: Groups) -> None:
    pid = groups.sleeper().pid
    dog = Watchdog()
    dog.hear(f"hold {pid} {start_time(pid)} 10")
    assert dog.overdue(9.9) == []
    assert dog.overdue(10) == [pid]
    assert (dog.overdue(10), dog.wait_s(10)) == ([], None)


@needs("linux")
def test_a_process_that_got_the_id_of_an_ended_browser_is_spared(groups: Groups) -> None:
    pid = groups.sleeper().pid
    dog = Watchdog()
    dog.hear(f"hold {pid} {int(start_time(pid)) - 1} 10")
    assert dog.overdue(10) == []


@needs("linux")
def test_a_browser_that_ended_before_it_was_held_gives_no_right_to_its_id(groups: Groups) -> None:
    """Its start time can't be read any more."""
    pid = groups.sleeper().pid
    dog = Watchdog()
    dog.until[pid] = ("", 10.0)
    assert dog.overdue(10) == []


def test_it_kills_a_browser_at_its_limit_and_no_other(groups: Groups, watchdog: Started) -> None:
    first, second = groups.sleeper(), groups.sleeper()
    watchdog.hold(second.pid, LATER_S)
    watchdog.hold(first.pid, SOON_S)
    assert first.wait() == -signal.SIGKILL
    assert is_running(second.pid)


def test_it_kills_what_a_dead_browser_left_in_its_group(groups: Groups, watchdog: Started) -> None:
    leader, left = groups.orphan()
    watchdog.tell(f"hold {leader.pid} 1 {now() + SOON_S}\n")
    assert eventually(lambda: not is_running(left))


def test_a_dropped_browser_lives_on(groups: Groups, watchdog: Started) -> None:
    dropped, held = groups.sleeper(), groups.sleeper()
    hold = f"hold {dropped.pid} {start_time(dropped.pid)} {now() + SOON_S}\n"
    watchdog.tell(f"{hold}drop {dropped.pid}\n")  # at once: the watchdog may be slow to read
    watchdog.hold(held.pid, 2 * SOON_S)
    assert held.wait() == -signal.SIGKILL, "the limit of the dropped one is over too"
    watchdog.end()
    assert is_running(dropped.pid)


def test_it_kills_all_when_its_host_ends(groups: Groups, watchdog: Started) -> None:
    browsers = [groups.sleeper(), groups.sleeper()]
    leader, left = groups.orphan()
    for browser in browsers:
        watchdog.hold(browser.pid, LATER_S)
    watchdog.tell(f"hold {leader.pid} 1 {now() + LATER_S}\n")
    watchdog.end()
    assert [browser.wait() for browser in browsers] == [-signal.SIGKILL] * 2
    assert eventually(lambda: not is_running(left))


def test_words_that_it_does_not_know_change_nothing(groups: Groups, watchdog: Started) -> None:
    browser = groups.sleeper()
    watchdog.tell("hold\nhold x y z\ndrop\ndrop x\n\nkill 1\n\xff\nhold 1 2\n")
    watchdog.hold(browser.pid, SOON_S)
    assert browser.wait() == -signal.SIGKILL


def test_a_line_may_come_in_pieces(groups: Groups, watchdog: Started) -> None:
    browser = groups.sleeper()
    for piece in f"hold {browser.pid} {start_time(browser.pid)} {now() + SOON_S}\n":
        watchdog.tell(piece)
    assert browser.wait() == -signal.SIGKILL


_HOST = f"""
import subprocess, sys
pid, started, until = sys.argv[1:]
dog = subprocess.Popen(
    (sys.executable, "-I", "-S", "-E", {module.__file__!r}),
    stdin=subprocess.PIPE, start_new_session=True)
dog.stdin.write(f"hold {{pid}} {{started}} {{until}}\\n".encode())
dog.stdin.flush()
print("holds", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGSTOP, signal.SIGKILL])
def test_a_host_that_hangs_or_dies_keeps_no_browser(groups: Groups, number: signal.Signals) -> None:
    browser = groups.sleeper()
    limit = str(now() + (1.0 if number == signal.SIGSTOP else LATER_S))
    host = groups.start(
        sys.executable, "-c", _HOST, str(browser.pid), start_time(browser.pid), limit
    )
    assert host.stdout is not None
    assert host.stdout.readline() == "holds\n"
    host.send_signal(number)
    assert browser.wait() == -signal.SIGKILL
