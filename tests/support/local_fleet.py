"""A fleet in this process: the real coordinator and hosts, on the engine's loop, without Ray."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path

from tabwarden.endpoints.launching import LaunchOptions
from tabwarden.fleet.client import use_coordinator
from tabwarden.fleet.coordinating import Coordinator, SqliteStore, Store
from tabwarden.fleet.hosting import Host, HostSettings
from tabwarden.fleet.leasing.table import TableSettings
from tabwarden.supervisor.runtime import engine_loop

_numbers = itertools.count(1)


class LocalFleet:
    """Some hosts and their coordinator. ``address`` is for ``Fleet.connect``."""

    def __init__(self, store: Store | Path, settings: TableSettings | None = None) -> None:
        self.address = f"local-{next(_numbers)}"
        self.store = SqliteStore(store) if isinstance(store, Path) else store
        self.settings = settings or TableSettings(min_free_memory_mb=0)
        self.coordinator: Coordinator
        self.hosts: dict[str, Host] = {}
        self._running: dict[str, asyncio.Task[str]] = {}
        self._ticking: asyncio.Task[None] | None = None

    def start(self) -> LocalFleet:
        engine_loop().run_sync(self._start())
        return self

    def add(
        self,
        node: str,
        *,
        max_tasks: int = 4,
        warm: int = 0,
        executable: str | Path | None = None,
        launch: LaunchOptions | None = None,
    ) -> Host:
        """Start a host."""
        launch = launch or LaunchOptions(executable=executable)
        settings = HostSettings(node=node, max_tasks=max_tasks, warm=warm, launch=launch)
        return engine_loop().run_sync(self._add(settings))

    def end(self, node: str) -> None:
        """Stop a host as its node's shutdown does."""
        engine_loop().run_sync(self._end(node))

    def stop(self) -> None:
        for node in list(self.hosts):
            self.end(node)
        engine_loop().run_sync(self._stop())

    async def _start(self) -> None:
        self.coordinator = Coordinator(self.store, self.settings)
        await self.coordinator.start()
        self.coordinator.listen("127.0.0.1")
        self._ticking = asyncio.create_task(self.coordinator.run())
        use_coordinator(self.address, self.coordinator)

    async def _stop(self) -> None:
        if self._ticking is not None:
            self._ticking.cancel()
            self.coordinator.close()

    async def _add(self, settings: HostSettings) -> Host:
        host = Host(self.coordinator, settings)
        await host.start()
        self.hosts[settings.node] = host
        self._running[settings.node] = asyncio.create_task(host.run())
        return host

    async def _end(self, node: str) -> None:
        self.hosts.pop(node).stop("the test ends it")
        await self._running.pop(node)
