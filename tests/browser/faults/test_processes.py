"""Real faults: dead or suspended processes, a full disk, clock jumps, exhausted memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from support.chaos.world import World, processes
from support.faulty import Cut
from support.needs import lack
from support.pace import in_time

from tabwarden.errors import BrowserGone, BudgetExceeded, TabwardenError, TargetCrashed
from tabwarden.sync import Browser

CALL_MS = 800.0


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """One Chromium for all tests, because none of these faults kills it."""
    with World() as world:
        yield world


def bounded(browser: Browser, script: str = "20 + 1") -> Any:
    with in_time(CALL_MS / 1000):
        try:
            return browser.evaluate(script, timeout_ms=CALL_MS).value
        except TabwardenError as error:
            return error


def works_again(world: World) -> bool:
    """Run the call; the first attempt can fail with the report of an earlier event."""
    for _ in range(3):
        try:
            world.browser.goto(world.site.here + "/plain", timeout_ms=20_000)
            return bool(world.browser.evaluate("document.title").value == "/plain")
        except TabwardenError as error:
            last = error
    raise last


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["renderer", "gpu-process", "network"])
def test_browser_recovers_after_a_child_process_is_killed(kind: str, world: World) -> None:
    world.browser.evaluate("1")
    killed = processes(world.pid, kind)
    if not killed and kind == "gpu-process":
        lack("gpu-process")
    assert killed
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    told = bounded(world.browser)
    assert told == 21 or told.code in ("target_crashed", "budget_exceeded")
    assert works_again(world)


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["renderer", "gpu-process", "network", ""])
def test_call_times_out_at_its_budget_while_a_browser_process_is_suspended(
    kind: str, world: World
) -> None:
    stopped = processes(world.pid, kind) if kind else [world.pid]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        told = bounded(world.browser)
        assert told == 21 or isinstance(told, BudgetExceeded)
        assert kind not in ("renderer", "") or isinstance(told, BudgetExceeded)
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    assert works_again(world)


def test_supervisor_finds_a_dialog_whose_event_was_lost(
    world: World,
) -> None:
    """Its pause broke off before we heard of it, and its request takes as long to fail as one that
    somebody held: nobody but the page knows of it."""
    world.browser.goto(world.site.here + "/plain")
    stopped = processes(world.pid, "network")
    world.relay.arm(Cut(method="Debugger.paused", kind="event", at_byte=0))
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        world.browser.evaluate("setTimeout(() => { document.title = confirm('Anybody?') }); 0")
        world.relay.wait_fired()
        threading.Event().wait(0.5)
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    # The guard may see it first. Its answer may cross the new connection's event about it.
    world.wait(
        lambda: any(not one.guarded for one in world.browser.state.pending_dialogs), "the dialog"
    )
    (dialog,) = world.browser.state.pending_dialogs
    assert dialog.message == "Anybody?"
    world.browser.dialog("accept")
    assert world.browser.evaluate("document.title").value == "true"
    cookies = world.browser.cookies().value
    assert not cookies


def test_download_fails_on_a_full_disk_and_works_once_space_is_free(world: World) -> None:
    if not world.disk_is_small:
        lack("mount")
    filler = world.downloads / "filler"
    filler.write_bytes(b"x" * 900_000)
    url = world.site.here + "/file"
    with pytest.raises(TabwardenError) as caught:
        world.browser.download(url, "none.bin", timeout_ms=10_000)
    assert caught.value.hint
    assert not (world.downloads / "none.bin").exists()
    filler.unlink()
    world.browser.download(url, "some.bin", timeout_ms=10_000)
    assert (world.downloads / "some.bin").stat().st_size == 300_000
    (world.downloads / "some.bin").unlink()


@pytest.mark.parametrize("jump_s", [-86_400, 86_400])
@pytest.mark.long
def test_budgets_and_dialogs_survive_a_wall_clock_jump(jump_s: int, world: World) -> None:
    real = time.time

    def jumped() -> float:
        return real() + jump_s

    with mock.patch("time.time", new=jumped):
        assert bounded(world.browser) == 21
        assert isinstance(bounded(world.browser, "new Promise(() => {})"), BudgetExceeded)
        assert world.browser.evaluate("confirm('at another time')").interrupted
        (dialog,) = world.browser.state.pending_dialogs
        assert abs(dialog.opened_at - jumped()) < 60
    world.browser.dialog("accept")  # it was not treated as overdue
    assert world.browser.state.recent_dialogs[-1].closed_by == "agent"


@pytest.mark.long
def test_page_that_exhausts_memory_raises_target_crashed(world: World) -> None:
    eats = "const all = []; while (true) all.push(new Array(1e5).fill(all.length))"
    with pytest.raises(TargetCrashed):
        world.browser.evaluate(eats, timeout_ms=60_000)
    assert works_again(world)


ASLEEP = """
import sys
sys.path.insert(0, "tests")
from tabwarden.sync import Browser
from tabwarden.errors import TabwardenError
with Browser.connect(sys.argv[1], context="own") as browser:
    browser.evaluate("1")
    print("ready", flush=True)
    try:
        print(browser.evaluate("new Promise(() => {})", timeout_ms=1500).status)
    except TabwardenError as error:
        print(error.code, flush=True)
    print(browser.evaluate("1 + 1").value, flush=True)
"""


@pytest.mark.long
def test_call_times_out_during_a_process_suspend_and_the_next_call_works(world: World) -> None:
    """All clocks have advanced when the process resumes, as on a laptop."""
    command = [sys.executable, "-c", ASLEEP, f"http://127.0.0.1:{world.port}"]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as sleeper:
        assert sleeper.stdout is not None
        assert sleeper.stdout.readline() == "ready\n"
        sleeper.send_signal(signal.SIGSTOP)
        time.sleep(2)  # the fault: a suspend longer than the call's budget
        sleeper.send_signal(signal.SIGCONT)
        assert sleeper.stdout.readline() == "budget_exceeded\n"
        assert sleeper.stdout.readline() == "2\n"
        assert sleeper.wait(60) == 0


def test_call_on_a_killed_browser_fails_at_once_and_states_the_reason() -> None:
    with World() as world:
        world.relay.refuse()
        os.kill(world.pid, signal.SIGKILL)
        World.wait(lambda: world.browser.state.health.status == "gone", "gone")
        told = bounded(world.browser)
        assert isinstance(told, BrowserGone)
        assert told.message
