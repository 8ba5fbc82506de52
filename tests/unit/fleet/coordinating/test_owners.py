"""Histories that risk a task with two owners or a reused generation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from support.fleet_history import History, violations
from support.simulated_fleet import FarStore, Fate, SimulatedHost, World

from tabwarden.fleet.coordinating import Superseded
from tabwarden.fleet.leasing.table import TableSettings


@contextmanager
def simulated(
    *, rate: float = 1.0, settings: TableSettings | None = None, fences: bool = True
) -> Iterator[World]:
    world = World(settings or TableSettings(), FarStore(fences=fences))
    for node in ("n0", "n1"):
        world.add_host(node, rate)
    world.calm(2)
    yield world
    world.close()


def faults(world: World) -> list[str]:
    owned = [one for host in world.hosts for one in host.owned()]
    return violations(History([*world.history.events, *owned]))


@pytest.fixture
def world() -> Iterator[World]:
    with simulated() as world:
        yield world
    assert faults(world) == []


def acquired(world: World, task: str) -> str:
    """Acquire a task; return the name of its node."""
    world.acquire(task, world.current)
    world.calm(1)
    return world.leases[-1].node


@pytest.mark.threat
@pytest.mark.parametrize("lease_s", [2.0, 60.0])
@pytest.mark.parametrize(("margin", "is_safe"), [(TableSettings().margin, True), (-0.05, False)])
def test_lease_margin_covers_a_slow_clock(lease_s: float, margin: float, is_safe: bool) -> None:
    """The host's clock counts 4 s in 5 s of the coordinator's."""
    settings = TableSettings(lease_s=lease_s, heartbeat_s=lease_s / 4, margin=margin)
    with simulated(rate=0.8, settings=settings) as world:
        node = acquired(world, "t")
        cut = next(host for host in world.hosts if host.node == node)
        world.calm(8, cut=cut, wanted="t")
        assert world.leases[-1].node != node
        assert (faults(world) == []) is is_safe


@pytest.mark.threat
@pytest.mark.parametrize("fences", [True, False])
def test_superseded_coordinator_cannot_grant_leases(fences: bool) -> None:
    with simulated(fences=fences) as world:
        acquired(world, "t")
        world.restart(kill=False)
        world.calm(8, wanted="t", by=world.coordinators)
        assert (faults(world) == []) is fences


def test_coordinator_does_not_count_a_late_heartbeat_as_proof_of_a_browsers_end(
    world: World,
) -> None:
    """The heartbeat was sent before the browser started."""
    for host in world.hosts:
        world.send_beat(host, world.current)
    late, world.messages = world.messages, []
    acquired(world, "t")
    world.release(world.leases[-1], world.current)
    world.settle()
    for message in late:
        message()
    world.settle()
    world.messages.clear()
    world.hosts[0].is_dead = world.hosts[1].is_dead = True
    world.add_host("n2", rate=1.0)
    world.acquire("t", world.current)
    world.calm(1)
    assert len(world.leases) == 1  # it waits until the old browser must have ended
    world.calm(5)
    assert world.leases[-1].node == "n2"


def test_coordinator_makes_one_store_write_at_a_time(world: World) -> None:
    """Two could change places in the network, and bring an old lease back. The others wait, and
    go together."""
    world.store.is_far = True
    for task in ("t", "u", "v"):
        world.acquire(task, world.current)
        world.settle()
        assert len(world.store.under_way) == 1
    world.store_call_ends(0, "done")
    world.settle()
    assert [lease.task for lease in world.leases] == ["t"]
    assert len(world.store.under_way) == 1
    world.store_call_ends(0, "done")
    world.settle()
    assert [lease.task for lease in world.leases] == ["t", "u", "v"]
    assert world.store.under_way == []


def test_coordinator_grants_no_lease_before_it_is_stored(world: World) -> None:
    """Its generation would be granted again if the coordinator died now."""
    world.store.is_far = True
    world.acquire("t", world.current)
    world.settle()
    world.acquire("t", world.current)
    for host in world.hosts:
        world.send_beat(host, world.current)
    for message in world.messages[:]:
        world.messages.remove(message)
        message()
    world.settle()
    assert world.leases == []
    assert world.messages == []
    world.restart(kill=True)
    world.store.under_way.clear()  # lost
    world.store.is_far = False
    world.calm(6)
    world.acquire("other", world.current)
    world.calm(2)
    assert world.leases[-1].generation == 1


@pytest.mark.parametrize("fate", ["lost", "answer lost"])
def test_coordinator_exits_if_a_write_may_be_lost(world: World, fate: Fate) -> None:
    """Its table and the store can differ. The next coordinator uses the store."""
    world.store.is_far = True
    world.acquire("t", world.current)
    world.settle()
    world.store_call_ends(0, fate)
    world.store.is_far = False
    with pytest.raises(Superseded):
        world.run(world.current.tick())
    world.restart(kill=True)
    world.calm(6)
    world.acquire("t", world.current)
    world.calm(2)
    assert [host.runs["t"].generation for host in world.hosts if "t" in host.runs] == [1]


def test_coordinator_survives_one_failed_store_check(world: World) -> None:
    world.store.is_far = True
    asked = world.start(world.current.status())
    world.settle()
    world.store_call_ends(0, "lost")
    world.settle()
    assert asked.done()
    world.store.is_far = False
    assert world.run(world.current.status()).term == 1


def test_lease_release_survives_a_coordinator_restart(world: World) -> None:
    acquired(world, "t")
    world.release(world.leases[-1], world.current)
    world.settle()
    world.restart(kill=True)
    world.acquire("t", world.current)
    world.calm(8)
    assert [lease.generation for lease in world.leases] == [1, 2]


def test_canceled_client_does_not_delay_other_clients_in_its_write_batch(world: World) -> None:
    world.store.is_far = True
    world.acquire("t", world.current)
    world.settle()
    world.acquire("u", world.current)
    world.acquire("v", world.current)
    world.settle()
    world.waiting[1].cancel()
    world.store_answers()
    world.store_answers()
    assert [lease.task for lease in world.leases] == ["t", "v"]


def of(world: World, node: str) -> SimulatedHost:
    return next(host for host in world.hosts if host.node == node)


def test_pulses_keep_the_leases_of_a_host_too_busy_for_heartbeats(world: World) -> None:
    node = acquired(world, "t")
    world.calm(1)
    world.calm(28, wanted="t", beats=False)  # 14 s
    assert {lease.generation for lease in world.leases} == {1}
    assert of(world, node).owns("t", 1)


def test_pulses_alone_do_not_keep_the_leases_of_a_hung_host_forever(world: World) -> None:
    node = acquired(world, "t")
    of(world, node).is_stopped = True
    world.calm(40, wanted="t")  # 20 s
    assert world.leases[-1].node != node
    assert of(world, world.leases[-1].node).owns("t", world.leases[-1].generation)


def test_task_of_a_dead_host_gets_another_host_within_four_seconds(world: World) -> None:
    node = acquired(world, "t")
    of(world, node).is_dead = True
    world.calm(8, wanted="t")
    assert of(world, world.leases[-1].node).owns("t", 2)


@pytest.mark.threat
def test_new_coordinator_grants_no_lease_while_pulses_keep_the_old_browser(world: World) -> None:
    """The lease was released, but its host does not know yet: heartbeat answers are late."""
    old = of(world, acquired(world, "t"))
    world.calm(1)
    world.release(world.leases[-1], world.current)
    world.settle()
    world.restart(kill=True)
    world.run(world.current.register(old.introduced()))
    for _ in range(12):
        world.acquire("t", world.current)
        world.send_beat(old, world.current)
        world.messages.pop()()  # it arrives, but its answer does not
        world.settle()
        world.messages.clear()
        world.send_pulse(old, world.current)
        world.messages.pop()()
        world.settle()
        world.messages.pop()()
        for other in world.hosts:
            if other is not old:
                world.send_beat(other, world.current)
        world.calm(1, cut=old)
    assert old.owns("t", 1)
    assert len(world.leases) == 1


@pytest.mark.threat
def test_watchdogs_extend_no_lease_until_a_new_coordinator_receives_a_heartbeat(
    world: World,
) -> None:
    old = of(world, acquired(world, "t"))
    world.calm(1)
    world.release(world.leases[-1], world.current)
    world.settle()
    world.restart(kill=True)
    world.run(world.current.register(old.introduced()))
    for _ in range(12):
        world.send_pulse(old, world.current)
        world.calm(1, cut=old, wanted="t")
    assert not old.owns("t", 1)
    assert world.leases[-1].node != old.node
