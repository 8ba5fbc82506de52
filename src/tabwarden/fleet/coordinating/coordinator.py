"""The coordinator: the lease table with a clock, a store, and waiting clients."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from hmac import compare_digest

from tabwarden.errors import Capacity, EndpointUnreachable
from tabwarden.fleet.coordinating.pulse_port import PulsePort
from tabwarden.fleet.coordinating.saving import Saving
from tabwarden.fleet.coordinating.store import Store
from tabwarden.fleet.leasing.table import Granted, LeaseTable, TableSettings
from tabwarden.fleet.leasing.values import (
    FleetStatus,
    Heartbeat,
    HeartbeatAnswer,
    Host,
    Lease,
    LeaseRequest,
    LeaseRow,
    Lost,
    Registered,
)
from tabwarden.fleet.relaying.handshake import ticket_for
from tabwarden.fleet.watchdog import answer, pulse, pulse_key, read_pulse

log = logging.getLogger("tabwarden.fleet")

_TICK_S = 0.1
"""How often to look for expired leases."""


class Coordinator:
    """Serves hosts and clients. Use it on one event loop: ``start``, then ``run``.

    Every method except ``start`` raises ``Superseded`` once another coordinator has begun a term.
    After ``run`` raises it, don't use this coordinator again.

    Args:
        clock: returns monotonic seconds.
    """

    def __init__(
        self,
        store: Store,
        settings: TableSettings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._term = 0
        self._table: LeaseTable
        self._saving: Saving
        self._wanting: dict[str, list[asyncio.Future[Granted]]] = {}
        """The clients that wait for a place, by task."""
        self._watching: dict[tuple[str, int], set[asyncio.Event]] = {}
        """The clients that wait for the end of a lease."""
        self._pulses: PulsePort | None = None

    async def start(self) -> None:
        """Begin a term with the leases of the previous term. Raise ``OSError`` if the store
        fails.
        """
        kept = await self._store.begin()
        self._term = kept.term
        self._saving = Saving(self._store, kept.term)
        self._table = LeaseTable(
            self._settings, kept.rows, kept.generation, self._clock(), kept.drained
        )
        log.info("term %s begins with %s leases", kept.term, len(kept.rows))

    def listen(self, address: str) -> None:
        """Start to accept the hosts' pulses at this IP address. Without pulses, only heartbeats
        renew leases.

        Raises:
            OSError: the address can't be used.
        """
        self._pulses = PulsePort(address, self.pulse)

    def close(self) -> None:
        """Stop accepting pulses."""
        if self._pulses is not None:
            self._pulses.close()

    async def run(self) -> None:
        """Remove expired leases until another coordinator begins a term."""
        while True:
            await asyncio.sleep(_TICK_S)
            try:
                await self.tick()
            # at the next tick, the store may be reachable again
            except EndpointUnreachable as error:
                log.warning("%s", error)

    async def tick(self) -> None:
        """Remove the expired leases, and serve the queue."""
        if self._pulses is not None:
            self._pulses.read()  # this process might have stalled while the hosts did not
        self._table.expire(self._clock())
        await self._settle()

    # -- hosts --------------------------------------------------------------------------------

    async def register(self, host: Host) -> Registered:
        """Add a host, or recognize a known host; return the terms of its leases."""
        self._table.register(host, self._clock())
        log.info("the node %s has a host at %s", host.node, host.url)
        await self._settle()
        pulses = self._pulses.address if self._pulses is not None else ""
        return Registered(self._settings.lease_s, self._settings.heartbeat_s, pulses)

    async def heartbeat(self, beat: Heartbeat) -> HeartbeatAnswer:
        """Renew a host's leases. We check that our term is current before we reply. A host counts
        the renewed time from when it sent the heartbeat. Therefore, an older coordinator never
        renews a lease after the next coordinator has started.
        """
        answer = self._table.heartbeat(beat, self._clock())
        if self._table.has_ended:
            await self._settle()
        else:
            await self._saving.save()
        return answer

    def pulse(self, data: bytes) -> Awaitable[bytes] | None:
        """Renew a host's leases because of a datagram from its watchdog.

        Args:
            data: an untrusted datagram.

        Returns:
            An awaitable that checks that our term is current, as for a heartbeat, and then returns
            the reply; None if the datagram renews nothing.
        """
        try:
            host_id, number = read_pulse(data)
        except ValueError:
            return None
        host = self._table.host(host_id)
        if host is None:
            return None
        key = pulse_key(host.ticket_key)
        if not compare_digest(data, pulse(key, host_id, number)):
            return None
        return (
            self._answer(key, number) if self._table.pulse(host_id, number, self._clock()) else None
        )

    async def drain(self, node: str) -> None:
        """Place no more tasks on a node, and tell its tasks to move when they are idle.

        The node stays drained until ``undrain``, even if it leaves and returns.

        Raises:
            InvalidArgument: no node has this name.
        """
        self._table.drain(node)
        watched = list(self._watching)
        await self._saving.save(
            drained=self._table.drained, then=lambda: self._tell_watchers(watched)
        )

    async def undrain(self, node: str) -> None:
        """Place tasks on a node again, now or when it returns. Raises the errors of ``drain``."""
        self._table.drain(node, undo=True)
        await self._saving.save(drained=self._table.drained)
        await self._settle()

    # -- clients ------------------------------------------------------------------------------

    async def acquire(self, wanted: LeaseRequest) -> Lease:
        """Return a task's lease; wait for a free place for at most ``wanted.timeout_s`` seconds.

        If the task already has a lease, return that lease, because several clients may use one
        task.

        Raises:
            Capacity: no place became free, the queue is full, or the tenant is at its limit.
            Denied: the task belongs to another tenant.
        """
        granted = self._table.acquire(wanted, self._clock())
        if granted is None:
            for task, error in self._table.take_refused():
                for future in self._open(task):
                    future.set_exception(error)
            granted = await self._waited(wanted)
        else:
            await self._saving.save(put=[granted.row] if granted.is_new else [])
        host = self._table.host(granted.row.host_id)
        if host is None:  # its node was just lost
            raise _no_host(granted.row)
        row = granted.row
        return Lease(
            task=row.task,
            tenant=row.tenant,
            host_id=row.host_id,
            node=row.node,
            generation=row.generation,
            url=host.url,
            certificate=host.certificate,
            ticket=ticket_for(host.ticket_key, row.task, row.generation),
        )

    async def reserve(self, task: str, generation: int) -> None:
        """Reserve a place on another node for a task, so that the task can ``release`` its lease
        and ``acquire`` a new lease there. The reservation lasts for the duration of a checkpoint.

        The next coordinator does not know about the reservation. Does nothing if the lease has
        ended.

        Raises:
            Capacity: no other node has a place. The lease stays valid.
        """
        self._table.reserve(task, generation, self._clock())
        await self._saving.save()

    async def release(self, task: str, generation: int) -> bool:
        """End a lease that its client no longer wants. Return False if the lease has already
        ended.
        """
        row = self._table.release(task, generation)
        if row is None:
            await self._saving.save()
        else:
            # The next coordinator need not know about this, because it grants nothing before the
            # lease has expired.
            ended = [(task, generation)]
            await self._saving.save(remove=[row], then=lambda: self._tell_watchers(ended))
        return row is not None

    async def moved(self, task: str, generation: int, timeout_s: float) -> Lost | None:
        """Wait until a lease ends or must end, and return how it ended. Return None after
        ``timeout_s`` seconds.
        """
        await self._saving.save()
        key, ended = (task, generation), asyncio.Event()
        watchers = self._watching.setdefault(key, set())
        watchers.add(ended)
        try:
            lost = self._table.fate(task, generation)
            if lost is None:
                async with asyncio.timeout(timeout_s):
                    while lost is None:
                        await ended.wait()
                        ended.clear()
                        lost = self._table.fate(task, generation)
        except TimeoutError:
            return None
        finally:
            watchers.discard(ended)
            if not watchers:
                self._watching.pop(key, None)
        return lost

    async def status(self) -> FleetStatus:
        """Return the nodes, the tasks and the queue."""
        await self._saving.save()
        table = self._table
        return FleetStatus(
            nodes=table.nodes(self._clock()),
            tasks=table.tasks(),
            waiting=table.waiting(),
            drained=table.drained,
            term=self._term,
            granted=table.granted,
            refused=table.refused,
            lost=table.lost,
        )

    # -- inside -------------------------------------------------------------------------------

    async def _answer(self, key: bytes, number: int) -> bytes:
        await self._saving.save()
        return answer(key, number)

    async def _waited(self, wanted: LeaseRequest) -> Granted:
        future: asyncio.Future[Granted] = asyncio.get_running_loop().create_future()
        self._wanting.setdefault(wanted.task, []).append(future)
        try:
            async with asyncio.timeout(wanted.timeout_s):
                return await future
        except TimeoutError:
            if len(self._wanting.get(wanted.task, ())) > 1:  # another client is still waiting
                raise _still_waiting() from None
            raise self._table.give_up(wanted.task, self._clock()) from None
        finally:
            waiting = self._wanting.get(wanted.task, [])
            if future in waiting:
                waiting.remove(future)
            if not waiting:
                self._wanting.pop(wanted.task, None)
                self._table.forget_wish(wanted.task)

    def _open(self, task: str) -> list[asyncio.Future[Granted]]:
        """Return the futures of a task's clients that are still waiting."""
        return [future for future in self._wanting.get(task, []) if not future.done()]

    async def _settle(self) -> None:
        """Record the ended leases, give the free places to waiting tasks, and notify the
        clients."""
        ended = self._table.take_ended()
        grants = self._table.grants(self._clock())

        def tell() -> None:
            self._tell_watchers((row.task, row.generation) for row in ended)
            for granted in grants:
                for future in self._open(granted.row.task):
                    future.set_result(granted)

        new = [granted.row for granted in grants if granted.is_new]
        await self._saving.save(put=new, remove=ended, then=tell)

    def _tell_watchers(self, ended: Iterable[tuple[str, int]]) -> None:
        for key in ended:
            for event in self._watching.get(key, ()):
                event.set()


def _no_host(row: LeaseRow) -> EndpointUnreachable:
    return EndpointUnreachable(f"The node {row.node} was just lost.", "Try again.")


def _still_waiting() -> Capacity:
    return Capacity("No place became free in time.", "Try again.", retry_after_s=1.0)
