"""FleetEndpoint: a browser somewhere on the fleet, for one task.

``open`` gets a lease from the coordinator and connects to its host. If the lease's node is lost,
opening again gets a new lease, and so a new browser (``replacement``). Nothing is replayed.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import ClassVar

import msgspec
from websockets.exceptions import ConnectionClosed

from tabwarden.budget import Budget
from tabwarden.endpoints import Address, Capabilities, OpenedEndpoint
from tabwarden.errors import EndpointUnreachable, LaunchFailed, TabwardenError
from tabwarden.fleet.client.address import FleetOptions, read_options
from tabwarden.fleet.client.coordinators import CoordinatorClient, connect_coordinator
from tabwarden.fleet.client.dialing import LeaseRefused, dial
from tabwarden.fleet.client.relay_files import RelayFiles
from tabwarden.fleet.client.relay_wire import RelayWire
from tabwarden.fleet.client.timing import (
    ACQUIRE_HEADROOM_S,
    ASK_AGAIN_S,
    DIAL_S,
    IDLE_S,
    MOVE_AGAIN_S,
    MOVED_S,
    RELEASE_S,
)
from tabwarden.fleet.leasing import Lease, Lost, Wanted
from tabwarden.fleet.relaying import Welcome, decode_welcome
from tabwarden.replacement import Replacement

log = logging.getLogger("tabwarden.fleet")


_TENANT_SEPARATOR = "~"
"""A server calls a tenant's task ``TENANT~TASK``."""


def fleet_endpoint(address: Address) -> FleetEndpoint:
    """Return the endpoint for ``fleet:TASK?cluster=...&checkpoint_s=...``.

    Raises:
        InvalidArgument: an option is unknown or malformed.
    """
    task = address.session_id or f"task-{secrets.token_hex(6)}"
    return FleetEndpoint(read_options(address), task)


