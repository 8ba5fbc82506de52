"""A host's behavior when the coordinator's answer to a heartbeat is late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.memory_store import MemoryStore

from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.fleet.coordinating import Coordinator
from tabwarden.fleet.hosting import Host, HostSettings
from tabwarden.fleet.leasing import values as leasing
from tabwarden.fleet.leasing.table import TableSettings
from tabwarden.fleet.watchdog import now

pytestmark = pytest.mark.anyio

LEASE_S = 60.0


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Far:
    """The coordinator, whose answers to heartbeats wait until ``goes_on``."""

    def __init__(self) -> None:
        settings = TableSettings(lease_s=LEASE_S, heartbeat_s=LEASE_S / 4)
        self._coordinator = Coordinator(MemoryStore(), settings)
        self.answered, self.goes_on = asyncio.Event(), asyncio.Event()

    async def register(self, host: leasing.Host) -> leasing.Registered:
        await self._coordinator.start()
        return await self._coordinator.register(host)

    async def heartbeat(self, beat: leasing.Heartbeat) -> leasing.HeartbeatAnswer:
        answer = await self._coordinator.heartbeat(beat)
        self.answered.set()
        await self.goes_on.wait()
        return answer


@pytest.fixture
def far() -> Far:
    return Far()


@pytest.fixture
async def host(far: Far, tmp_path: Path) -> AsyncIterator[Host]:
    """A host that cannot start browsers."""
    launch = LaunchOptions(executable=str(tmp_path / "none"))
    host = Host(far, HostSettings(node="n1", warm=0, launch=launch))
    await host.start()
    yield host
    far.goes_on.set()
    await host.close()


@pytest.mark.threat
async def test_lease_time_counts_from_the_moment_the_heartbeat_was_sent(
    host: Host, far: Far
) -> None:
    """Otherwise the host would rely on leases that the coordinator may have given away."""
    beat = asyncio.create_task(host._beat())
    await far.answered.wait()
    sent_before = now()
    far.goes_on.set()
    await beat
    async with asyncio.timeout(20):
        while host._fence._until < 0:  # noqa: ASYNC110 - no event reports this
            await asyncio.sleep(0)
    assert host._fence._until <= sent_before + LEASE_S


@pytest.mark.threat
async def test_host_restarts_an_ended_task_only_with_a_new_lease_generation(host: Host) -> None:
    """The coordinator answered before it knew of the end, and may now give the task away."""
    answer = leasing.HeartbeatAnswer(owned=[("t", 1)])
    host._obey(answer, now())
    await host._tasks["t"].gone.wait()
    host._obey(answer, now())
    assert host._tasks == {}
    host._obey(leasing.HeartbeatAnswer(owned=[("t", 2)]), now())
    assert host._tasks["t"].generation == 2


@pytest.mark.threat
async def test_host_stops_an_older_generations_browser_before_it_starts_a_newer_one(
    host: Host,
) -> None:
    host._obey(leasing.HeartbeatAnswer(owned=[("t", 1)]), now())
    older = host._tasks["t"]
    host._obey(leasing.HeartbeatAnswer(owned=[("t", 2)]), now())
    assert older.end_reason == "a newer generation has begun"
    assert host._tasks.get("t") in (older, None)


async def test_stopping_an_older_generation_does_not_stop_a_newer_one(host: Host) -> None:
    host._obey(leasing.HeartbeatAnswer(owned=[("t", 2)]), now())
    host._obey(leasing.HeartbeatAnswer(owned=[("t", 2)], end=[("t", 1)]), now())
    assert host._tasks["t"].end_reason == ""
