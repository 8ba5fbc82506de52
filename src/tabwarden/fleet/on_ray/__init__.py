"""The fleet on Ray: thin actors around ``Coordinator`` and ``Host``, and the commands that manage
the cluster.

Only this package imports Ray, and only inside functions, because Ray reads its token and
certificates (``secrets_folder``) from the environment when it is imported.

``actors`` has the two kinds of actors. ``remote_coordinator`` calls the coordinator's actor.
``cluster`` starts and stops the fleet on this machine, and ``starting_ray`` starts Ray;
``own_processes`` distinguishes our Ray processes from others.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabwarden.config import FleetConfig
from tabwarden.fleet.on_ray.secrets_folder import make_secrets, need_secrets, use_secrets
from tabwarden.fleet.on_ray.starting_ray import check_join

if TYPE_CHECKING:
    from tabwarden.fleet.on_ray.cluster import Ended
    from tabwarden.fleet.on_ray.remote_coordinator import RemoteCoordinator

__all__ = ["attach", "await_end", "connect", "down", "make_secrets", "up"]


def connect(address: str) -> RemoteCoordinator:
    """Return the coordinator of the cluster at ``address``; ``auto`` for this machine's.

    Raises:
        EndpointUnreachable: no cluster responds, the cluster has no fleet, or Ray is not installed.
    """
    use_secrets()
    from tabwarden.fleet.on_ray.connecting import connect as connect_now

    return connect_now(address)


def up(
    config: FleetConfig, head: str | None, port: int, config_file: Path | None = None
) -> dict[str, Any]:
    """Start the head of a fleet on this machine, or join the fleet whose head is at ``head``.

    Args:
        config: the ``fleet`` section. The processes on this machine also read this section
            themselves.
        head: ``HOST:PORT`` of the head; None to start a head.
        port: the new head's port.
        config_file: the file from which those processes read the section; None for their default
            file.

    Returns:
        ``{"address", "node", "secrets"}``: what other machines need to join.

    Raises:
        InvalidArgument: a setting is invalid, or this machine does not have the fleet's secrets.
        LaunchFailed: Ray did not start. EndpointUnreachable: the node's browser host did not start.
    """
    if head is not None:
        check_join(config.listen, head)
        need_secrets()
    use_secrets(config.listen, make=head is None)
    from tabwarden.fleet.on_ray.cluster import up as start

    return start(config, head, port, config_file)


def attach(config: FleetConfig, head: str | None) -> dict[str, Any]:
    """Start a fleet on a Ray cluster that Tabwarden did not start, unless the cluster already has a
    fleet.

    Args:
        config: the ``fleet`` section, which the coordinator uses if it starts now.
        head: ``HOST:PORT`` of the cluster's head, to join it with this machine, without browsers;
            None if Ray is already running on this machine.

    Returns:
        ``{"address", "nodes"}``: the cluster's head, and the nodes that already run browsers.

    Raises:
        InvalidArgument: a setting is invalid, or the store would be on a missing node.
        LaunchFailed: Ray did not start. EndpointUnreachable: no cluster or coordinator responds.
    """
    if head is not None:
        check_join(config.listen, head)
    use_secrets(config.listen)
    from tabwarden.fleet.on_ray.cluster import attach as start

    return start(config, head)


def await_end() -> None:
    """Wait until this process gets SIGTERM or SIGINT, then leave the fleet, as ``down`` does.

    Raises:
        LaunchFailed: Ray exited earlier, or a process did not exit. All other processes have
            exited.
    """
    from tabwarden.fleet.on_ray.cluster import await_end as wait

    wait()


def down() -> Ended:
    """Terminate the processes that this user's ``up`` and ``attach`` started on this machine, but
    no other Ray processes.

    Returns:
        ``node``: this machine's nodes, with their browsers and Ray. ``fleet``: the whole fleet,
            which was attached to a Ray cluster with its head here; Ray keeps running. ``nothing``:
            no fleet was here.

    Raises:
        NotSupported: a fleet is attached to the Ray cluster of this machine, whose head is
        elsewhere. LaunchFailed: a process did not exit.
    """
    use_secrets()
    from tabwarden.fleet.on_ray.cluster import down as stop

    return stop()
