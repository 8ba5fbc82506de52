"""The cluster: start Ray on this machine for a fleet, join a fleet, and stop it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import psutil
import ray

from tabwarden.config import FleetConfig
from tabwarden.errors import EndpointUnreachable, InvalidArgument, LaunchFailed, NotSupported
from tabwarden.fleet.leasing.values import FleetStatus
from tabwarden.fleet.on_ray.connecting import (
    connect,
    has_file_store,
    head_node,
    reach_ray,
    start_coordinator,
)
from tabwarden.fleet.on_ray.names import (
    COORDINATOR,
    HEAD_RESOURCE,
    NAMESPACE,
    NODE_RESOURCE,
    host_actor,
)
from tabwarden.fleet.on_ray.own_processes import (
    POLL_S,
    Raylet,
    await_end_of_ray,
    end,
    own_processes,
    raylets,
)
from tabwarden.fleet.on_ray.secrets_folder import secrets_folder
from tabwarden.fleet.on_ray.starting_ray import bracketed, start_ray

HOST_STOP_S = 20.0
"""How long a host may take to close its browsers when the fleet stops."""
HOST_START_S = 120.0
"""How long ``fleet up`` waits until this node's host has registered."""

Ended = Literal["node", "fleet", "nothing"]


def up(
    config: FleetConfig, head: str | None, port: int, config_file: Path | None
) -> dict[str, Any]:
    """See ``on_ray.up``."""
    resources = {NODE_RESOURCE: 1} | ({HEAD_RESOURCE: 1} if head is None else {})
    start_ray(config, head, port, resources, config_file)
    address = head or f"{bracketed(config.listen)}:{port}"
    reach_ray(address)
    if head is None:
        start_coordinator(config)
    status = _await_status(address, lambda current: _host_at(config.listen, current) is not None)
    if status is None:
        raise EndpointUnreachable(
            f"Ray is running, but this node's browser host did not start within "
            f"{HOST_START_S:.0f} s.",
            "See /tmp/ray/session_latest/logs (worker-*.err), and run `tabwarden doctor`.",
        )
    node = _host_at(config.listen, status)
    return {"address": address, "node": node, "secrets": str(secrets_folder())}


def attach(config: FleetConfig, head: str | None) -> dict[str, Any]:
    """See ``on_ray.attach``."""
    if head is not None:
        start_ray(config, head, 0, {}, None)
    reach_ray(head or "auto")
    nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    has_head = any(node["Alive"] and HEAD_RESOURCE in node["Resources"] for node in nodes)
    if has_file_store(config) and not has_head:
        raise InvalidArgument(
            f"fleet.store is a file, and no node of the Ray cluster has {HEAD_RESOURCE}.",
            "Set fleet.store to redis://HOST:PORT, or start Ray's head with "
            f"--resources='{{\"{HEAD_RESOURCE}\": 1}}'.",
            field="fleet.store",
        )
    start_coordinator(config)
    status = _await_status(head or "auto")
    address = ray.get_runtime_context().gcs_address
    return {"address": address, "nodes": [node.node for node in status.nodes] if status else []}


def await_end() -> None:
    """See ``on_ray.await_end``."""
    is_over = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: is_over.set())
    ray.shutdown()  # Ray ends a process that is connected to a cluster without its head
    runs = await_end_of_ray(is_over)
    down(asks_hosts=runs)
    if not runs:
        raise LaunchFailed(
            "This machine has left the fleet, because Ray ended.",
            "See /tmp/ray/session_latest/logs (raylet.err, gcs_server.err), and start the node "
            "again. A "
            "service manager can do that: docs/deploy.md has a unit for systemd.",
        )


def down(*, asks_hosts: bool = True) -> Ended:
    """See ``on_ray.down``. Without Ray, we can't tell hosts to stop."""
    own = own_processes()
    if not own:
        return _end_attached() if any(raylets(psutil.process_iter())) else "nothing"
    nodes = list(raylets(own))
    for gcs in {node.gcs for node in nodes} if asks_hosts else ():
        try:
            reach_ray(gcs)
            _stop_hosts([host_actor(node.node_id) for node in nodes if node.gcs == gcs])
        except (EndpointUnreachable, ray.exceptions.RayError):
            pass  # this Ray cluster no longer responds
        finally:
            ray.shutdown()
    if not end(own):
        raise LaunchFailed(
            "Processes of this fleet are still running after SIGKILL.",
            "Find them with `ps -ef | grep ray`. The system might be out of memory.",
        )
    _forget_addresses(nodes)
    return "node"


def _end_attached() -> Ended:
    """Stop the fleet on a Ray cluster that Tabwarden did not start. Ray keeps running."""
    try:
        reach_ray("auto")
        try:
            coordinator = ray.get_actor(COORDINATOR, namespace=NAMESPACE)
        except ValueError:
            return "nothing"
        if ray.get_runtime_context().get_node_id() != head_node():
            raise NotSupported(
                "Tabwarden did not start Ray on this machine, so Ray keeps running.",
                "Empty this node with `tabwarden fleet drain NODE`, then stop Ray with the tool "
                "that started it. On the head of that Ray cluster, `tabwarden fleet stop` stops "
                "the whole fleet.",
            )
        ray.kill(coordinator)  # stop the coordinator first, because it would restart the hosts
        nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
        _stop_hosts([host_actor(node["NodeID"]) for node in nodes])
    except (EndpointUnreachable, ray.exceptions.RayError):
        return "nothing"
    finally:
        ray.shutdown()
    return "fleet"


def _stop_hosts(names: list[str]) -> None:
    """Stop the hosts that respond, and close their browsers."""
    stopping: list[Any] = []
    for name in names:
        with suppress(ValueError):  # the node has no host
            stopping.append(ray.get_actor(name, namespace=NAMESPACE).stop.remote())
    if stopping:  # the actor's process exits with the host, possibly before Ray has sent the reply
        ray.wait(stopping, num_returns=len(stopping), timeout=HOST_STOP_S)


def _forget_addresses(ended: list[Raylet]) -> None:
    """Remove the file with the address of this machine's Ray if that Ray has exited."""
    running = {node.gcs for node in raylets(psutil.process_iter())}
    for node in ended:
        file = Path(node.temporary) / "ray_current_cluster"
        with suppress(OSError):
            if file.read_text().strip() == node.gcs and node.gcs not in running:
                file.unlink()


def _await_status(
    address: str, is_ready: Callable[[FleetStatus], bool] = lambda status: True
) -> FleetStatus | None:
    """Wait until the coordinator returns a status that is ready; None on timeout.

    Raises:
        EndpointUnreachable: the coordinator does not respond.
    """
    import asyncio

    coordinator = connect(address)
    deadline = time.monotonic() + HOST_START_S
    while True:
        is_last = time.monotonic() > deadline
        try:
            if is_ready(status := asyncio.run(coordinator.status())):
                return status
        except EndpointUnreachable:
            if is_last:
                raise
        if is_last:
            return None
        time.sleep(POLL_S)


def _host_at(listen: str, status: FleetStatus) -> str | None:
    """Return the name of the node whose browser host is up at this address. A host that was started
    before the machine restarted is ``silent``.
    """
    for node in status.nodes:
        if node.state == "up" and urlsplit(node.url).hostname == listen:
            return node.node
    return None
