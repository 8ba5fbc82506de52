"""The actors: the coordinator of a cluster, and one host per node.

Ray starts the coordinator again if it or its node dies. The coordinator starts a host on each node
that has the resource ``NODE_RESOURCE``.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import socket
from typing import Any

import ray
from ray.autoscaler.sdk import request_resources
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from tabwarden.config import Config, FleetConfig, load_config
from tabwarden.endpoints import LaunchOptions
from tabwarden.fleet import leasing
from tabwarden.fleet.coordinating import Coordinator, Superseded, open_store
from tabwarden.fleet.hosting import Host, HostSettings, default_max_tasks
from tabwarden.fleet.on_ray.answers import telling
from tabwarden.fleet.on_ray.default_store import default_store
from tabwarden.fleet.on_ray.names import COORDINATOR, NAMESPACE, NODE_RESOURCE, host_actor
from tabwarden.fleet.on_ray.remote_coordinator import RemoteCoordinator
from tabwarden.fleet.on_ray.timing import PARENT_S, RECONCILE_S

log = logging.getLogger("tabwarden.fleet")

_LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"


class CoordinatorActor:
    """The coordinator, and the care for hosts on new nodes."""

    def __init__(self, config: dict[str, Any], store: str | None) -> None:
        logging.basicConfig(level=logging.INFO, format=_LOG_FORMAT)
        self._config = FleetConfig.model_validate(config)
        self._store = store or default_store()
        self._starting: asyncio.Task[Coordinator] | None = None
        self._asked_for = 0
        self._work: list[asyncio.Task[None]] = []

    @telling
    async def register(self, host: leasing.Host) -> leasing.Registered:
        return await (await self._coordinator()).register(host)

    @telling
    async def heartbeat(self, beat: leasing.Heartbeat) -> leasing.HeartbeatAnswer:
        return await (await self._coordinator()).heartbeat(beat)

    @telling
    async def acquire(self, wanted: leasing.Wanted) -> leasing.Lease:
        return await (await self._coordinator()).acquire(wanted)

    @telling
    async def reserve(self, task: str, generation: int) -> None:
        await (await self._coordinator()).reserve(task, generation)

    @telling
    async def release(self, task: str, generation: int) -> bool:
        return await (await self._coordinator()).release(task, generation)

    @telling
    async def moved(self, task: str, generation: int, timeout_s: float) -> leasing.Lost | None:
        return await (await self._coordinator()).moved(task, generation, timeout_s)

    @telling
    async def status(self) -> leasing.FleetStatus:
        return await (await self._coordinator()).status()

    @telling
    async def drain(self, node: str) -> None:
        await (await self._coordinator()).drain(node)

    @telling
    async def undrain(self, node: str) -> None:
        await (await self._coordinator()).undrain(node)

    async def _coordinator(self) -> Coordinator:
        if self._starting is None:
            self._starting = asyncio.create_task(self._start())
        return await asyncio.shield(self._starting)

    async def _start(self) -> Coordinator:
        coordinator = Coordinator(
            open_store(self._store),
            leasing.TableSettings(
                lease_s=self._config.lease_ms / 1000,
                max_waiting=self._config.max_waiting,
                min_free_memory_mb=self._config.min_free_memory_mb,
            ),
        )
        await coordinator.start()
        self._work.append(asyncio.create_task(self._ticking(coordinator)))
        self._work.append(asyncio.create_task(self._keep_hosts(coordinator)))
        return coordinator

    async def _ticking(self, coordinator: Coordinator) -> None:
        try:
            await coordinator.run()
        except Superseded:
            log.warning("another coordinator has taken over")
        os._exit(1)  # Ray starts another one, if none runs yet

    async def _keep_hosts(self, coordinator: Coordinator) -> None:
        kept: dict[str, asyncio.Task[None]] = {}
        while True:
            nodes = await asyncio.to_thread(ray.nodes)
            for node in nodes:
                node_id = node["NodeID"]
                is_ours = node["Alive"] and node["Resources"].get(NODE_RESOURCE)
                if is_ours and (node_id not in kept or kept[node_id].done()):
                    kept[node_id] = asyncio.create_task(_host_on(node_id))
            await self._ask_for_nodes(coordinator)
            await asyncio.sleep(RECONCILE_S)

    async def _ask_for_nodes(self, coordinator: Coordinator) -> None:
        """Ask Ray's autoscaler for as many nodes as the waiting tasks need; it has a limit of its
        own. Without an autoscaler, this does nothing."""
        status = await coordinator.status()
        per_node = max((node.max_tasks for node in status.nodes), default=1)
        more = math.ceil(len(status.waiting) / per_node)
        wanted = len(status.nodes) + more if more else 0
        if wanted != self._asked_for:
            self._asked_for = wanted
            await asyncio.to_thread(request_resources, bundles=[{NODE_RESOURCE: 1}] * wanted)


async def _host_on(node_id: str) -> None:
    """Start the host of a node if none runs, and wait until it ends."""
    place = NodeAffinitySchedulingStrategy(node_id=node_id, soft=False)
    options = {
        "name": host_actor(node_id),
        "namespace": NAMESPACE,
        "lifetime": "detached",
        "get_if_exists": True,
        "num_cpus": 0,
        "resources": {NODE_RESOURCE: 0.001},  # so that no autoscaler takes the node for idle
        "max_restarts": 0,
        "max_concurrency": 10,
        "scheduling_strategy": place,
    }
    try:
        host = ray.remote(HostActor).options(**options).remote()
        await host.ended.remote()  # type: ignore[attr-defined]
    except ray.exceptions.RayError as error:
        log.info("the host of the node %s ended: %s", node_id[:8], type(error).__name__)


class HostActor:
    """The host of the node that this actor runs on. Its process ends with it."""

    def __init__(self) -> None:
        logging.basicConfig(level=logging.INFO, format=_LOG_FORMAT)
        self._parent = os.getppid()
        self._running: asyncio.Task[None] | None = None
        self._host: Host | None = None

    async def ended(self) -> None:
        """Start the host at the first call; return when it has ended."""
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        await asyncio.shield(self._running)

    async def stop(self) -> None:
        """End the host and its browsers."""
        if self._host is not None:
            self._host.stop("the fleet stops")
        if self._running is not None:
            await asyncio.wait([self._running])

    async def _run(self) -> None:
        source = RemoteCoordinator(ray.get_actor(COORDINATOR, namespace=NAMESPACE))
        config = await asyncio.to_thread(load_config)
        self._host = host = Host(source, _settings_of(config))
        await host.start()
        watching = asyncio.create_task(self._watch_parent(host))
        try:
            why = await host.run()
        finally:
            watching.cancel()
        log.warning("the host ended: %s", why)
        asyncio.get_running_loop().call_later(0.2, os._exit, 0)

    async def _watch_parent(self, host: Host) -> None:
        """End the host when its raylet dies: then Ray may start another host for this machine."""
        while os.getppid() == self._parent:  # noqa: ASYNC110 - no event tells this
            await asyncio.sleep(PARENT_S)
        host.stop("its raylet is gone")


def _settings_of(config: Config) -> HostSettings:
    fleet = config.fleet
    return HostSettings(
        node=fleet.node or socket.gethostname(),
        listen=fleet.listen,
        max_tasks=fleet.max_tasks_per_node or default_max_tasks(),
        warm=fleet.warm,
        launch=LaunchOptions(
            headless=config.browser.headless,
            executable=config.browser.executable,
            sandbox=config.browser.sandbox,
        ),
    )
