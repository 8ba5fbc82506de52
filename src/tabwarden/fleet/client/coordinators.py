"""The coordinators that this process knows, keyed by the fleet's address."""

from __future__ import annotations

import threading
from typing import Protocol

from tabwarden.fleet.leasing import values as leasing


class CoordinatorClient(Protocol):
    """The coordinator's interface for clients, callable from any event loop.

    Every method raises ``EndpointUnreachable`` if the coordinator does not respond.
    """

    async def acquire(self, wanted: leasing.LeaseRequest) -> leasing.Lease:
        """Return a lease; wait for a free place for at most ``wanted.timeout_s``.

        Raises:
            Capacity: no place became free.
        """
        ...

    async def reserve(self, task: str, generation: int) -> None:
        """Reserve a place on another node for a task, which then releases its lease to move there.

        Raises:
            Capacity: no other node has a place.
        """
        ...

    async def release(self, task: str, generation: int) -> bool:
        """End a lease that is no longer needed. Return False if the lease has already ended."""
        ...

    async def moved(self, task: str, generation: int, timeout_s: float) -> leasing.Lost | None:
        """Wait until a lease ends or its task must move; return how the lease ended. Return None
        after ``timeout_s`` seconds.
        """
        ...

    async def status(self) -> leasing.FleetStatus:
        """Return the fleet's nodes, tasks and queue."""
        ...

    async def drain(self, node: str) -> None:
        """Place no more tasks on a node, and let the node's tasks move when they are idle.

        Raises:
            InvalidArgument: the fleet has no such node.
        """
        ...

    async def undrain(self, node: str) -> None:
        """Place tasks on a node again. Raises the errors of ``drain``."""
        ...


_known: dict[str, CoordinatorClient] = {}
_turn = threading.Lock()


def use_coordinator(address: str, client: CoordinatorClient) -> None:
    """Let ``fleet:`` endpoints with this address use ``client``."""
    with _turn:
        _known[address] = client


def connect_coordinator(address: str) -> CoordinatorClient:
    """Return the coordinator of a fleet. The first call connects to the fleet's Ray cluster. This
    can take some seconds, so call this function in a thread.

    Raises:
        EndpointUnreachable: Ray is not installed, or the cluster does not respond.
    """
    with _turn:
        if address not in _known:
            from tabwarden.fleet.on_ray import connect  # imports Ray

            _known[address] = connect(address)
        return _known[address]
