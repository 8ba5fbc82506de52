"""However the owner of a browser ends, no process and no folder is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser.endpoints.processes import browser_group, group_members, processes_naming
from support.eventually import eventually
from support.needs import needs

from tabwarden.budget import Budget
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.endpoints.launching.options import Transport
from tabwarden.endpoints.profiles.scratch import sweep_leftovers

pytestmark = [
    pytest.mark.anyio,
    needs("linux"),
]

TRANSPORTS: list[Transport] = ["pipe", "port"]

OWNER = """
import asyncio, sys
from tabwarden.budget import Budget
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launching import LaunchOptions

async def main():
    options = LaunchOptions(
        executable=sys.argv[1], transport=sys.argv[2], user_data_dir=sys.argv[3] or None
    )
    print("begins", flush=True)
    browser = await launch(options, Budget(60_000))
    print("up", flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""

USER = """
import os, sys, threading
from tabwarden.sync import Browser

def up():
    print("up", flush=True)
    sys.stdin.readline()

def main(executable, ending):
    if ending == "close":
        with Browser.launch(executable=executable):
            up()
    elif ending == "exception in the block":
        with Browser.launch(executable=executable):
            up()
            raise RuntimeError("mine")
    else:
        browser = Browser.launch(executable=executable)
        up()
        if ending == "exception":
            raise RuntimeError("mine")
        if ending == "exit":
            sys.exit(3)
        if ending == "hard exit":
            os._exit(3)
        if ending == "signal":
            print("waits", flush=True)
            threading.Event().wait()

main(*sys.argv[1:])
"""

FORKING = """
import os, sys
from tabwarden.sync import Browser

browser = Browser.launch(executable=sys.argv[1])
if os.fork() == 0:
    os.execlp("true", "true") if len(sys.argv) > 2 else sys.stdin.read()
    os._exit(0)
print("up", flush=True)
sys.stdin.read()
"""


@contextmanager
def program(text: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A Python program that uses Tabwarden, in a session of its own."""
    with subprocess.Popen(
        [sys.executable, "-c", text, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def says(process: subprocess.Popen[str], words: str) -> bool:
    assert process.stdout is not None
    return process.stdout.readline().strip() == words


def goes_on(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def assert_nothing_is_left(folder: Path, group: int) -> None:
    scratch = str(folder / "tabwarden-")
    eventually(lambda: not group_members(group))
    eventually(lambda: not processes_naming(scratch))
    eventually(lambda: not list(folder.iterdir()))


@pytest.mark.parametrize(
    ("ending", "status"),
    [
        ("close", 0),
        ("return", 0),
        ("exception in the block", 1),
        ("exception", 1),
        ("exit", 3),
        ("hard exit", 3),
    ],
)
def test_janitor_removes_browser_and_folders_after_the_program_exits(
    browser_path: Path, temporary_folder: Path, ending: str, status: int
) -> None:
    with program(USER, str(browser_path), ending) as user:
        assert says(user, "up")
        group = browser_group(str(temporary_folder))
        assert group
        goes_on(user)
        assert user.wait(60) == status
        assert user.stderr is not None
        assert "tabwarden" not in user.stderr.read(), "its end is no news"
    assert_nothing_is_left(temporary_folder, group)


@pytest.mark.parametrize(
    "ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL]
)
def test_janitor_removes_browser_and_folders_after_a_process_group_signal(
    browser_path: Path, temporary_folder: Path, ending: signal.Signals
) -> None:
    """Ctrl-C or a closed terminal signals every process in the group."""
    with program(USER, str(browser_path), "signal") as user:
        assert says(user, "up")
        goes_on(user)
        assert says(user, "waits")
        group = browser_group(str(temporary_folder))
        os.killpg(user.pid, ending)
        assert user.wait(60) != 0
    assert_nothing_is_left(temporary_folder, group)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_janitor_removes_browser_and_profile_after_their_owner_is_killed(
    browser_path: Path, temporary_folder: Path, transport: Transport, ending: signal.Signals
) -> None:
    with program(OWNER, str(browser_path), transport, "") as owner:
        assert says(owner, "begins")
        assert says(owner, "up")
        group = browser_group(str(temporary_folder))
        assert group
        owner.send_signal(ending)
        owner.wait(20)
    assert_nothing_is_left(temporary_folder, group)


def scratch_exists(folder: Path) -> bool:
    return any(folder.glob("tabwarden-*"))


def scratch_is_marked(folder: Path) -> bool:
    """Without its marker file nothing may delete the folder; this window lasts microseconds."""
    return any(marker.stat().st_size for marker in folder.glob("tabwarden-*/tabwarden-owner"))


def janitor_runs(folder: Path) -> bool:
    return bool(processes_naming(str(folder / "tabwarden-")))


def browser_is_spawned(folder: Path) -> bool:
    return browser_group(str(folder / "tabwarden-")) != 0


def profile_is_written(folder: Path) -> bool:
    return any(folder.glob("tabwarden-*/profile/*"))


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize(
    "moment", [scratch_is_marked, janitor_runs, browser_is_spawned, profile_is_written]
)
def test_owner_killed_during_launch_leaves_no_processes_or_folders(
    browser_path: Path,
    temporary_folder: Path,
    transport: Transport,
    moment: Callable[[Path], bool],
) -> None:
    with program(OWNER, str(browser_path), transport, "") as owner:
        assert says(owner, "begins")
        eventually(lambda: moment(temporary_folder))
        owner.kill()
        owner.wait(20)
    scratch = str(temporary_folder / "tabwarden-")
    eventually(lambda: not processes_naming(scratch))
    if moment is scratch_is_marked:  # killed before the janitor started: the next launch removes it
        for folder in temporary_folder.glob("tabwarden-*"):
            os.utime(folder, (1, 1))
        sweep_leftovers(temporary_folder)
    eventually(lambda: not scratch_exists(temporary_folder))


@pytest.mark.long
def test_next_launch_removes_leftovers_of_a_killed_janitor(
    browser_path: Path, temporary_folder: Path
) -> None:
    with program(OWNER, str(browser_path), "pipe", "") as owner:
        assert says(owner, "begins")
        assert says(owner, "up")
        group = browser_group(str(temporary_folder))
        named = processes_naming(str(temporary_folder / "tabwarden-"))
        janitors = [pid for pid in named if os.getpgid(pid) not in (group, owner.pid)]
        os.kill(owner.pid, signal.SIGSTOP)  # so that nothing is removed in between
        for pid in janitors:
            os.kill(pid, signal.SIGKILL)
        owner.kill()
        owner.wait(20)
    eventually(lambda: not group_members(group))
    leftovers = list(temporary_folder.glob("tabwarden-*"))
    assert len(leftovers) == 1
    with program(OWNER, str(browser_path), "pipe", "") as second:
        assert says(second, "begins")
        assert says(second, "up")
        eventually(lambda: not leftovers[0].exists())
    eventually(lambda: not scratch_exists(temporary_folder))


@pytest.mark.long
@pytest.mark.parametrize("how", ["forked", "forked and gone"])
def test_surviving_forked_child_does_not_keep_the_browser_alive(
    browser_path: Path, temporary_folder: Path, how: str
) -> None:
    """A forked child has copies of the browser's and the janitor's pipes."""
    arguments = [str(browser_path), *(["gone"] if how == "forked and gone" else [])]
    with program(FORKING, *arguments) as owner:
        assert says(owner, "up")
        group = browser_group(str(temporary_folder))
        owner.kill()
        owner.wait(20)
        assert_nothing_is_left(temporary_folder, group)


@pytest.mark.long
async def test_stopped_browser_dies_with_its_owner_and_its_profile_is_reusable(
    browser_path: Path, tmp_path: Path, temporary_folder: Path
) -> None:
    kept = tmp_path / "kept"
    with program(OWNER, str(browser_path), "pipe", str(kept)) as owner:
        assert says(owner, "begins")
        assert says(owner, "up")
        group = browser_group(str(kept))
        os.killpg(group, signal.SIGSTOP)
        owner.kill()
        owner.wait(20)
    assert_nothing_is_left(temporary_folder, group)
    assert list(kept.iterdir())
    options = LaunchOptions(executable=browser_path, user_data_dir=kept)
    again = await launch(options, Budget(20_000))
    await again.end(Budget(5000))
