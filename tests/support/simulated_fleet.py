"""A fleet in one thread: real coordinators and watchdogs, and hosts that keep the host's rules.

The test moves the clock, and decides when each message and each answer of the store arrives, and
whether it does. Nothing happens by itself. ``world.history`` is for ``fleet_history.violations``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from itertools import count
from typing import Any, Literal, TypeVar

from support.fleet_history import Acquired, History, Owned, Released, Used
from support.memory_store import MemoryStore
from tabwarden.errors import TabwardenError
from tabwarden.fleet.coordinating import Coordinator, Superseded
from tabwarden.fleet.leasing.table import TableSettings
from tabwarden.fleet.leasing.values import (
    Heartbeat,
    HeartbeatAnswer,
    Host,
    Lease,
    LeaseRequest,
    LeaseRow,
    Load,
)
from tabwarden.fleet.watchdog import Watchdog, pulse_key

__all__ = ["FarStore", "Fate", "SimulatedHost", "World"]

T = TypeVar("T")
Fate = Literal["done", "lost", "answer lost"]
"""Outcomes of a store call: it worked, it was lost, or its confirmation was lost."""
_TURNS = 30
"""This many turns of the event loop let all ready tasks continue."""


class FarStore(MemoryStore):
    """A store behind a network: calls arrive in any order, late, or never.

    Args:
        fences: False plants a fault: the store takes what an old coordinator writes.
    """

    def __init__(self, *, fences: bool = True) -> None:
        super().__init__()
        self._fences = fences
        self.is_far = False
        self.under_way: list[Callable[[Fate], Coroutine[Any, Any, None]]] = []

    async def check(self, term: int) -> None:
        await self._sent(lambda: super(FarStore, self).check(term if self._fences else self._term))

    async def write(
        self, term: int, generation: int, put: Sequence[LeaseRow], remove: Sequence[LeaseRow]
    ) -> None:
        await self._sent(lambda: self._written(term, generation, put, remove))

    async def keep_drained(self, term: int, nodes: Collection[str]) -> None:
        await self._sent(lambda: self._drains(term, nodes))

    async def _drains(self, term: int, nodes: Collection[str]) -> None:
        self._fence(term)
        self._drained = frozenset(nodes)

    async def _written(self, term: int, generation: int, *rows: Sequence[LeaseRow]) -> None:
        self._fence(term)
        far, self.is_far = self.is_far, False
        await super().write(self._term, generation, *rows)
        self.is_far = far

    def _fence(self, term: int) -> None:
        if self._fences and term != self._term:
            raise Superseded

    async def _sent(self, call: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if not self.is_far:
            return await call()
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def arrive(fate: Fate) -> None:
            """Execute the call, even if its coordinator is dead by now."""
            error: Exception | None = None
            if fate == "lost":
                error = OSError("the store did not answer")
            else:
                try:
                    await call()
                except Superseded as superseded:
                    error = superseded
                if fate == "answer lost":
                    error = OSError("the store did not answer")
            if not answer.done():
                answer.set_exception(error) if error is not None else answer.set_result(None)

        self.under_way.append(arrive)
        return await answer


class _Run:
    """A browser that a host runs or starts for a task."""

    def __init__(self, pid: int, generation: int, granted: float) -> None:
        self.pid = pid
        self.generation = generation
        self.granted = granted
        """When the heartbeat was sent whose answer gave the lease, by the host's clock."""
        self.since: float | None = None
        """Since when its watchdog guards it, by the world's clock; None while it starts."""


