"""The fence lets a browser work only until its lease ends."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import Iterator

import pytest

from tabwarden.fleet.hosting.fence import Fence
from tabwarden.fleet.hosting.watchdog import now


@pytest.fixture
def fence() -> Iterator[Fence]:
    fence = Fence()
    yield fence
    fence.close()


@pytest.fixture
def browser() -> Iterator[subprocess.Popen[bytes]]:
    browser = subprocess.Popen(("sleep", "600"), start_new_session=True)
    yield browser
    browser.kill()
    browser.wait()


def test_only_the_generation_that_is_held_may_work(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    assert not fence.allows("a", 3)
    fence.hold("a", 3, browser.pid, now() + 600)
    assert [fence.allows("a", generation) for generation in (2, 3, 4)] == [False, True, False]
    assert not fence.allows("b", 3)


def test_a_lease_that_ran_out_is_refused_and_its_browser_killed(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    fence.hold("a", 1, browser.pid, now() + 0.2)
    assert browser.wait() == -signal.SIGKILL
    assert not fence.allows("a", 1)
    assert fence.expired() == [("a", 1)]
    fence.drop("a", 1)
    assert fence.expired() == []


def test_a_renewal_in_time_extends_the_lease(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    short = subprocess.Popen(("sleep", "600"), start_new_session=True)
    fence.hold("a", 1, browser.pid, now() + 0.5)
    fence.hold("b", 2, short.pid, now() + 0.5)
    fence.renew("a", 1, now() + 600)
    assert short.wait() == -signal.SIGKILL, "the first limit of both is over"
    assert fence.allows("a", 1)
    assert browser.poll() is None


def test_a_late_renewal_revives_nothing(fence: Fence, browser: subprocess.Popen[bytes]) -> None:
    """Another host may have the lease already."""
    fence.hold("a", 1, browser.pid, now())
    fence.renew("a", 1, now() + 600)
    assert not fence.allows("a", 1)
    assert browser.wait() == -signal.SIGKILL


def test_an_older_answer_never_shortens_a_lease(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    fence.hold("a", 1, browser.pid, now() + 600)
    fence.renew("a", 1, now() - 1)
    assert fence.allows("a", 1)


def test_a_newer_generation_neither_keeps_nor_loses_the_browser_of_the_last(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    """The last one may be ending still when the next one begins."""
    last = subprocess.Popen(("sleep", "600"), start_new_session=True)
    fence.hold("a", 1, last.pid, now() + 0.3)
    fence.renew("a", 2, now() + 600)
    assert last.wait() == -signal.SIGKILL
    fence.hold("a", 2, browser.pid, now() + 600)
    fence.drop("a", 1)
    assert fence.expired() == []
    assert fence.allows("a", 2)


def test_renewing_what_is_not_held_does_nothing(fence: Fence) -> None:
    fence.renew("a", 1, now() + 600)
    fence.drop("a", 1)
    assert not fence.allows("a", 1)
    assert fence.expired() == []


def test_closing_it_kills_what_is_left(browser: subprocess.Popen[bytes]) -> None:
    fence = Fence()
    fence.hold("a", 1, browser.pid, now() + 600)
    fence.close()
    assert browser.wait() == -signal.SIGKILL


def test_it_tells_that_its_watchdog_is_gone(fence: Fence) -> None:
    fence._watchdog.kill()
    asyncio.run(fence.watchdog_ended())
    assert fence._watchdog.returncode == -signal.SIGKILL
    fence.hold("a", 1, fence._watchdog.pid, now() + 600)  # telling it does not fail
