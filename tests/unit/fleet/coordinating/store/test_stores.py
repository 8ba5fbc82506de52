"""The data that every store keeps, and the coordinators that it rejects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from support.memory_store import MemoryStore
from support.redis_server import redis_server

from tabwarden.fleet.coordinating import Store, Superseded, open_store
from tabwarden.fleet.leasing.values import LeaseRow

Redis = pytest.importorskip("redis.asyncio", reason="needs redis: make env").Redis

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with redis_server(tmp_path_factory.mktemp("redis")) as url:
        yield url


@pytest.fixture(params=["memory", "sqlite", "redis"])
async def opened(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[Callable[[], Store]]:
    """Open the same store repeatedly, like successive coordinators."""
    stores: list[Store] = []
    name = f"sqlite:{tmp_path}/leases.db" if request.param == "sqlite" else None
    if request.param == "redis":
        name = request.getfixturevalue("redis_url")
        async with Redis.from_url(name) as redis:
            await redis.flushall()
    memory = MemoryStore()

    def again() -> Store:
        stores.append(open_store(name) if name is not None else memory)
        return stores[-1]

    yield again
    for store in stores:
        await store.close()


def row(task: str, generation: int, host_id: str = "n1-a") -> LeaseRow:
    return LeaseRow(task=task, tenant="", host_id=host_id, node="n1", generation=generation)


async def test_new_store_is_empty(opened: Callable[[], Store]) -> None:
    assert await opened().begin() == (1, 0, [], frozenset())


async def test_next_coordinator_term_reads_the_stored_leases(opened: Callable[[], Store]) -> None:
    first = opened()
    term = (await first.begin()).term
    odd = LeaseRow(task="Ä \x00'\"\n🦝", tenant="t;--", host_id="h", node="n", generation=3)
    await first.write(term, 3, [row("a", 1), row("b", 2), odd], [])
    await first.write(term, 5, [row("a", 5, "n2-b")], [row("b", 2)])
    kept = await opened().begin()
    assert (kept.term, kept.generation) == (2, 5)
    assert sorted(kept.rows, key=lambda one: one.generation) == [odd, row("a", 5, "n2-b")]


async def test_store_removal_of_an_old_lease_keeps_its_replacement(
    opened: Callable[[], Store],
) -> None:
    store = opened()
    term = (await store.begin()).term
    await store.write(term, 1, [row("a", 1)], [])
    await store.write(term, 2, [row("a", 2)], [row("a", 1)])
    await store.write(term, 2, [], [row("a", 1)])
    assert (await opened().begin()).rows == [row("a", 2)]


async def test_stored_lease_generation_never_decreases(opened: Callable[[], Store]) -> None:
    store = opened()
    term = (await store.begin()).term
    await store.write(term, 11, [row("a", 11)], [])
    await store.write(term, 9, [row("b", 9)], [])
    await store.write(term, 0, [], [row("a", 11), row("b", 9)])
    assert await opened().begin() == (2, 11, [], frozenset())


async def test_store_rejects_a_superseded_coordinator(
    opened: Callable[[], Store],
) -> None:
    old, new = opened(), opened()
    first = (await old.begin()).term
    await old.write(first, 1, [row("a", 1)], [])
    second = (await new.begin()).term
    with pytest.raises(Superseded):
        await old.check(first)
    with pytest.raises(Superseded):
        await old.write(first, 2, [row("b", 2)], [row("a", 1)])
    await new.check(second)
    await new.write(second, 2, [row("c", 2)], [])
    kept = await opened().begin()
    assert sorted(one.task for one in kept.rows) == ["a", "c"]
    assert kept.generation == 2


async def test_next_coordinator_term_reads_the_drained_nodes(opened: Callable[[], Store]) -> None:
    store = opened()
    term = (await store.begin()).term
    await store.keep_drained(term, {"n1", "n2"})
    await store.keep_drained(term, {"n2", "Ä'\n🦝"})
    second = await opened().begin()
    assert second.drained == {"n2", "Ä'\n🦝"}
    with pytest.raises(Superseded):
        await store.keep_drained(term, {"n3"})
    await store.keep_drained(second.term, [])
    assert (await opened().begin()).drained == frozenset()


async def test_store_writes_thousands_of_leases_at_once(opened: Callable[[], Store]) -> None:
    store = opened()
    term = (await store.begin()).term
    rows = [row(f"task-{number}", number) for number in range(1, 5_001)]
    await store.write(term, 5_000, rows, [])
    await store.write(term, 5_000, [], rows[:2_500])
    kept = await opened().begin()
    assert sorted(kept.rows, key=lambda one: one.generation) == rows[2_500:]


async def test_coordinators_that_start_at_the_same_time_get_different_terms(
    opened: Callable[[], Store],
) -> None:
    stores = [opened() for _ in range(8)]
    terms = [kept.term for kept in await asyncio.gather(*(one.begin() for one in stores))]
    assert sorted(terms) == list(range(1, 9))


@pytest.mark.parametrize("call", ["begin", "check", "write", "keep_drained"])
async def test_store_with_an_unreachable_redis_raises_os_error(tmp_path: Path, call: str) -> None:
    with redis_server(tmp_path) as url:
        store = open_store(url)
        term = (await store.begin()).term
    calls: dict[str, Callable[[], Awaitable[object]]] = {
        "begin": store.begin,
        "check": lambda: store.check(term),
        "write": lambda: store.write(term, 1, [row("a", 1)], []),
        "keep_drained": lambda: store.keep_drained(term, {"n1"}),
    }
    with pytest.raises(OSError, match="Redis is not responding"):
        await calls[call]()
    await store.close()


async def test_redis_store_keeps_all_leases_when_redis_is_killed(tmp_path: Path) -> None:
    with redis_server(tmp_path) as url:
        store = open_store(url)
        term = (await store.begin()).term
        await store.write(term, 4, [row("a", 4)], [])
        await store.keep_drained(term, {"n2"})
        await store.close()
    with redis_server(tmp_path) as url:
        store = open_store(url)
        assert await store.begin() == (2, 4, [row("a", 4)], {"n2"})
        await store.close()


@pytest.mark.parametrize("name", ["sqlite:{folder}/missing/leases.db", "sqlite:{folder}"])
def test_open_store_raises_os_error_for_an_unusable_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match="can't be used"):
        open_store(name.format(folder=tmp_path))
