"""The lease table: the rules that keep a task from ever having two owners.

A host counts its leases as valid until ``lease_s`` after it *sent* the heartbeat or the pulse that
renewed them. The table treats them as possibly valid until ``longest_s`` after that message
*arrived*, which is a later time. After that, the tasks may move to other hosts, with new generation
numbers. ``longest_s`` exceeds ``lease_s`` by the fraction ``margin``, because clocks run at
different rates.

All times are the coordinator's monotonic seconds, passed in as ``now``.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from tabwarden.errors import Capacity, Denied, InvalidArgument
from tabwarden.fleet.leasing.host_state import HostState
from tabwarden.fleet.leasing.placement import Place, Ranking
from tabwarden.fleet.leasing.queue import FairQueue
from tabwarden.fleet.leasing.values import (
    Heartbeat,
    HeartbeatAnswer,
    Host,
    LeaseRequest,
    LeaseRow,
    Lost,
    NodeStatus,
    TaskStatus,
    WaitingStatus,
)


class TableSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a fleet grants leases.

    Attributes:
        lease_s: how long a host may count a lease as valid, in seconds of its own clock.
        margin: how much longer than ``lease_s`` the table waits, as a fraction of ``lease_s``.
        heartbeat_s: how often hosts send heartbeats, and their watchdogs pulses, in seconds.
        report_s: how long pulses alone can renew a host's leases, in seconds after its last
            heartbeat.
        max_waiting: the maximum number of waiting tasks.
        min_free_memory_mb: a host with less available memory gets no task.
    """

    lease_s: float = 2.0
    margin: float = 0.25
    heartbeat_s: float = 0.5
    report_s: float = 15.0
    max_waiting: int = 1_000
    min_free_memory_mb: int = 512

    @property
    def longest_s(self) -> float:
        """The longest time for which a host may count a lease as valid, in seconds of the
        coordinator's clock.
        """
        return self.lease_s * (1 + self.margin)


class _Reserved(NamedTuple):
    state: HostState
    until: float


class Reservations:
    """The reserved places. ``HostState.reserved`` subtracts them from the host's free places."""

    def __init__(self) -> None:
        self._places: dict[str, _Reserved] = {}

    def __contains__(self, task: str) -> bool:
        return task in self._places

    def add(self, task: str, state: HostState, until: float) -> None:
        """Reserve a place on a host for a task until the given time. The task must not have a
        reservation.
        """
        self._places[task] = _Reserved(state, until)
        state.reserved.add(task)

    def take(self, task: str) -> HostState | None:
        """End a task's reservation; return the host, which might be lost by now, or None if there
        was no reservation.
        """
        reserved = self._places.pop(task, None)
        if reserved is None:
            return None
        reserved.state.reserved.discard(task)
        return reserved.state

    def expire(self, now: float) -> None:
        """End the expired reservations."""
        for task in [task for task, one in self._places.items() if one.until <= now]:
            self.take(task)


_REMEMBERED = 20_000
"""How many ended leases to remember, for clients that request how their leases ended."""


class Granted(msgspec.Struct, frozen=True):
    """A task's lease, new or existing."""

    row: LeaseRow
    is_new: bool


class Held:
    """A lease that its host might still count as valid."""

    def __init__(self, row: LeaseRow) -> None:
        self.row = row
        self.is_released = False
        """Whether the lease was released, although the host might not have ended its browser
        yet."""


class Ends:
    """How the latest leases ended."""

    def __init__(self) -> None:
        self._lost: OrderedDict[tuple[str, int], Lost] = OrderedDict()

    def add(self, row: LeaseRow, lost: Lost) -> None:
        self._lost[row.task, row.generation] = lost
        while len(self._lost) > _REMEMBERED:
            self._lost.popitem(last=False)

    def of(self, task: str, generation: int) -> Lost:
        """Return how a lease ended; None if the table no longer knows."""
        return self._lost.get((task, generation), Lost("its lease ended", ""))


_RESERVED_S = 10.0
"""How long a place stays reserved, in addition to the time in which any lease expires. This leaves
time for a checkpoint and for the client's request for its new lease.
"""
_LATE_BEATS = 2
"""A host that misses more than this many heartbeats gets tasks last."""


