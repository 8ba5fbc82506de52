"""A drained node stays drained until the drain is undone, across restarts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from support.simulated_fleet import FarStore, World

from tabwarden.errors import Capacity, InvalidArgument
from tabwarden.fleet.leasing.table import TableSettings
from tabwarden.fleet.leasing.values import LeaseRequest


@pytest.fixture
def world() -> Iterator[World]:
    with closing(World(TableSettings(), FarStore())) as world:
        world.add_host("n0", 1.0)
        world.calm(2)
        world.run(world.current.drain("n0"))
        yield world


def gets_a_task(world: World) -> bool:
    world.acquire("t", world.current)
    world.calm(8)
    return bool(world.leases)


def leave(world: World) -> None:
    """The host dies, and stays away until the coordinator has removed it."""
    world.hosts[-1].is_dead = True
    world.calm(8)
    assert world.run(world.current.status()).nodes == []


def test_drained_node_stays_drained_when_the_coordinator_restarts(world: World) -> None:
    world.restart(kill=True)
    assert not gets_a_task(world)
    assert [node.is_draining for node in world.run(world.current.status()).nodes] == [True]
    world.run(world.current.undrain("n0"))
    world.calm(2)
    assert gets_a_task(world)


def test_undone_drain_stays_undone_when_the_coordinator_restarts(world: World) -> None:
    world.run(world.current.undrain("n0"))
    world.restart(kill=True)
    assert gets_a_task(world)


def test_drained_node_stays_drained_when_its_host_leaves_and_returns(world: World) -> None:
    leave(world)
    world.add_host("n0", 1.0)
    assert not gets_a_task(world)


def test_drain_can_be_undone_while_the_node_is_offline(world: World) -> None:
    leave(world)
    assert world.run(world.current.status()).drained == ["n0"]
    world.run(world.current.undrain("n0"))
    assert world.run(world.current.status()).drained == []
    with pytest.raises(InvalidArgument):
        world.run(world.current.undrain("n0"))
    world.add_host("n0", 1.0)
    assert gets_a_task(world)


def test_drain_returns_only_after_the_store_recorded_the_drain(world: World) -> None:
    world.run(world.current.undrain("n0"))
    world.store.is_far = True
    drained = world.start(world.current.drain("n0"))
    world.settle()
    assert not drained.done()
    world.store_answers()
    assert drained.done()


# -- tasks that move --------------------------------------------------------------------------


@pytest.fixture
def moving() -> Iterator[World]:
    """A task on ``n0``, which is drained, and an empty node ``n1`` with three slots."""
    with closing(World(TableSettings(max_waiting=1), FarStore())) as world:
        world.add_host("n0", 1.0)
        world.calm(2)
        world.acquire("t", world.current)
        world.calm(1)
        world.run(world.current.drain("n0"))
        world.add_host("n1", 1.0)
        world.calm(1)
        yield world


def fill(world: World, tasks: int) -> None:
    for number in range(tasks):
        world.acquire(f"other-{number}", world.current)
    world.calm(2)


def nodes_of(world: World, task: str) -> list[str]:
    return [lease.node for lease in world.leases if lease.task == task]


def move(world: World) -> None:
    """The task returns its lease and requests another one."""
    world.release(world.leases[0], world.current)
    world.settle()
    world.acquire("t", world.current)
    world.calm(4)


def test_reserve_holds_a_slot_for_a_moving_task_before_it_releases_its_lease(
    moving: World,
) -> None:
    fill(moving, 2)
    moving.run(moving.current.reserve("t", moving.leases[0].generation))
    fill(moving, 4)  # more than the slots and the queue allow
    assert nodes_of(moving, "t") == ["n0"]
    move(moving)
    assert nodes_of(moving, "t") == ["n0", "n1"]
    assert len(moving.run(moving.current.status()).tasks) == 3


def test_full_fleet_rejects_a_move_and_the_task_keeps_its_lease(
    moving: World,
) -> None:
    fill(moving, 3)
    with pytest.raises(Capacity) as refused:
        moving.run(moving.current.reserve("t", moving.leases[0].generation))
    assert refused.value.retry_after_s > 0
    moving.calm(8)
    assert "t" in moving.hosts[0].runs
    assert [one.node for one in moving.run(moving.current.status()).tasks if one.task == "t"] == [
        "n0"
    ]


def test_unused_reserved_slot_becomes_free(moving: World) -> None:
    moving.run(moving.current.reserve("t", moving.leases[0].generation))
    fill(moving, 3)
    assert len(nodes_of(moving, "other-2")) == 0
    moving.calm(40)
    assert nodes_of(moving, "other-2") == ["n1"]


def test_moving_task_gets_another_node_when_its_reserved_node_is_lost(moving: World) -> None:
    moving.run(moving.current.reserve("t", moving.leases[0].generation))
    moving.hosts[1].is_dead = True
    moving.add_host("n2", 1.0)
    moving.calm(8)
    move(moving)
    assert nodes_of(moving, "t") == ["n0", "n2"]


def test_repeated_reserve_calls_occupy_only_one_slot(moving: World) -> None:
    for _ in range(3):
        moving.run(moving.current.reserve("t", moving.leases[0].generation))
    fill(moving, 2)
    assert nodes_of(moving, "other-1") == ["n1"]


def test_reserve_ignores_a_released_lease(moving: World) -> None:
    moving.release(moving.leases[0], moving.current)
    moving.settle()
    moving.run(moving.current.reserve("t", moving.leases[0].generation))
    fill(moving, 3)
    assert nodes_of(moving, "other-2") == ["n1"]


def test_tenant_at_its_limit_can_move(moving: World) -> None:
    """The lease that the task gives up does not count."""
    moving.release(moving.leases[0], moving.current)
    moving.settle()
    asked = moving.start(
        moving.current.acquire(LeaseRequest(task="t", timeout_s=1e6, max_tasks_of_tenant=1))
    )
    moving.calm(4)
    assert asked.done()
    assert [one.node for one in moving.run(moving.current.status()).tasks] == ["n1"]
