from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from support.groups import is_running

pytest.importorskip("ray")

from tabwarden.fleet.on_ray.stopping import end_session

_WAITS = "print('waits', flush=True); input()"
_HAS_A_CHILD = """
import subprocess, sys
child = subprocess.Popen((sys.executable, "-c", "input()"), stdin=subprocess.PIPE)
print(child.pid, flush=True)
input()
"""


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[str]]]:
    """The processes of a test."""
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        process.kill()
        process.communicate()


def start(processes: list[subprocess.Popen[str]], code: str, *words: str) -> str:
    """Start a program with a command line like that of a part of Ray; return its first line."""
    process = subprocess.Popen(
        (sys.executable, "-c", code, *words),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    processes.append(process)
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_the_processes_of_one_session_end_with_what_they_started(
    started: list[subprocess.Popen[str]],
) -> None:
    child = start(started, _HAS_A_CHILD, "--session-dir=/tmp/ray/session_of_ours_1/logs")
    end_session("session_of_ours_1")
    assert started[0].wait(timeout=10) == -9
    assert not is_running(int(child))


def test_another_cluster_and_programs_with_such_words_go_on(
    started: list[subprocess.Popen[str]],
) -> None:
    start(started, _WAITS, "raylet", "--session-dir=/tmp/ray/session_of_others_2/logs")
    start(started, _WAITS, "monitor.py")
    end_session("session_of_ours_1")
    assert [process.poll() for process in started] == [None, None]
