"""Connect to a cluster's coordinator from this process."""

from __future__ import annotations

from typing import Any

import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from tabwarden.config import FleetConfig
from tabwarden.errors import EndpointUnreachable
from tabwarden.fleet.on_ray.actors import CoordinatorActor
from tabwarden.fleet.on_ray.names import COORDINATOR, HEAD_RESOURCE, NAMESPACE, RAYS_HEAD
from tabwarden.fleet.on_ray.remote_coordinator import RemoteCoordinator

_MOST_CALLS = 50_000
"""Most calls are waiting at any time, because each client waits for the end of its lease."""


def connect(address: str) -> RemoteCoordinator:
    """Return the coordinator of the cluster at ``address``; ``auto`` for this machine's.

    Raises:
        EndpointUnreachable: no cluster responds, or the cluster has no fleet.
    """
    reach_ray(address)
    try:
        return RemoteCoordinator(ray.get_actor(COORDINATOR, namespace=NAMESPACE))
    except (ValueError, RayError):
        raise EndpointUnreachable(
            f"The Ray cluster {address!r} has no Tabwarden fleet.",
            "Start a fleet from a machine in the cluster: `tabwarden fleet attach`. (`tabwarden "
            "fleet up` starts a separate Ray cluster.)",
        ) from None


def reach_ray(address: str) -> None:
    """Connect this process to a Ray cluster. A second call does nothing.

    Raises:
        EndpointUnreachable: no cluster responds.
    """
    try:
        ray.init(
            address=address,
            namespace=NAMESPACE,
            ignore_reinit_error=True,
            log_to_driver=False,
            configure_logging=False,
        )
    except (ConnectionError, RuntimeError, ValueError, RayError) as error:
        raise EndpointUnreachable(
            f"No Ray cluster is responding at {address!r}: {str(error).splitlines()[0][:200]}",
            "A machine must join a fleet to use it: start a fleet here with `tabwarden "
            "fleet up`, or join a fleet with `tabwarden fleet up HOST:PORT` or, without browsers, "
            "`tabwarden fleet attach HOST:PORT`.",
        ) from None


def has_file_store(config: FleetConfig) -> bool:
    """Whether the leases are kept in a file, which is on the head."""
    return config.store is None or config.store.get_secret_value().startswith("sqlite:")


def start_coordinator(config: FleetConfig) -> Any:
    """Start the cluster's coordinator if none is running; return its actor."""
    options: dict[str, Any] = {
        "name": COORDINATOR,
        "namespace": NAMESPACE,
        "lifetime": "detached",
        "get_if_exists": True,
        "num_cpus": 0,
        "max_restarts": -1,
        "max_concurrency": _MOST_CALLS,
    }
    if has_file_store(config):
        options["resources"] = {HEAD_RESOURCE: 0.001}
    elif head := head_node():
        # On another node, the coordinator could be lost together with browsers. The tasks of those
        # browsers would then also have to wait some seconds until Ray restarts the coordinator.
        options["scheduling_strategy"] = NodeAffinitySchedulingStrategy(head, soft=True)
    settings = config.model_dump(mode="json", exclude={"store"})
    store = None if config.store is None else config.store.get_secret_value()
    return ray.remote(CoordinatorActor).options(**options).remote(settings, store)


def head_node() -> str | None:
    """Return the ID of the node on which Ray's own head runs; None if that node has left the
    cluster.
    """
    nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    heads = [one["NodeID"] for one in nodes if one["Alive"] and RAYS_HEAD in one["Resources"]]
    return heads[0] if heads else None
