"""The fence lets a browser work only until its lease ends."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from tabwarden.fleet.hosting.fence import Fence
from tabwarden.fleet.leasing.values import Registered
from tabwarden.fleet.watchdog import now

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def fence() -> AsyncIterator[Fence]:
    fence = Fence()
    yield fence
    await fence.close()


@pytest.fixture
def browser() -> Iterator[subprocess.Popen[bytes]]:
    browser = subprocess.Popen(("sleep", "600"), start_new_session=True)
    yield browser
    browser.kill()
    browser.wait()


def begin(fence: Fence, lease_s: float) -> float:
    """Start its lease time for this long; return the start."""
    sent = now()
    fence.agree(Registered(lease_s, lease_s / 4), "n1-0123", b"key")
    fence.renew(sent)
    return sent


async def ended(browser: subprocess.Popen[bytes]) -> int:
    return await asyncio.to_thread(browser.wait)


async def test_fence_allows_only_the_current_lease_generation(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    sent = begin(fence, 600)
    assert not fence.allows("a", 3)
    assert await fence.hold("a", 3, browser.pid, sent)
    assert [fence.allows("a", generation) for generation in (2, 3, 4)] == [False, True, False]
    assert not fence.allows("b", 3)


async def test_fence_rejects_an_expired_lease_and_kills_its_browser(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    sent = begin(fence, 0.5)
    assert await fence.hold("a", 1, browser.pid, sent)
    assert await ended(browser) == -signal.SIGKILL
    assert not fence.allows("a", 1)
    assert fence.expired() == [("a", 1)]
    fence.drop("a", 1)
    assert fence.expired() == []


async def test_fence_extends_a_lease_renewed_in_time(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    sent = begin(fence, 0.5)
    assert await fence.hold("a", 1, browser.pid, sent)
    for _ in range(10):
        await asyncio.sleep(0.1)
        fence.renew(now())
    assert fence.allows("a", 1)
    assert browser.poll() is None


async def test_fence_does_not_revive_an_expired_lease_on_a_late_renewal(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    """Another host may have the lease already."""
    sent = begin(fence, 0.5)
    assert await fence.hold("a", 1, browser.pid, sent)
    assert await ended(browser) == -signal.SIGKILL
    later = begin(fence, 600)
    assert not await fence.hold("a", 1, browser.pid, sent)
    assert await fence.hold("b", 2, browser.pid, later)
    assert not fence.allows("a", 1)
    assert fence.allows("b", 2)
    assert fence.expired() == [("a", 1)]


async def test_blocked_event_loop_does_not_expire_leases_that_the_watchdog_renewed(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    sent = begin(fence, 1.0)
    assert await fence.hold("a", 1, browser.pid, sent)
    until = fence._until
    fence.renew(now())
    time.sleep(max(0.0, until - now()))  # noqa: ASYNC251 - the test blocks the event loop
    assert fence._until == until
    assert fence.allows("a", 1)
    assert fence.expired() == []


async def test_fence_keeps_the_newer_generations_browser_when_an_old_one_is_dropped(
    fence: Fence, browser: subprocess.Popen[bytes]
) -> None:
    """The last browser may still be ending when the next one starts."""
    last = subprocess.Popen(("sleep", "600"), start_new_session=True)  # noqa: ASYNC220
    sent = begin(fence, 0.5)
    assert await fence.hold("a", 1, last.pid, sent)
    assert await ended(last) == -signal.SIGKILL
    assert await fence.hold("a", 2, browser.pid, begin(fence, 600))
    fence.drop("a", 1)
    assert fence.expired() == []
    assert fence.allows("a", 2)


async def test_fence_ignores_dropping_an_unknown_lease(fence: Fence) -> None:
    fence.drop("a", 1)
    assert not fence.allows("a", 1)
    assert fence.expired() == []


async def test_closing_the_fence_kills_the_remaining_browsers(
    browser: subprocess.Popen[bytes],
) -> None:
    fence = Fence()
    assert await fence.hold("a", 1, browser.pid, begin(fence, 600))
    await fence.close()
    assert await ended(browser) == -signal.SIGKILL


async def test_fence_reports_an_exited_watchdog_and_accepts_no_new_leases(
    browser: subprocess.Popen[bytes],
) -> None:
    fence = Fence()
    os.kill(fence._watchdog.pid, signal.SIGSTOP)
    asked = asyncio.create_task(fence.hold("a", 1, browser.pid, now()))
    await asyncio.sleep(0)
    fence._watchdog.kill()
    await fence.watchdog_ended()
    assert not await asked
    assert not await fence.hold("b", 2, browser.pid, now())  # sending it a command does not fail
    await fence.close()
