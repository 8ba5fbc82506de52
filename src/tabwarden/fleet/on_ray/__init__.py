"""The fleet on Ray: thin actors around ``Coordinator`` and ``Host``, and the cluster's commands.

Only this package imports Ray, and only in these functions: Ray reads its token and certificates
(``secrets_folder``) from the environment when it is imported.

``actors`` has the two kinds of actors. ``remote_coordinator`` calls the coordinator's actor.
``cluster`` starts and stops Ray on this machine; ``own_processes`` tells our Ray from others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabwarden.config import FleetConfig
from tabwarden.fleet.on_ray.secrets_folder import make_secrets, use_secrets

if TYPE_CHECKING:
    from tabwarden.fleet.on_ray.cluster import Ended
    from tabwarden.fleet.on_ray.remote_coordinator import RemoteCoordinator

__all__ = ["attach", "connect", "down", "make_secrets", "up"]


def connect(address: str) -> RemoteCoordinator:
    """Return the coordinator of the cluster at ``address``; ``auto`` for this machine's.

    Raises:
        EndpointUnreachable: no cluster answers, it has no fleet, or Ray is not installed.
    """
    use_secrets()
    from tabwarden.fleet.on_ray.connecting import connect as connect_now

    return connect_now(address)


def up(config: FleetConfig, join: str | None, port: int) -> dict[str, Any]:
    """Start the head of a fleet on this machine, or join the fleet whose head is at ``join``.

    Args:
        config: the ``fleet`` section. The processes on this machine also read it themselves.
        join: ``HOST:PORT`` of the head; None to start one.
        port: the head's port.

    Returns:
        ``{"address", "node", "secrets"}``: what other machines need to join.

    Raises:
        InvalidArgument: a setting is wrong. LaunchFailed: Ray did not start. EndpointUnreachable:
        the node's host did not start.
    """
    use_secrets(config.listen, make=join is None)
    from tabwarden.fleet.on_ray.cluster import up as start

    return start(config, join, port)


def attach(config: FleetConfig, join: str | None) -> dict[str, Any]:
    """Start the fleet on a Ray cluster that something else has started, if it has none yet.

    Args:
        config: the ``fleet`` section, which the coordinator follows if it starts now.
        join: ``HOST:PORT`` of the cluster's head, to join it with this machine, without browsers;
            None if Ray already runs on this machine.

    Returns:
        ``{"address", "nodes"}``: the nodes that run browsers.

    Raises:
        InvalidArgument: a setting is wrong, or the store would be on a node that isn't there.
        LaunchFailed: Ray did not start. EndpointUnreachable: no cluster or coordinator answers.
    """
    use_secrets(config.listen)
    from tabwarden.fleet.on_ray.cluster import attach as start

    return start(config, join)


def down() -> Ended:
    """End what ``up`` and ``attach`` of this user started on this machine, and no other Ray.

    Returns:
        ``node``: this machine's nodes, with their browsers and Ray. ``fleet``: the whole fleet,
        which was attached to a Ray that goes on, with its head here. ``nothing``: no fleet was
        here.

    Raises:
        NotSupported: a fleet is attached to the Ray here, whose head is elsewhere. LaunchFailed:
        a process did not end.
    """
    use_secrets()
    from tabwarden.fleet.on_ray.cluster import down as stop

    return stop()
