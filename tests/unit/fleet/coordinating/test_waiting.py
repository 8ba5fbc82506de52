"""The coordinator answers clients that wait for a slot."""

from __future__ import annotations

import asyncio

import pytest
from support.memory_store import MemoryStore

from tabwarden.errors import Capacity
from tabwarden.fleet.coordinating import Coordinator
from tabwarden.fleet.leasing.table import TableSettings
from tabwarden.fleet.leasing.values import LeaseRequest

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_coordinator_rejects_a_client_displaced_from_the_queue_at_once() -> None:
    coordinator = Coordinator(MemoryStore(), TableSettings(max_waiting=2))
    await coordinator.start()

    def asked(task: str, tenant: str) -> asyncio.Task[object]:
        return asyncio.create_task(
            coordinator.acquire(LeaseRequest(task=task, tenant=tenant, timeout_s=3_600))
        )

    clients = [asked("a1", "a"), asked("a2", "a"), asked("a2", "a"), asked("b1", "b")]
    async with asyncio.timeout(60):
        for client in clients[1:3]:
            with pytest.raises(Capacity) as refused:
                await client
            assert refused.value.retry_after_s > 0
    waiting = (await coordinator.status()).waiting
    assert [one.task for one in waiting] == ["a1", "b1"]
    for client in (clients[0], clients[3]):
        client.cancel()
    await asyncio.gather(*clients, return_exceptions=True)
    assert (await coordinator.status()).waiting == []
