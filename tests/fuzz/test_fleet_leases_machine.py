"""Fleet leases under random faults: no task has two owners, and generations only increase."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from support.fleet_history import History, violations
from support.fuzzing import searched
from support.simulated_fleet import FarStore, World

from tabwarden.fleet.coordinating import Coordinator
from tabwarden.fleet.leasing.table import TableSettings

TASKS = st.sampled_from(["t1", "t2", "t3"])
RATES = st.sampled_from([0.8, 1.0, 1.25])
"""As far apart as ``margin`` allows: 2 s by a slow clock of a host are 2.5 s of the
coordinator's."""
WHICH = st.integers(0, 1_000)


class Fleet(RuleBasedStateMachine):
    """Hosts, coordinators and clients of one fleet, and the events that can happen to them."""

    terms = TableSettings()
    fences = True

    def __init__(self) -> None:
        super().__init__()
        self.world = World(self.terms, FarStore(fences=self.fences))

    def teardown(self) -> None:
        self.world.close()

    @initialize(rates=st.lists(RATES, min_size=2, max_size=3))
    def hosts_join(self, rates: list[float]) -> None:
        for number, rate in enumerate(rates):
            self.world.add_host(f"n{number}", rate)
        self.world.calm(2)

    # -- time and messages --------------------------------------------------------------------

    @rule(seconds=st.sampled_from([0.1, 0.4, 0.5, 1.0, 1.9, 2.1, 2.6]))
    def time_passes(self, seconds: float) -> None:
        self.world.pass_time(seconds)

    @rule(rounds=st.integers(1, 6))
    def all_is_well(self, rounds: int) -> None:
        self.world.calm(rounds)

    @rule(rounds=st.integers(3, 8), host=WHICH, task=TASKS)
    def a_host_is_cut_off(self, rounds: int, host: int, task: str) -> None:
        cut = self.world.hosts[host % len(self.world.hosts)]
        self.world.calm(rounds, cut=cut, wanted=task)

    @rule(host=WHICH, to=WHICH)
    def a_host_sends_a_heartbeat(self, host: int, to: int) -> None:
        sender = self.world.hosts[host % len(self.world.hosts)]
        if not sender.is_stopped and not sender.is_dead:
            self.world.send_beat(sender, self._coordinator(to))

    @rule(host=WHICH, to=WHICH)
    def a_watchdog_sends_a_pulse(self, host: int, to: int) -> None:
        """Also if its host is suspended."""
        sender = self.world.hosts[host % len(self.world.hosts)]
        if not sender.is_dead:
            self.world.send_pulse(sender, self._coordinator(to))

    @rule(rounds=st.integers(1, 8), task=TASKS)
    def only_pulses_arrive(self, rounds: int, task: str) -> None:
        self.world.calm(rounds, wanted=task, beats=False)

    @precondition(lambda self: self.world.messages)
    @rule(which=WHICH)
    def a_message_arrives(self, which: int) -> None:
        self.world.messages.pop(which % len(self.world.messages))()
        self.world.settle()

    @precondition(lambda self: self.world.messages)
    @rule(which=WHICH)
    def a_message_arrives_twice(self, which: int) -> None:
        self.world.messages[which % len(self.world.messages)]()
        self.world.settle()

    @precondition(lambda self: self.world.messages)
    @rule(which=WHICH)
    def a_message_is_lost(self, which: int) -> None:
        self.world.messages.pop(which % len(self.world.messages))

    @rule(far=st.booleans())
    def the_store_is_far(self, far: bool) -> None:
        self.world.store.is_far = far

    @precondition(lambda self: self.world.store.under_way)
    @rule(which=WHICH, fate=st.sampled_from(["done", "done", "done", "lost", "answer lost"]))
    def a_call_to_the_store_ends(self, which: int, fate: str) -> None:
        self.world.store_call_ends(which, fate)
        self.world.settle()

    # -- coordinators -------------------------------------------------------------------------

    @rule(to=WHICH)
    def a_coordinator_ticks(self, to: int) -> None:
        self.world.start(self._coordinator(to).tick())
        self.world.settle()

    @rule(kill=st.booleans())
    def a_coordinator_begins(self, kill: bool) -> None:
        self.world.restart(kill=kill)

    @rule(rounds=st.integers(1, 8), task=TASKS)
    def two_coordinators_work(self, rounds: int, task: str) -> None:
        self.world.calm(rounds, wanted=task, by=self.world.coordinators[-2:])

    @rule(host=WHICH, undo=st.booleans())
    def a_node_is_drained(self, host: int, undo: bool) -> None:
        node = self.world.hosts[host % len(self.world.hosts)].node
        current = self.world.current
        self.world.start(current.undrain(node) if undo else current.drain(node))
        self.world.settle()

    # -- hosts --------------------------------------------------------------------------------

    @rule(host=WHICH, stop=st.booleans())
    def a_host_is_stopped_or_continues(self, host: int, stop: bool) -> None:
        self.world.hosts[host % len(self.world.hosts)].is_stopped = stop

    @precondition(lambda self: len(self.world.hosts) < 6)
    @rule(host=WHICH, rate=RATES)
    def a_host_dies_and_another_starts_on_its_node(self, host: int, rate: float) -> None:
        """The old host's browsers live until its watchdog kills them."""
        old = self.world.hosts[host % len(self.world.hosts)]
        old.is_dead = True
        self.world.add_host(old.node, rate)
        self.world.settle()

    @rule(host=WHICH)
    def a_browser_ends(self, host: int) -> None:
        one = self.world.hosts[host % len(self.world.hosts)]
        if one.runs and not one.is_stopped and not one.is_dead:
            one.end(next(iter(one.runs)), "it ended by itself")

    # -- clients ------------------------------------------------------------------------------

    @rule(task=TASKS, to=WHICH)
    def a_client_acquires(self, task: str, to: int) -> None:
        self.world.acquire(task, self._coordinator(to))
        self.world.settle()

    @precondition(lambda self: self.world.waiting)
    @rule(which=WHICH)
    def a_client_gives_up(self, which: int) -> None:
        self.world.waiting.pop(which % len(self.world.waiting)).cancel()
        self.world.settle()

    @precondition(lambda self: self.world.leases)
    @rule(which=WHICH, to=WHICH)
    def a_client_releases(self, which: int, to: int) -> None:
        leases = self.world.leases
        self.world.release(leases[-1 - which % len(leases)], self._coordinator(to))
        self.world.settle()

    @precondition(lambda self: self.world.leases)
    @rule(which=WHICH, to=WHICH)
    def a_client_reserves_a_place_elsewhere(self, which: int, to: int) -> None:
        lease = self.world.leases[-1 - which % len(self.world.leases)]
        self.world.start(self._coordinator(to).reserve(lease.task, lease.generation))
        self.world.settle()

    @precondition(lambda self: self.world.leases)
    @rule(which=WHICH)
    def a_client_uses_a_lease(self, which: int) -> None:
        self.world.use(self.world.leases[which % len(self.world.leases)])

    def _coordinator(self, which: int) -> Coordinator:
        """Usually the current one."""
        coordinators = self.world.coordinators
        return coordinators[-1 - which % len(coordinators)] if which % 3 == 0 else coordinators[-1]

    @invariant()
    def the_rules_hold(self) -> None:
        open_now = [owned for host in self.world.hosts for owned in host.owned()]
        assert violations(History([*self.world.history.events, *open_now])) == []


TestFleet = Fleet.TestCase
TestFleet.settings = searched(60, steps=60)