class LeaseTable:
    """One fleet's leases, hosts and queue.

    Args:
        rows: an earlier coordinator's leases. Each lease counts as renewed now.
        generation: the last generation that was granted.
        now: the time. If there was an earlier coordinator (``generation`` > 0), the table grants
            nothing until all leases that it might have granted have expired.
        drained: the names of the drained nodes, even those that are away.
    """

    def __init__(
        self,
        settings: TableSettings,
        rows: Iterable[LeaseRow],
        generation: int,
        now: float,
        drained: Iterable[str] = (),
    ) -> None:
        self.settings = settings
        self.generation = generation
        self.granted = self.refused = self.lost = 0
        self._hosts: dict[str, HostState] = {}
        self._drained = set(drained)
        rows = list(rows)
        self._held = {row.task: Held(row) for row in rows}
        self._until = {row.host_id: now + self.settings.longest_s for row in rows}
        """The time until which each host might consider its leases valid."""
        self._reservations = Reservations()
        self._tasks_of = Counter(row.tenant for row in rows)
        """How many tasks each tenant has."""
        self._queue = FairQueue(settings.max_waiting)
        self._pushed_out: list[tuple[str, Capacity]] = []
        self._ranking: Ranking | None = None
        """Made for many placements; None after any other change."""
        self._ended: list[LeaseRow] = []
        """The leases that ended and that the store still has."""
        self._ends = Ends()
        self._grants_from = now + self.settings.longest_s if generation else now

    # -- hosts --------------------------------------------------------------------------------

    def register(self, host: Host, now: float) -> None:
        """Register a host after the host or the coordinator has started. The host's leases don't
        change.
        """
        self._ranking = None
        if host.host_id not in self._hosts:
            state = self._hosts[host.host_id] = HostState(host, now)
            state.tasks = {t for t, held in self._held.items() if held.row.host_id == host.host_id}
            self._until.setdefault(host.host_id, now + self.settings.longest_s)

    def heartbeat(self, beat: Heartbeat, now: float) -> HeartbeatAnswer:
        """Renew a host's leases, and return the orders for the host."""
        state = self._hosts.get(beat.host_id)
        if state is None:
            return HeartbeatAnswer(is_known=False)
        is_newest = state.reports(beat, now)
        self._ranking = None
        for task, generation, reason, cause in beat.ended:
            if self._is_at(task, generation, beat.host_id):
                self._remove(task, Lost(reason, state.host.node, cause=cause))
        running = dict(beat.running)
        for task in [one for one in state.tasks if self._held[one].is_released]:
            if is_newest and running.get(task) != self._held[task].row.generation:
                self._remove(task, None)
        held = [self._held[task] for task in state.tasks]
        owned = [(one.row.task, one.row.generation) for one in held if not one.is_released]
        end = [(one.row.task, one.row.generation) for one in held if one.is_released]
        for task, generation in running.items():
            if not self._is_at(task, generation, beat.host_id):
                end.append((task, generation))
                if is_newest and task not in self._held:
                    self._hold_ended(task, generation, state)
        self._renew(state, now)
        if beat.is_leaving:
            del self._hosts[beat.host_id]
        return HeartbeatAnswer(owned=owned, end=end)

    def pulse(self, host_id: str, number: int, now: float) -> bool:
        """Renew a host's leases, if the coordinator knows what the host runs; return whether the
        leases were renewed.
        """
        state = self._hosts.get(host_id)
        if state is None or not state.takes_pulse(number, now, self.settings.report_s):
            return False
        self._renew(state, now)
        return True

    def drain(self, node: str, *, undo: bool = False) -> None:
        """Place no more tasks on a node, and tell the node's tasks to move; or undo this.

        Raises:
            InvalidArgument: no node has this name.
        """
        names = {state.host.node for state in self._hosts.values()}
        if node not in names and not (undo and node in self._drained):
            raise InvalidArgument(
                f"The fleet has no node {node[:100]!r}.",
                f"The fleet's nodes: {', '.join(sorted(names)) or 'none'}.",
                field="node",
            )
        self._ranking = None
        if undo:
            self._drained.discard(node)
        else:
            self._drained.add(node)

    @property
    def drained(self) -> list[str]:
        """The names of the drained nodes, even those that are away."""
        return sorted(self._drained)

    # -- leases -------------------------------------------------------------------------------

    def acquire(self, wanted: LeaseRequest, now: float) -> Granted | None:
        """Return the task's lease, or a new one; None if the task now waits for a place.

        Raises:
            Capacity: the queue is full, or the tenant has reached its limit.
            Denied: the task belongs to another tenant.
        """
        held = self._held.get(wanted.task)
        waits_for = self._queue.tenant_of(wanted.task)
        owner = waits_for if held is None or held.is_released else held.row.tenant
        if owner not in (None, wanted.tenant):
            raise Denied(
                f"The task {wanted.task[:100]!r} belongs to another tenant.",
                "Choose another task name, or specify the task's tenant.",
                field="task",
            )
        if held is not None and not held.is_released and held.row.host_id in self._hosts:
            return Granted(held.row, is_new=False)
        moves = wanted.task in self._reservations
        if held is None and (moves or not self._queue):
            granted = self._placed(wanted, now)
            if granted is not None:
                return granted
        limit = wanted.max_tasks_of_tenant
        others = self._tasks_of[wanted.tenant] - (
            held is not None and held.row.tenant == wanted.tenant
        )
        if limit is not None and others >= limit:
            words = f"This tenant has {limit} tasks, which is its limit."
            raise self._refused(words, "close one", now)
        if self._queue.is_full and waits_for is None and not moves:
            words = f"{len(self._queue)} tasks are already waiting for a place on the fleet."
            full = self._refused(words, "add a node", now)
            other = self._queue.make_room(wanted.tenant)
            if other is None:
                raise full
            self._pushed_out.append((other.task, full))
        self._queue.add(wanted, now)
        return None

    def reserve(self, task: str, generation: int, now: float) -> None:
        """Reserve a place on another host for a task that will release its lease to move there.

        The task keeps its lease until then. ``acquire`` then gives the task the reserved place.
        Does nothing if the lease has ended.

        Raises:
            Capacity: no host has a place now.
        """
        held = self._held.get(task)
        if held is None or held.row.generation != generation or held.is_released:
            return
        self._reservations.take(task)
        self._ranking = None
        host_id = self._best_host(now)
        if host_id is None:
            after_s = self._queue.retry_after_s(now)
            raise Capacity(
                "No other node has a place for this task.",
                f"Its browser keeps running. Try again in {after_s:.0f} s, or add a node.",
                retry_after_s=after_s,
            )
        until = now + self.settings.longest_s + _RESERVED_S
        self._reservations.add(task, self._hosts[host_id], until)

    def grants(self, now: float) -> list[Granted]:
        """Give the places that are free now to waiting tasks; return their leases."""
        leases = []
        for wanted in list(self._queue.in_turn()):
            held = self._held.get(wanted.task)
            granted = None
            if held is None:
                granted = self._placed(wanted, now)
            elif not held.is_released and held.row.host_id in self._hosts:
                granted = Granted(held.row, is_new=False)
            if granted is not None:
                self._queue.served(wanted, now)
                leases.append(granted)
        return leases

    def take_refused(self) -> list[tuple[str, Capacity]]:
        """Return the tasks that have been removed from the queue, since the last call, in favor of
        other tenants' tasks; each with the error for its clients.
        """
        refused, self._pushed_out = self._pushed_out, []
        return refused

    def give_up(self, task: str, now: float) -> Capacity:
        """Remove a task from the queue; return the error for its client."""
        self._queue.remove(task)
        places = sum(state.host.max_tasks for state in self._hosts.values())
        return self._refused(
            f"No place became free: the fleet has {places} places on {len(self._hosts)} node(s), "
            f"and {len(self._queue)} more tasks are waiting.",
            "add a node",
            now,
        )

    def forget_wish(self, task: str) -> None:
        """Remove a task from the queue because none of its clients is waiting any more. Does
        nothing if the task already has a place.
        """
        self._queue.remove(task)

    @property
    def has_ended(self) -> bool:
        """Whether ``take_ended`` has leases to return."""
        return bool(self._ended)

    def take_ended(self) -> list[LeaseRow]:
        """Return the leases that have ended since the last call. The caller removes them from the
        store.
        """
        ended, self._ended = self._ended, []
        return ended

    def release(self, task: str, generation: int) -> LeaseRow | None:
        """End a lease that its client no longer wants; return the lease, which the caller removes
        from the store, or None if the lease had already ended.

        The lease's place becomes free when the host has closed the browser.
        """
        held = self._held.get(task)
        if held is None or held.row.generation != generation or held.is_released:
            return None
        held.is_released = True
        self._ends.add(held.row, Lost("its lease was released", held.row.node))
        return held.row

    def expire(self, now: float) -> None:
        """End the leases that their hosts can no longer count as valid (``take_ended``)."""
        self._ranking = None  # a host might have stopped sending heartbeats
        gone = {host_id for host_id, until in self._until.items() if until <= now}
        for held in list(self._held.values()) if gone else ():
            if held.row.host_id in gone:
                self._remove(held.row.task, None if held.is_released else _node_lost(held.row.node))
                self.lost += not held.is_released
        self._reservations.expire(now)
        for host_id in gone:
            del self._until[host_id]
            self._hosts.pop(host_id, None)

    def fate(self, task: str, generation: int) -> Lost | None:
        """Return how a lease ended or must end; None while the lease is valid."""
        held = self._held.get(task)
        if held is not None and held.row.generation == generation and not held.is_released:
            if held.row.node in self._drained:
                return Lost(
                    f"the node {held.row.node} is being drained", held.row.node, planned=True
                )
            return None
        return self._ends.of(task, generation)

    def host(self, host_id: str) -> Host | None:
        """Return a host; None if it is lost."""
        state = self._hosts.get(host_id)
        return state.host if state is not None else None

    # -- status -------------------------------------------------------------------------------

    def nodes(self, now: float) -> list[NodeStatus]:
        """Return the hosts that have registered and have not been removed since."""
        return [
            state.status(
                is_up=self._is_heard(state, now), is_draining=state.host.node in self._drained
            )
            for state in self._hosts.values()
        ]

    def tasks(self) -> list[TaskStatus]:
        """Return the tasks that have a lease."""
        return [
            TaskStatus(
                task=held.row.task,
                tenant=held.row.tenant,
                node=held.row.node,
                generation=held.row.generation,
            )
            for held in self._held.values()
            if not held.is_released
        ]

    def waiting(self) -> list[WaitingStatus]:
        """Return the waiting tasks, in turn order."""
        return [WaitingStatus(task=one.task, tenant=one.tenant) for one in self._queue.in_turn()]

    # -- inside -------------------------------------------------------------------------------

    def _refused(self, message: str, instead: str, now: float) -> Capacity:
        self.refused += 1
        after_s = self._queue.retry_after_s(now)
        return Capacity(
            message, f"Try again in {after_s:.0f} s, or {instead}.", retry_after_s=after_s
        )

    def _placed(self, wanted: LeaseRequest, now: float) -> Granted | None:
        limit = wanted.max_tasks_of_tenant
        if now < self._grants_from:
            return None
        if limit is not None and self._tasks_of[wanted.tenant] >= limit:
            return None
        reserved = self._reservations.take(wanted.task)
        if reserved is not None and self._may_have_tasks(reserved, now):
            host_id: str | None = reserved.host.host_id
            self._ranking = None
        else:
            host_id = self._best_host(now)
        if host_id is None:
            return None
        self.generation += 1
        self.granted += 1
        state = self._hosts[host_id]
        row = LeaseRow(
            task=wanted.task,
            tenant=wanted.tenant,
            host_id=host_id,
            node=state.host.node,
            generation=self.generation,
        )
        self._hold(row, state)
        state.placed += 1
        return Granted(row, is_new=True)

    def _best_host(self, now: float) -> str | None:
        """Return the host for one more task, and count the task as placed there; None if no host
        has a free place.
        """
        if self._ranking is None:
            self._ranking = Ranking(self._places(now), self.settings.min_free_memory_mb)
        return self._ranking.take()

    def _places(self, now: float) -> Iterable[Place]:
        late_s = _LATE_BEATS * self.settings.heartbeat_s
        for state in self._hosts.values():
            if self._may_have_tasks(state, now):
                yield state.place(is_late=now - state.heard_at > late_s)

    def _may_have_tasks(self, state: HostState, now: float) -> bool:
        is_here = self._hosts.get(state.host.host_id) is state and self._is_heard(state, now)
        return is_here and state.host.node not in self._drained

    def _is_heard(self, state: HostState, now: float) -> bool:
        return now - state.renewed_at <= self.settings.lease_s

    def _renew(self, state: HostState, now: float) -> None:
        state.renewed_at = now
        self._until[state.host.host_id] = now + self.settings.longest_s

    def _hold_ended(self, task: str, generation: int, state: HostState) -> None:
        """Don't let another host start a task until this host has ended it. Used for a task whose
        lease was released before this coordinator started.
        """
        row = LeaseRow(
            task=task,
            tenant="",
            host_id=state.host.host_id,
            node=state.host.node,
            generation=generation,
        )
        self._hold(row, state).is_released = True

    def _hold(self, row: LeaseRow, state: HostState) -> Held:
        self._held[row.task] = held = Held(row)
        self._tasks_of[row.tenant] += 1
        state.tasks.add(row.task)
        return held

    def _is_at(self, task: str, generation: int, host_id: str) -> bool:
        held = self._held.get(task)
        if held is None or held.row.generation != generation:
            return False
        return held.row.host_id == host_id

    def _remove(self, task: str, lost: Lost | None) -> None:
        self._ranking = None
        held = self._held.pop(task)
        self._tasks_of[held.row.tenant] -= 1
        state = self._hosts.get(held.row.host_id)
        if state is not None:
            state.tasks.discard(task)
        self._ended.append(held.row)
        if lost is not None:
            self._ends.add(held.row, lost)


def _node_lost(node: str) -> Lost:
    return Lost(f"the node {node} was lost", node)
