"""Programs without a port serve their live view on request."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest

from tabwarden.surfaces.live import on_demand, registry
from tabwarden.surfaces.live.live import Live
from tabwarden.surfaces.live.on_demand import served_on_demand, start_waiting_servers
from tabwarden.surfaces.live.registry import Server, servers


async def nobody() -> list[Server]:
    return []


def test_live_view_opens_its_port_on_demand_and_closes_it_at_shutdown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "registry_folder", lambda: tmp_path)
    monkeypatch.setattr(on_demand, "registry_folder", lambda: tmp_path)

    def here() -> list[Path]:
        return list(tmp_path.iterdir())

    async def run() -> None:
        live = Live("a test", dict, nobody)
        async with served_on_demand(live):
            (path,) = here()
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
            assert servers() == []
            await asyncio.to_thread(start_waiting_servers)
            assert [one.url for one in servers()] == [live.url]
            await asyncio.to_thread(start_waiting_servers)  # it is already serving
        assert here() == []

    asyncio.run(run())
