"""A host's report of one lease ends no other lease."""

from __future__ import annotations

import msgspec
import pytest

from tabwarden.fleet.leasing.table import Granted, LeaseTable, TableSettings
from tabwarden.fleet.leasing.values import Heartbeat, Host, LeaseRequest, Load


def table_of(*nodes: str) -> LeaseTable:
    table = LeaseTable(TableSettings(min_free_memory_mb=0), [], 0, 0.0)
    for node in nodes:
        table.register(
            Host(host_id=node, node=node, url="", certificate="", ticket_key=b"", max_tasks=4), 0.0
        )
        table.heartbeat(beat(node, 1), 0.0)
    return table


def beat(
    node: str,
    number: int,
    running: list[tuple[str, int]] | None = None,
    ended: list[tuple[str, int]] | None = None,
) -> Heartbeat:
    told = [(task, generation, "it ended", "") for task, generation in ended or []]
    return Heartbeat(host_id=node, number=number, load=Load(), running=running or [], ended=told)  # type: ignore[arg-type]


def acquired(table: LeaseTable, now: float) -> Granted:
    granted = table.acquire(LeaseRequest(task="t"), now)
    assert granted is not None
    return granted


@pytest.mark.threat
@pytest.mark.parametrize("moves", [False, True])
@pytest.mark.parametrize("number", [2, 9], ids=["late", "newest"])
def test_repeated_report_of_an_older_lease_does_not_end_the_newer_lease(
    moves: bool, number: int
) -> None:
    """Its heartbeat may come late, or the coordinator's answer to it was lost. The newer lease has
    a browser."""
    table = table_of("n1", "n2")
    first = acquired(table, 0.1).row
    table.heartbeat(beat(first.host_id, 3, ended=[("t", first.generation)]), 0.2)
    if moves:
        table.drain(first.node)
    else:
        table.drain({"n1": "n2", "n2": "n1"}[first.node])
    second = acquired(table, 0.3)
    assert second.is_new
    assert (second.row.host_id != first.host_id) is moves
    told = beat(first.host_id, number, ended=[("t", first.generation)])
    table.heartbeat(told, 0.4)
    assert acquired(table, 0.5) == Granted(second.row, is_new=False)


@pytest.mark.threat
def test_host_cannot_end_the_lease_of_another_host() -> None:
    table = table_of("n1", "n2")
    lease = acquired(table, 0.1).row
    other = {"n1": "n2", "n2": "n1"}[lease.host_id]
    answer = table.heartbeat(beat(other, 2, [("t", 1)], [("t", 1)]), 0.2)
    assert answer.end == [("t", 1)]
    assert answer.owned == []
    assert acquired(table, 0.3) == Granted(lease, is_new=False)


@pytest.mark.threat
def test_late_release_does_not_end_a_newer_lease() -> None:
    table = table_of("n1")
    first = acquired(table, 0.1).row
    table.heartbeat(beat("n1", 2, ended=[("t", first.generation)]), 0.2)
    second = acquired(table, 0.3)
    assert table.release("t", first.generation) is None
    assert acquired(table, 0.4) == Granted(second.row, is_new=False)


@pytest.mark.threat
def test_task_on_a_leaving_host_moves_only_after_its_lease_expires() -> None:
    """The browser can live until the host's watchdog kills it."""
    table = table_of("n1", "n2")
    lease = acquired(table, 0.1).row
    leaving = msgspec.structs.replace(beat(lease.host_id, 2, [("t", 1)]), is_leaving=True)
    table.heartbeat(leaving, 0.2)
    over = 0.2 + table.settings.longest_s
    table.heartbeat(beat({"n1": "n2", "n2": "n1"}[lease.host_id], 2), over - 0.5)
    table.expire(over - 0.01)
    assert table.acquire(LeaseRequest(task="t"), over - 0.01) is None
    table.expire(over)
    assert [granted.row.generation for granted in table.grants(over)] == [2]
