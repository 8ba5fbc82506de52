"""The actors: the coordinator of a cluster, and one host per node.

Ray restarts the coordinator if it or its node dies. The coordinator starts a host on each node that
has the resource ``NODE_RESOURCE``.
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

from tabwarden.config import Config, load_config
from tabwarden.endpoints.configured import launch_options
from tabwarden.fleet.hosting import Host, HostSettings, default_max_tasks
from tabwarden.fleet.on_ray.answers import Refused
from tabwarden.fleet.on_ray.coordinator_process import LOG_FORMAT, CoordinatorProcess
from tabwarden.fleet.on_ray.names import COORDINATOR, NAMESPACE, NODE_RESOURCE, host_actor
from tabwarden.fleet.on_ray.remote_coordinator import RemoteCoordinator

PARENT_S = 0.5
"""How often a host checks that its raylet is alive."""
RECONCILE_S = 1.0
"""How often the coordinator looks for new nodes."""

log = logging.getLogger("tabwarden.fleet")

_OF_CLIENTS = {"acquire", "reserve", "release", "moved", "status", "drain", "undrain"}
COORDINATOR_METHODS = frozenset({"register", "heartbeat"} | _OF_CLIENTS)
"""The methods of ``Coordinator`` that hosts and clients may call."""


class CoordinatorActor:
    """Forwards calls to the coordinator's process, and starts hosts on new nodes.

    The actor exits with that process, and Ray then starts a new actor.
    """

    def __init__(self, config: dict[str, Any], store: str | None) -> None:
        logging.basicConfig(level=logging.INFO, format=LOG_FORMAT)
        # Ray ignores a loopback address, and reports the machine's network address instead.
        listen = os.environ.get("TABWARDEN_FLEET__LISTEN")
        address = listen or ray.util.get_node_ip_address()  # type: ignore[no-untyped-call]
        self._process = CoordinatorProcess(config, store, address)
        self._requested_nodes = 0
        # Ray calls this on the event loop.
        self._work = [asyncio.create_task(self._keep_hosts()), asyncio.create_task(self._watch())]

    async def call(self, method: str, *args: Any) -> Any:
        """Call one of ``COORDINATOR_METHODS``, with its arguments; return its result.

        Raises:
            RuntimeError: the coordinator failed or exited.
        """
        if method not in COORDINATOR_METHODS:
            raise ValueError(f"hosts and clients can't call {method!r}")
        return await self._process.call(method, *args)

    async def _watch(self) -> None:
        code = await self._process.wait()
        log.warning("the coordinator's process ended with %s", code)
        os._exit(1)  # Ray starts a replacement unless a coordinator is already running

    async def _keep_hosts(self) -> None:
        kept: dict[str, asyncio.Task[None]] = {}
        while True:
            try:
                nodes = await asyncio.to_thread(ray.nodes)
                for node in nodes:
                    node_id = node["NodeID"]
                    is_ours = node["Alive"] and node["Resources"].get(NODE_RESOURCE)
                    if is_ours and (node_id not in kept or kept[node_id].done()):
                        kept[node_id] = asyncio.create_task(_keep_host(node_id))
                await self._ask_for_nodes()
            except Exception as error:  # noqa: BLE001 - the next round tries again
                log.warning("could not check the hosts: %s", error)
            await asyncio.sleep(RECONCILE_S)

    async def _ask_for_nodes(self) -> None:
        """Request as many nodes from Ray's autoscaler as the waiting tasks need. The autoscaler has
        its own limit. Without an autoscaler, this does nothing.
        """
        status = await self._process.call("status")
        if isinstance(status, Refused):
            raise status.error()
        per_node = max((node.max_tasks for node in status.nodes), default=1)
        more = math.ceil(len(status.waiting) / per_node)
        wanted = len(status.nodes) + more if more else 0
        if wanted != self._requested_nodes:
            self._requested_nodes = wanted
            await asyncio.to_thread(request_resources, bundles=[{NODE_RESOURCE: 1}] * wanted)


async def _keep_host(node_id: str) -> None:
    """Start a node's host if none is running, and wait until the host has stopped."""
    place = NodeAffinitySchedulingStrategy(node_id=node_id, soft=False)
    options = {
        "name": host_actor(node_id),
        "namespace": NAMESPACE,
        "lifetime": "detached",
        "get_if_exists": True,
        "num_cpus": 0,
        # so that an autoscaler does not consider the node idle
        "resources": {NODE_RESOURCE: 0.001},
        "max_restarts": 0,
        "max_concurrency": 10,
        "scheduling_strategy": place,
    }
    try:
        host = ray.remote(HostActor).options(**options).remote()
        await host.run_until_end.remote()  # type: ignore[attr-defined]
    except Exception as error:  # noqa: BLE001 - the next round starts it again
        # Ray inserts the actor's stack trace before this text
        why = str(error).strip().rpartition("\n")[2]
        log.warning("the node %s has no host: %s: %s", node_id[:8], type(error).__name__, why)


class HostActor:
    """The host for this actor's node. The actor's process exits with the host."""

    def __init__(self) -> None:
        logging.basicConfig(level=logging.INFO, format=LOG_FORMAT)
        self._parent = os.getppid()
        self._running: asyncio.Task[None] | None = None
        self._host: Host | None = None
        """The host, once it has started."""

    async def run_until_end(self) -> None:
        """Start the host if it is not running; return when the host has stopped.

        Raises:
            InvalidArgument: the configuration is invalid. OSError: the address can't be used. Any
            error of the coordinator. The next call tries again, with the configuration at that
            time.
        """
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        await asyncio.shield(self._running)

    async def stop(self) -> None:
        """Stop the host and close its browsers."""
        if self._host is None:
            _end_process_soon()
        elif self._running is not None:
            self._host.stop("the fleet stops")
            await asyncio.wait([self._running])

    async def _run(self) -> None:
        try:
            host = await self._start()
        except Exception as error:
            self._running = None
            log.error("the host did not start: %s", error)
            raise
        watching = asyncio.create_task(self._watch_parent(host))
        try:
            log.warning("the host ended: %s", await host.run())
        finally:
            watching.cancel()
            _end_process_soon()

    async def _start(self) -> Host:
        source = RemoteCoordinator(ray.get_actor(COORDINATOR, namespace=NAMESPACE))
        host = Host(source, _settings_of(await asyncio.to_thread(load_config)))
        await host.start()
        self._host = host
        return host

    async def _watch_parent(self, host: Host) -> None:
        """Stop the host when its raylet dies, because Ray might then start another host for this
        machine.
        """
        while os.getppid() == self._parent:  # noqa: ASYNC110 - there is no event for this
            await asyncio.sleep(PARENT_S)
        host.stop("its raylet has exited")


def _end_process_soon() -> None:
    """Exit this process after Ray has sent the reply to the current call."""
    asyncio.get_running_loop().call_later(0.2, os._exit, 0)


def _settings_of(config: Config) -> HostSettings:
    fleet = config.fleet
    return HostSettings(
        node=fleet.node or socket.gethostname(),
        listen=fleet.listen,
        max_tasks=fleet.max_tasks_per_node or default_max_tasks(),
        warm=fleet.warm,
        launch=launch_options(config.browser),
    )