class SimulatedHost:
    """Keeps the rules of ``fleet.hosting``: heartbeats one after the other, and the real watchdog,
    which works also while the host is stopped.

    Args:
        rate: how many seconds its clock counts in a second of the coordinator's.
    """

    def __init__(self, world: World, node: str, rate: float) -> None:
        self._world = world
        self._rate = rate
        self._born = world.now
        self._pids = count(10**9)  # no process has such an id
        self.host_id = f"{node}-{len(world.hosts)}"
        self.node = node
        self.is_stopped = False
        self.is_dead = False
        self.runs: dict[str, _Run] = {}
        self.watchdog = Watchdog()
        self._ended: dict[str, tuple[int, str]] = {}
        self._beats = 0
        self._tell(
            f"terms {world.settings.lease_s} {world.settings.heartbeat_s}"
            f" {pulse_key(self._key).hex()} {self.host_id.encode().hex()}"
        )

    @property
    def clock(self) -> float:
        return (self._world.now - self._born) * self._rate

    @property
    def _key(self) -> bytes:
        return self.host_id.encode()

    def introduced(self) -> Host:
        return Host(
            host_id=self.host_id,
            node=self.node,
            url=f"wss://{self.node}",
            certificate="",
            ticket_key=self._key,
            max_tasks=3,
        )

    def pulse(self) -> tuple[bytes, Callable[[bytes], None]]:
        """Return a pulse of the watchdog and the handler for its answer."""

        def answered(data: bytes) -> None:
            if not self.is_dead:
                self.watchdog.answered(data, self.clock)

        return self.watchdog.pulse(self.clock), answered

    def beat(self) -> tuple[Heartbeat, Callable[[HeartbeatAnswer], None]]:
        """Return a heartbeat and what to do with its answer. It gives up the one before."""
        self._beats += 1
        number, sent = self._beats, self.clock
        beat = Heartbeat(
            host_id=self.host_id,
            number=number,
            load=Load(nearly_late=self.watchdog.nearly_late),
            running=[(task, run.generation) for task, run in self.runs.items()],
            ended=[(task, *rest, "") for task, rest in self._ended.items()],
        )

        def answered(answer: HeartbeatAnswer) -> None:
            if number == self._beats and not self.is_stopped and not self.is_dead:
                self._beats += 1  # an answer counts once
                self._obey(answer, sent)

        return beat, answered

    def _obey(self, answer: HeartbeatAnswer, sent: float) -> None:
        if answer.is_known:
            self._tell(f"renew {sent}")
        else:
            self._world.start(self._world.current.register(self.introduced()))
        for task, generation in answer.end:
            if task in self.runs and self.runs[task].generation <= generation:
                self.end(task, "told to")
        owned = dict(answer.owned)
        for task, generation in owned.items():
            if task in self.runs and self.runs[task].generation < generation:
                self.end(task, "a newer generation")
            if task in self.runs:
                self.runs[task].granted = sent
            elif self._ended.get(task, (0, ""))[0] < generation:
                self._start(task, generation, sent)
        self._ended = {t: kept for t, kept in self._ended.items() if owned.get(t) == kept[0]}

    def _start(self, task: str, generation: int, sent: float) -> None:
        """Start a browser, which takes as long as the world decides."""
        run = self.runs[task] = _Run(next(self._pids), generation, sent)

        def started() -> None:
            if self.runs.get(task) is not run or run.since is not None:
                return
            if self.is_stopped or self.is_dead:
                self._world.messages.append(started)
            elif self._tell(f"hold {run.pid} 1 {run.granted}").startswith("held"):
                run.since = self._world.now
            else:
                self.end(task, "late")

        self._world.messages.append(started)

    def lapse(self) -> None:
        """Kill browsers with expired leases. The watchdog does this even if the host is dead."""
        at = self._born + self.watchdog.until / self._rate
        pids = self.watchdog.overdue(self.clock)
        for task, run in list(self.runs.items()):
            if run.pid in pids:
                self.end(task, "ran out", at=at)

    def end(self, task: str, why: str, at: float | None = None) -> None:
        run = self.runs.pop(task)
        self._tell(f"drop {run.pid}")
        self._ended[task] = (run.generation, why)
        if run.since is not None:
            self._world.history.add(self._owned(task, run, self._world.now if at is None else at))

    def owns(self, task: str, generation: int) -> bool:
        """Whether a client may use a task here."""
        run = self.runs.get(task)
        return run is not None and run.since is not None and run.generation == generation

    def owned(self) -> list[Owned]:
        """The generations that it owns now."""
        return [
            self._owned(task, run, None) for task, run in self.runs.items() if run.since is not None
        ]

    def _tell(self, line: str) -> str:
        return self.watchdog.hear(line, self.clock)

    def _owned(self, task: str, run: _Run, until: float | None) -> Owned:
        assert run.since is not None
        return Owned(
            task=task,
            generation=run.generation,
            host_id=self.host_id,
            since=run.since,
            until=until,
        )