class FleetEndpoint:
    """One task's browser on a fleet. See the module's description."""

    is_ours: ClassVar[bool] = True
    capabilities: ClassVar[Capabilities] = Capabilities(
        guard_session=False,
        survives_reconnect="if its node is lost, the task gets a new browser on another node",
    )

    def __init__(self, options: FleetOptions, task: str) -> None:
        self.options = options
        self.task = task
        self.checkpoint_s = options.checkpoint_s
        self.is_idle: Callable[[], bool] = lambda: True
        self.before_move: Callable[[], Awaitable[None]] | None = None
        self._turn = asyncio.Lock()
        self._lease: Lease | None = None
        self._lost: Lost | None = None
        self._opened: Lease | None = None
        """The lease of the last ``OpenedEndpoint``."""
        self._watching: asyncio.Task[None] | None = None

    def __repr__(self) -> str:
        return f"FleetEndpoint({self.task} on {self.options.cluster})"

    @property
    def key(self) -> str:
        return f"fleet:{self.task}?cluster={self.options.cluster}"

    def for_task(self, task_id: str | None) -> FleetEndpoint:
        """Return the endpoint of the named task. Every client that names it gets its browser."""
        task = task_id or self.task
        tenant, separator, _ = task.partition(_TENANT_SEPARATOR)
        options = self.options
        if separator and not options.tenant:
            options = options.model_copy(update={"tenant": tenant})
        return FleetEndpoint(options, task)

    # -- opening ------------------------------------------------------------------------------

    async def open(self, budget: Budget) -> OpenedEndpoint:
        """Get a lease, or keep the one that we have, and connect to its host.

        Raises:
            Capacity: the fleet is full. EndpointUnreachable: no coordinator or node answers, or the
                browser ended by itself (``session_over``). LaunchFailed: the node can't start one.
        """
        async with budget.waiting_for("the fleet's coordinator"):
            coordinator = await asyncio.to_thread(connect_coordinator, self.options.cluster)
        async with self._turn:
            try:
                wire, welcome, lease = await self._connect(coordinator, budget)
            except BaseException:
                if self._opened is None:  # nobody will close what nobody has opened
                    await self._given_back(coordinator)
                raise
            replacement = self._replacement(lease)
            self._opened, self._lost = lease, None
            self._watch(coordinator, lease, wire)
        return OpenedEndpoint(
            wire,
            welcome.product,
            release=lambda ending: self._release(coordinator, ending),
            egress=wire.egress,
            is_exclusive=True,
            files=RelayFiles(lease, welcome.download_dir),
            node=lease.node,
            replacement=replacement,
        )

    async def _connect(
        self, coordinator: CoordinatorClient, budget: Budget
    ) -> tuple[RelayWire, Welcome, Lease]:
        """Connect to the host of the lease; get another lease if this one is over."""
        while True:
            before = self._lost
            if self._opened is not None and before is not None and before.cause == "browser ended":
                raise _browser_ended(before.node)
            try:
                lease = self._lease = self._lease or await self._acquired(coordinator, budget)
            except EndpointUnreachable:  # the coordinator restarts, or the node was lost just now
                budget.check()
                if budget.remaining_s() < ACQUIRE_HEADROOM_S * 2:
                    raise
                await asyncio.sleep(ASK_AGAIN_S)
                continue
            try:
                async with budget.waiting_for(f"the node {lease.node}"):
                    dialed = await self._dial(coordinator, lease, budget)
                if not isinstance(dialed, Lost):
                    return *dialed, lease
                lost: Lost | None = dialed
                self._lease = None
            except LeaseRefused as refused:
                lost = await self._ask_end(coordinator, lease, refused)
                await self._given_back(coordinator)
            except (EndpointUnreachable, ConnectionClosed, msgspec.DecodeError) as error:
                lost = await self._ask_why(coordinator, lease, error, budget)
            if lost is not None and lost.cause == "not started":  # as an earlier client would hear
                raise _not_started(lost)
            self._lost = lost or self._lost

    async def _dial(
        self, coordinator: CoordinatorClient, lease: Lease, budget: Budget
    ) -> tuple[RelayWire, Welcome] | Lost:
        """Connect to the lease's host. Return how the lease was lost, if the coordinator says so
        first: a machine without power does not even refuse."""

        async def connect() -> tuple[RelayWire, Welcome]:
            connection = await dial(lease, "browser", budget.remaining_s())
            try:
                welcome = decode_welcome(await connection.recv(decode=False))
            except BaseException:
                connection.transport.abort()
                raise
            return RelayWire(connection), welcome

        dialing = asyncio.create_task(connect())
        asking = asyncio.create_task(coordinator.moved(lease.task, lease.generation, DIAL_S))
        try:
            await asyncio.wait((dialing, asking), return_when=asyncio.FIRST_COMPLETED)
            lost = None if dialing.done() or asking.exception() is not None else asking.result()
            if lost is not None and not lost.planned:  # on a drained node, the lease is in order
                return lost
            return await dialing
        finally:
            for work in (dialing, asking):
                work.cancel()
            await asyncio.wait((dialing, asking))

    async def _ask_why(
        self, coordinator: CoordinatorClient, lease: Lease, error: Exception, budget: Budget
    ) -> Lost | None:
        """Return how the lease of a host that does not answer was lost; None if it is in order."""
        budget.check()
        left_s = budget.remaining_s() - ACQUIRE_HEADROOM_S
        lost = await coordinator.moved(lease.task, lease.generation, min(left_s, 1.0))
        if lost is None and budget.remaining_s() < ACQUIRE_HEADROOM_S * 2:
            raise _unreachable(lease, error) from None
        if lost is not None:
            self._lease = None
            if lost.planned:  # the node is drained, so its lease runs on
                await asyncio.sleep(ASK_AGAIN_S)
        return lost

    async def _ask_end(
        self, coordinator: CoordinatorClient, lease: Lease, refused: LeaseRefused
    ) -> Lost:
        """Return how a lease ended. The host or the coordinator may have forgotten it already."""
        lost = Lost(str(refused), lease.node, cause=refused.cause)
        if refused.cause:
            return lost
        return await coordinator.moved(lease.task, lease.generation, 0) or lost

    async def _acquired(self, coordinator: CoordinatorClient, budget: Budget) -> Lease:
        wanted = Wanted(
            task=self.task,
            tenant=self.options.tenant,
            timeout_s=max(0.0, budget.remaining_s() - ACQUIRE_HEADROOM_S),
            max_tasks_of_tenant=self.options.max_tasks,
        )
        async with budget.waiting_for("a place on the fleet"):
            lease = await coordinator.acquire(wanted)
        log.info("%s runs on the node %s (generation %s)", self.task, lease.node, lease.generation)
        return lease

    def _replacement(self, lease: Lease) -> Replacement | None:
        before = self._opened
        if before is None or before.generation == lease.generation:
            return None
        lost = self._lost or Lost("its lease ended", before.node)
        return Replacement(lost.reason, lease.node, lease.generation, before.node, lost.planned)

    # -- leases that end ----------------------------------------------------------------------

    def _watch(self, coordinator: CoordinatorClient, lease: Lease, wire: RelayWire) -> None:
        if self._watching is not None:
            self._watching.cancel()
        self._watching = asyncio.create_task(self._watched(coordinator, lease, wire))

    async def _watched(self, coordinator: CoordinatorClient, lease: Lease, wire: RelayWire) -> None:
        """Break the wire when the lease ends. A dead node's sockets may stay open for minutes."""
        while True:
            try:
                lost = await coordinator.moved(lease.task, lease.generation, MOVED_S)
            except TabwardenError:
                await asyncio.sleep(ASK_AGAIN_S)
                continue
            if lost is None:
                continue
            if lost.planned and not await self._move_when_idle(coordinator, lease):
                continue
            log.warning("%s left the node %s: %s", lease.task, lost.node, lost.reason)
            self._lease, self._lost = None, lost
            wire.break_off(lost.reason)
            return

    async def _move_when_idle(self, coordinator: CoordinatorClient, lease: Lease) -> bool:
        """Release the lease for one on another node. Return False, after a pause, if there is no
        place for it: then the task keeps its browser."""
        quiet_s = 0.0
        while quiet_s < IDLE_S:
            await asyncio.sleep(IDLE_S / 3)
            quiet_s = quiet_s + IDLE_S / 3 if self.is_idle() else 0.0
        try:
            await coordinator.reserve(lease.task, lease.generation)
        except TabwardenError as error:
            log.warning("%s stays on the node %s: %s", lease.task, lease.node, error.message)
            await asyncio.sleep(MOVE_AGAIN_S)
            return False
        if self.before_move is not None:
            await self.before_move()
        await self._given_back(coordinator)
        return True

    async def _given_back(self, coordinator: CoordinatorClient) -> None:
        """Release the lease, if there is one. Without an answer, it runs out."""
        lease, self._lease = self._lease, None
        if lease is None:
            return
        if self._watching is not None and self._watching is not asyncio.current_task():
            self._watching.cancel()  # else it would tell that the lease was released
        try:
            async with asyncio.timeout(RELEASE_S):
                await coordinator.release(lease.task, lease.generation)
        except (TimeoutError, TabwardenError) as error:
            log.info("%s: its lease was not released: %s", lease.task, error)

    async def _release(self, coordinator: CoordinatorClient, budget: Budget) -> None:
        _ = budget  # shorter than any budget for closing
        await self._given_back(coordinator)
        if self._watching is not None:
            self._watching.cancel()
        self._opened = None


def _browser_ended(node: str) -> EndpointUnreachable:
    return EndpointUnreachable(
        f"The browser on the node {node} ended by itself.", "Open a new one.", session_over=True
    )


def _not_started(lost: Lost) -> LaunchFailed:
    return LaunchFailed(
        f"The node {lost.node} took the task, but {lost.reason}",
        "Run `tabwarden doctor` on that node.",
        node=lost.node,
    )


def _unreachable(lease: Lease, error: Exception) -> EndpointUnreachable:
    if isinstance(error, EndpointUnreachable):
        return error
    return EndpointUnreachable(
        f"The node {lease.node} closed the connection.", "Try again.", node=lease.node
    )
