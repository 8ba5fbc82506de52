"""The coordinator's own process answers the actor's calls, and exits with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tabwarden.config import FleetConfig
from tabwarden.fleet.coordinating import SqliteStore
from tabwarden.fleet.leasing.values import (
    FleetStatus,
    Heartbeat,
    Host,
    Lease,
    LeaseRequest,
    Load,
    Registered,
)

pytest.importorskip("ray", reason="needs ray: make env")
from tabwarden.fleet.on_ray.answers import Refused
from tabwarden.fleet.on_ray.coordinator_process import CoordinatorProcess

pytestmark = pytest.mark.anyio

HOST = Host(
    host_id="n1-0", node="n1", url="wss://n1", certificate="", ticket_key=b"key", max_tasks=1
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def started(store: Path) -> CoordinatorProcess:
    config = FleetConfig(min_free_memory_mb=0).model_dump(mode="json")
    return CoordinatorProcess(config, f"sqlite:{store}", "127.0.0.1")


@pytest.fixture
async def process(tmp_path: Path) -> AsyncIterator[CoordinatorProcess]:
    process = started(tmp_path / "leases.db")
    yield process
    await process.close()


async def test_coordinator_process_answers_calls_while_an_acquire_waits(
    process: CoordinatorProcess,
) -> None:
    registered = await process.call("register", HOST)
    assert isinstance(registered, Registered)
    assert registered.pulses.startswith("127.0.0.1:")
    assert isinstance(await process.call("acquire", LeaseRequest(task="a")), Lease)
    waits = asyncio.create_task(process.call("acquire", LeaseRequest(task="b", timeout_s=60)))
    while not (await process.call("status")).waiting:
        pass
    waits.cancel()
    while (await process.call("status")).waiting:  # its client has disconnected
        pass


async def test_coordinator_process_returns_errors_as_responses(process: CoordinatorProcess) -> None:
    refused = await process.call("drain", "nowhere")
    assert isinstance(refused, Refused)
    assert refused.code == "invalid_argument"
    with pytest.raises(RuntimeError, match="missing 1 required"):
        await process.call("drain")


async def test_coordinator_process_starts_when_the_store_becomes_usable(tmp_path: Path) -> None:
    (tmp_path / "later").touch()
    process = started(tmp_path / "later" / "leases.db")
    assert isinstance(await process.call("status"), Refused)
    (tmp_path / "later").unlink()
    (tmp_path / "later").mkdir()
    assert isinstance(await process.call("status"), FleetStatus)
    await process.close()


async def test_coordinator_process_exits_when_it_is_superseded(tmp_path: Path) -> None:
    process = started(tmp_path / "leases.db")
    await process.call("register", HOST)
    await SqliteStore(tmp_path / "leases.db").begin()
    with pytest.raises(RuntimeError):
        await process.call(
            "heartbeat", Heartbeat(host_id="n1-0", number=1, load=Load(), running=[])
        )
    assert await process.wait() == 1
    with pytest.raises(RuntimeError, match="has ended"):
        await process.call("status")
    await process.close()
