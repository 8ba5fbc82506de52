"""A drained node stays drained until that is undone, whatever restarts meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from support.simulated_fleet import FarStore, World

from tabwarden.errors import InvalidArgument
from tabwarden.fleet.leasing import TableSettings


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
    """The host dies, and stays away until the coordinator has forgotten it."""
    world.hosts[-1].is_dead = True
    world.calm(8)
    assert world.run(world.current.status()).nodes == []


def test_a_drained_node_stays_drained_when_the_coordinator_restarts(world: World) -> None:
    world.restart(kill=True)
    assert not gets_a_task(world)
    assert [node.is_draining for node in world.run(world.current.status()).nodes] == [True]
    world.run(world.current.undrain("n0"))
    world.calm(2)
    assert gets_a_task(world)


def test_an_undone_drain_stays_undone_when_the_coordinator_restarts(world: World) -> None:
    world.run(world.current.undrain("n0"))
    world.restart(kill=True)
    assert gets_a_task(world)


def test_a_drained_node_stays_drained_when_its_host_leaves_and_comes_back(world: World) -> None:
    leave(world)
    world.add_host("n0", 1.0)
    assert not gets_a_task(world)


def test_a_drain_can_be_undone_while_the_node_is_away(world: World) -> None:
    leave(world)
    assert world.run(world.current.status()).drained == ["n0"]
    world.run(world.current.undrain("n0"))
    assert world.run(world.current.status()).drained == []
    with pytest.raises(InvalidArgument):
        world.run(world.current.undrain("n0"))
    world.add_host("n0", 1.0)
    assert gets_a_task(world)


def test_nobody_hears_of_a_drain_before_the_store_has_it(world: World) -> None:
    world.run(world.current.undrain("n0"))
    world.store.is_far = True
    drained = world.start(world.current.drain("n0"))
    world.settle()
    assert not drained.done()
    world.store_answers()
    assert drained.done()
