"""A host that cannot start leaves nothing behind, so the next attempt starts clean."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabwarden.fleet.coordinating import Coordinator, SqliteStore, Superseded
from tabwarden.fleet.hosting import Host, HostSettings
from tabwarden.fleet.leasing.table import TableSettings

psutil = pytest.importorskip("psutil", reason="needs psutil: make env")

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def coordinator(tmp_path: Path) -> Coordinator:
    coordinator = Coordinator(SqliteStore(tmp_path / "leases.db"), TableSettings())
    await coordinator.start()
    return coordinator


def left_behind() -> list[str]:
    """This process's watchdogs and listening ports."""
    own = psutil.Process()
    watchdogs = [one for one in own.children() if "watchdog.py" in " ".join(one.cmdline())]
    ports = [one.laddr.port for one in own.net_connections("inet") if one.status == "LISTEN"]
    return [*map(repr, watchdogs), *map(str, ports)]


async def test_host_start_on_another_machines_address_fails_and_leaves_nothing_behind(
    coordinator: Coordinator,
) -> None:
    before = left_behind()
    with pytest.raises(OSError, match=r"203\.0\.113\.1"):
        await Host(coordinator, HostSettings(node="n1", listen="203.0.113.1", warm=0)).start()
    assert left_behind() == before


async def test_host_start_with_a_superseded_coordinator_fails_and_leaves_nothing_behind(
    coordinator: Coordinator, tmp_path: Path
) -> None:
    await Coordinator(SqliteStore(tmp_path / "leases.db"), TableSettings()).start()
    before = left_behind()
    with pytest.raises(Superseded):
        await Host(coordinator, HostSettings(node="n1", warm=0)).start()
    assert left_behind() == before