class World:
    """The clock, the network, the live coordinators, the hosts, and the clients' knowledge."""

    def __init__(self, settings: TableSettings, store: FarStore) -> None:
        self.now = 100.0
        self.settings = settings
        self.store = store
        self.history = History()
        self.hosts: list[SimulatedHost] = []
        self.coordinators: list[Coordinator] = []
        """The current one last; those before it don't know that they are over."""
        self.messages: list[Callable[[], None]] = []
        """What is on its way between hosts and coordinators."""
        self.leases: list[Lease] = []
        """All that clients were ever given."""
        self.waiting: list[asyncio.Task[Any]] = []
        """Clients that wait for a lease."""
        self._loop = asyncio.new_event_loop()
        self.restart(kill=True)

    @property
    def current(self) -> Coordinator:
        return self.coordinators[-1]

    def close(self) -> None:
        for work in asyncio.all_tasks(self._loop):
            work.cancel()
        self.settle()
        self._loop.close()

    def start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Start a call, which continues as far as the store allows."""
        return self._loop.create_task(_quiet(work))

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for a call that needs no help."""
        return self._loop.run_until_complete(work)

    def settle(self) -> None:
        async def turns() -> None:
            for _ in range(_TURNS):
                await asyncio.sleep(0)

        self._loop.run_until_complete(turns())

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        for host in self.hosts:
            host.lapse()

    # -- coordinators -------------------------------------------------------------------------

    def restart(self, *, kill: bool) -> None:
        """Start a coordinator. The one before it is dead, or knows nothing of it."""
        if kill:
            for work in asyncio.all_tasks(self._loop):
                work.cancel()
            self.settle()
            self.coordinators.clear()
        coordinator = Coordinator(self.store, self.settings, lambda: self.now)
        self._loop.run_until_complete(coordinator.start())
        self.coordinators.append(coordinator)

    # -- hosts --------------------------------------------------------------------------------

    def add_host(self, node: str, rate: float) -> None:
        host = SimulatedHost(self, node, rate)
        self.hosts.append(host)
        self.start(self.current.register(host.introduced()))

    def send_beat(self, host: SimulatedHost, to: Coordinator) -> None:
        beat, answered = host.beat()

        async def asked() -> None:
            answer = await to.heartbeat(beat)
            self.messages.append(lambda: answered(answer))

        self.messages.append(lambda: self.start(asked()) and None)

    def send_pulse(self, host: SimulatedHost, to: Coordinator) -> None:
        data, answered = host.pulse()

        async def asked() -> None:
            answering = to.pulse(data)
            if answering is not None:
                answer = await answering
                self.messages.append(lambda: answered(answer))

        self.messages.append(lambda: self.start(asked()) and None)

    # -- clients ------------------------------------------------------------------------------

    def acquire(self, task: str, to: Coordinator) -> None:
        async def asked() -> None:
            asked_at = self.now
            lease = await to.acquire(LeaseRequest(task=task, timeout_s=1e6))
            self.leases.append(lease)
            self.history.add(
                Acquired(
                    task=task,
                    generation=lease.generation,
                    host_id=lease.host_id,
                    asked_at=asked_at,
                    answered_at=self.now,
                )
            )

        self.waiting.append(self.start(asked()))

    def release(self, lease: Lease, to: Coordinator) -> None:
        async def asked() -> None:
            asked_at = self.now
            if await to.release(lease.task, lease.generation):
                self.history.add(
                    Released(
                        task=lease.task,
                        generation=lease.generation,
                        asked_at=asked_at,
                        answered_at=self.now,
                    )
                )

        self.start(asked())

    def use(self, lease: Lease) -> None:
        host = next(host for host in self.hosts if host.host_id == lease.host_id)
        if host.is_stopped or host.is_dead:
            return
        self.history.add(
            Used(
                task=lease.task,
                generation=lease.generation,
                host_id=lease.host_id,
                asked_at=self.now,
                answered_at=self.now,
                accepted=host.owns(lease.task, lease.generation),
            )
        )

    # -- normal operation ---------------------------------------------------------------------

    def calm(
        self,
        rounds: int,
        *,
        cut: SimulatedHost | None = None,
        wanted: str = "",
        by: Sequence[Coordinator] = (),
        beats: bool = True,
    ) -> None:
        """Let all messages arrive for some heartbeats.

        Args:
            cut: a host that nobody reaches.
            beats: False for pulses alone.
            wanted: a task that clients acquire meanwhile, again and again.
            by: the coordinators that work; each host talks to one. The current one by default.
        """
        for _ in range(rounds):
            for coordinator in (by := by or [self.current]):
                self.start(coordinator.tick())
                if wanted:
                    self.acquire(wanted, coordinator)
            for number, host in enumerate(self.hosts):
                if not host.is_dead and host is not cut:
                    self.send_pulse(host, by[number % len(by)])
                    if beats and not host.is_stopped:
                        self.send_beat(host, by[number % len(by)])
            self.settle()
            while self.messages or self.store.under_way:
                for message in self.messages[:]:
                    self.messages.remove(message)
                    message()
                self.store_answers()
            self.pass_time(self.settings.heartbeat_s)

    def store_answers(self) -> None:
        self.settle()
        for arrive in self.store.under_way[:]:
            self.store.under_way.remove(arrive)
            self._loop.run_until_complete(arrive("done"))
            self.settle()

    def store_call_ends(self, which: int, fate: Fate) -> None:
        arrive = self.store.under_way.pop(which % len(self.store.under_way))
        self._loop.run_until_complete(arrive(fate))


async def _quiet(work: Coroutine[Any, Any, Any]) -> None:
    """A rejected call is not a fault: its caller gets the error."""
    try:
        await work
    except (TabwardenError, Superseded, OSError):
        return
