"""``LeaseHolder``: gets a task's lease, detects when it ends, moves it, and releases it."""

from __future__ import annotations

import asyncio
import logging

from tabwarden.budget import Budget
from tabwarden.endpoints.endpoint import MovableEndpoint
from tabwarden.errors import EndpointUnreachable, TabwardenError
from tabwarden.fleet.client.address import FleetOptions
from tabwarden.fleet.client.coordinators import CoordinatorClient, connect_coordinator
from tabwarden.fleet.client.dialing import LeaseRefused
from tabwarden.fleet.client.relay_wire import RelayWire
from tabwarden.fleet.client.timing import ACQUIRE_HEADROOM_S, ASK_AGAIN_S
from tabwarden.fleet.leasing.values import Lease, LeaseRequest, Lost

MOVE_AGAIN_S = 1.0
"""The pause before the next attempt, if no other node has a place for a task that should move."""
IDLE_S = 0.3
"""A task can move only if it has had no call for this many seconds."""
RELEASE_S = 2.0
"""How long ``close`` waits for the coordinator."""
MOVED_S = 20.0
"""How long one request to the coordinator stays open before the client repeats it."""

log = logging.getLogger("tabwarden.fleet")


class LeaseHolder:
    """Holds one task's lease at a time. Use it on one event loop.

    Attributes:
        lease: the current lease, or None.
        lost: how the last lease ended; None if it has not ended, or if it ended before ``watch``
            started.
    """

    def __init__(self, options: FleetOptions, task: str) -> None:
        self.lease: Lease | None = None
        self.lost: Lost | None = None
        self._options = options
        self._task = task
        self._coordinator: CoordinatorClient
        self._watching: asyncio.Task[None] | None = None

    async def connect(self, budget: Budget) -> None:
        """Connect to the coordinator, which all other methods need. Raises the errors of
        ``connect_coordinator``."""
        async with budget.waiting_for("the fleet's coordinator"):
            self._coordinator = await asyncio.to_thread(connect_coordinator, self._options.cluster)

    async def acquire(self, budget: Budget) -> Lease:
        """Return the lease; get a lease if there is none. Raises the errors of
        ``CoordinatorClient.acquire``.
        """
        if self.lease is not None:
            return self.lease
        wanted = LeaseRequest(
            task=self._task,
            tenant=self._options.tenant,
            timeout_s=max(0.0, budget.remaining_s() - ACQUIRE_HEADROOM_S),
            max_tasks_of_tenant=self._options.max_tasks,
        )
        async with budget.waiting_for("a place on the fleet"):
            self.lease = lease = await self._coordinator.acquire(wanted)
        log.info("%s runs on the node %s (generation %s)", self._task, lease.node, lease.generation)
        return lease

    async def release(self) -> None:
        """Release the lease, if there is one. If the coordinator does not respond, the lease
        expires."""
        lease, self.lease = self.lease, None
        if lease is None:
            return
        if self._watching is not asyncio.current_task():
            self.stop_watching()  # otherwise the watcher would report that the lease was released
        try:
            async with asyncio.timeout(RELEASE_S):
                await self._coordinator.release(lease.task, lease.generation)
        except (TimeoutError, TabwardenError) as error:
            log.info("%s: its lease was not released: %s", lease.task, error)

    # -- how a lease ended --------------------------------------------------------------------

    async def wait_for_end(self, lease: Lease, timeout_s: float) -> Lost | None:
        """Wait until a lease ends or its task must move; return how the lease ended. Return None
        after ``timeout_s`` seconds.
        """
        return await self._coordinator.moved(lease.task, lease.generation, timeout_s)

    async def ask_end(self, lease: Lease, refused: LeaseRefused) -> Lost:
        """Return how a lease that the host refused has ended. The host or the coordinator might
        have forgotten the lease.
        """
        lost = Lost(str(refused), lease.node, cause=refused.cause)
        return lost if refused.cause else await self.wait_for_end(lease, 0) or lost

    async def ask_why(self, lease: Lease, error: Exception, budget: Budget) -> Lost | None:
        """Return how the lease was lost if its host does not respond; None if the lease is valid.

        Raises:
            EndpointUnreachable: the lease is valid, and the budget ends soon.
        """
        budget.check()
        left_s = budget.remaining_s() - ACQUIRE_HEADROOM_S
        lost = await self.wait_for_end(lease, min(left_s, 1.0))
        if lost is None and budget.remaining_s() < ACQUIRE_HEADROOM_S * 2:
            raise _unreachable(lease, error) from None
        if lost is not None:
            self.lease = None
            if lost.planned:  # the node is drained, so the lease is still valid
                await asyncio.sleep(ASK_AGAIN_S)
        return lost

    # -- detecting the end ---------------------------------------------------------------------

    def watch(self, lease: Lease, wire: RelayWire, endpoint: MovableEndpoint) -> None:
        """Break the wire when the lease ends. If the task should move, move it when it is idle."""
        self.stop_watching()
        self.lost = None
        self._watching = asyncio.create_task(self._break_at_end(lease, wire, endpoint))

    def stop_watching(self) -> None:
        """Stop watching the lease. Afterwards, the wire stays open when the lease ends."""
        if self._watching is not None:
            self._watching.cancel()

    async def _break_at_end(self, lease: Lease, wire: RelayWire, endpoint: MovableEndpoint) -> None:
        """Break the wire when the lease ends. A dead node's sockets can stay open for minutes."""
        while True:
            try:
                lost = await self.wait_for_end(lease, MOVED_S)
            except TabwardenError:
                await asyncio.sleep(ASK_AGAIN_S)
                continue
            if lost is None:
                continue
            if lost.planned and not await self._move_when_idle(lease, endpoint):
                continue
            log.warning("%s left the node %s: %s", lease.task, lost.node, lost.reason)
            self.lease, self.lost = None, lost
            wire.break_off(lost.reason)
            return

    async def _move_when_idle(self, lease: Lease, endpoint: MovableEndpoint) -> bool:
        """Exchange the lease for a lease on another node. If no node has a place, keep the browser
        and return False after a pause."""
        quiet_s = 0.0
        while quiet_s < IDLE_S:
            await asyncio.sleep(IDLE_S / 3)
            quiet_s = quiet_s + IDLE_S / 3 if endpoint.is_idle() else 0.0
        try:
            await self._coordinator.reserve(lease.task, lease.generation)
        except TabwardenError as error:
            log.warning("%s stays on the node %s: %s", lease.task, lease.node, error.message)
            await asyncio.sleep(MOVE_AGAIN_S)
            return False
        if endpoint.before_move is not None:
            await endpoint.before_move()
        await self.release()
        return True


def _unreachable(lease: Lease, error: Exception) -> EndpointUnreachable:
    if isinstance(error, EndpointUnreachable):
        return error
    return EndpointUnreachable(
        f"The node {lease.node} closed the connection.", "Try again.", node=lease.node
    )
