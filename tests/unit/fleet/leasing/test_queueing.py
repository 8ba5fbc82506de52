"""Which task gets a free slot, and which is rejected."""

from __future__ import annotations

import pytest

from tabwarden.errors import Capacity, Denied, InvalidArgument
from tabwarden.fleet.leasing.table import LeaseTable, TableSettings
from tabwarden.fleet.leasing.values import Heartbeat, Host, LeaseRequest, Load


class Filled:
    """A table with hosts of one slot each."""

    def __init__(self, *, hosts: int, max_waiting: int = 10) -> None:
        self.now = 100.0
        self.beats = 0
        self.hosts = [f"h{number}" for number in range(hosts)]
        self.table = LeaseTable(TableSettings(max_waiting=max_waiting), [], 0, self.now)
        for host_id in self.hosts:
            self.table.register(
                Host(
                    host_id=host_id,
                    node=f"node-{host_id}",
                    url="wss://x",
                    certificate="",
                    ticket_key=b"",
                    max_tasks=1,
                ),
                self.now,
            )

    def acquire(self, task: str, tenant: str = "", limit: int | None = None) -> str | None:
        """Return the host, or None if the task waits."""
        wanted = LeaseRequest(task=task, tenant=tenant, max_tasks_of_tenant=limit)
        granted = self.table.acquire(wanted, self.now)
        return granted.row.host_id if granted is not None else None

    def ends(self, *tasks: str) -> list[str]:
        """End these tasks; return which tasks get their slots, in order."""
        held = {row.task: row for row in self.table.tasks()}
        for task in tasks:
            self.table.release(task, held[task].generation)
        for host_id in self.hosts:
            self.beats += 1
            self.table.heartbeat(
                Heartbeat(host_id=host_id, number=self.beats, load=Load(), running=[]), self.now
            )
        return [granted.row.task for granted in self.table.grants(self.now)]


def test_queue_serves_tenants_in_turn() -> None:
    fleet = Filled(hosts=3)
    for task in ("x", "y", "z"):
        assert fleet.acquire(task) is not None
    for task, tenant in [("a1", "a"), ("a2", "a"), ("a3", "a"), ("b1", "b"), ("b2", "b")]:
        assert fleet.acquire(task, tenant) is None
    assert fleet.ends("x", "y", "z") == ["a1", "b1", "a2"]
    assert fleet.ends("a1", "b1") == ["b2", "a3"]


def test_queue_serves_waiting_tasks_before_a_new_task() -> None:
    fleet = Filled(hosts=2)
    assert fleet.acquire("x") is not None
    assert fleet.acquire("y") is not None
    assert fleet.acquire("waits") is None
    held = {row.task: row for row in fleet.table.tasks()}
    fleet.table.release("x", held["x"].generation)
    assert fleet.acquire("later") is None
    assert fleet.ends("y") == ["waits", "later"]


def test_full_queue_rejects_a_task_and_returns_a_retry_time() -> None:
    fleet = Filled(hosts=0, max_waiting=1)
    assert fleet.acquire("a") is None
    with pytest.raises(Capacity) as refused:
        fleet.acquire("b")
    assert refused.value.retry_after_s > 0
    assert fleet.acquire("a") is None  # it is waiting already
    assert fleet.table.refused == 1


def test_queue_rejects_a_tenant_at_its_limit_and_accepts_other_tenants() -> None:
    fleet = Filled(hosts=3)
    assert fleet.acquire("a1", "a", limit=1) is not None
    with pytest.raises(Capacity):
        fleet.acquire("a2", "a", limit=1)
    assert fleet.acquire("b1", "b", limit=1) is not None
    assert fleet.ends("a1") == []
    assert fleet.acquire("a2", "a", limit=1) is not None


def test_host_without_heartbeats_gets_no_tasks() -> None:
    fleet = Filled(hosts=1)
    fleet.now += fleet.table.settings.lease_s + 0.1
    fleet.table.expire(fleet.now)
    assert fleet.acquire("a") is None


def test_drained_node_gets_no_tasks_until_the_drain_is_undone() -> None:
    fleet = Filled(hosts=1)
    fleet.table.drain("node-h0")
    assert fleet.acquire("a") is None
    fleet.table.drain("node-h0", undo=True)
    assert [granted.row.task for granted in fleet.table.grants(fleet.now)] == ["a"]


def test_drain_rejects_an_unknown_node() -> None:
    with pytest.raises(InvalidArgument) as refused:
        Filled(hosts=1).table.drain("n9")
    assert refused.value.data["field"] == "node"
    assert "node-h0" in str(refused.value)


def test_queue_displaces_the_tasks_of_a_tenant_that_fills_it() -> None:
    fleet = Filled(hosts=1, max_waiting=4)
    assert fleet.acquire("x") is not None
    for number in range(4):
        assert fleet.acquire(f"a{number}", "a") is None
    assert fleet.acquire("b0", "b") is None
    assert fleet.acquire("b1", "b") is None
    with pytest.raises(Capacity):
        fleet.acquire("b2", "b")  # it has its share: two of four
    with pytest.raises(Capacity):
        fleet.acquire("a4", "a")
    assert [one.task for one in fleet.table.waiting()] == ["a0", "b0", "a1", "b1"]
    refused = fleet.table.take_refused()
    assert [task for task, _ in refused] == ["a3", "a2"]
    assert all(error.retry_after_s > 0 for _, error in refused)
    assert fleet.table.take_refused() == []
    assert fleet.table.refused == 4


def test_acquire_rejects_a_task_at_once_when_queueing_is_disabled() -> None:
    fleet = Filled(hosts=0, max_waiting=0)
    with pytest.raises(Capacity):
        fleet.acquire("a")
    assert fleet.table.waiting() == []


def retry_after_s(fleet: Filled) -> float:
    with pytest.raises(Capacity) as refused:
        fleet.acquire("one-more")
    return refused.value.retry_after_s


def test_retry_after_depends_on_how_fast_the_queue_moves() -> None:
    fleet = Filled(hosts=1, max_waiting=3)
    assert fleet.acquire("t0") is not None
    for number in range(1, 4):
        assert fleet.acquire(f"t{number}") is None
    for number in range(30):  # a slot becomes free every 2 s
        fleet.now += 2.0
        assert fleet.ends(f"t{number}") == [f"t{number + 1}"]
        assert fleet.acquire(f"t{number + 4}") is None
    assert retry_after_s(fleet) == pytest.approx(2.0 * 4)
    fleet.now += 3_600.0
    assert retry_after_s(fleet) == 60.0
    for number in range(30, 60):
        fleet.now += 0.01
        assert fleet.ends(f"t{number}") == [f"t{number + 1}"]
        assert fleet.acquire(f"t{number + 4}") is None
    assert retry_after_s(fleet) == 1.0


@pytest.mark.threat
@pytest.mark.parametrize("waits", [True, False])
def test_acquire_denies_a_tenant_access_to_another_tenants_task(waits: bool) -> None:
    fleet = Filled(hosts=0 if waits else 1)
    assert (fleet.acquire("t", "a") is None) is waits
    for tenant in ("b", ""):
        with pytest.raises(Denied) as denied:
            fleet.acquire("t", tenant)
        assert denied.value.data["field"] == "task"
    assert (fleet.acquire("t", "a") is None) is waits


def test_placement_chooses_a_host_that_missed_heartbeats_last() -> None:
    fleet = Filled(hosts=3)
    fleet.now += 1.1
    for host_id in fleet.hosts[1:]:
        fleet.table.heartbeat(
            Heartbeat(host_id=host_id, number=1, load=Load(), running=[]), fleet.now
        )
    assert [fleet.acquire(task) for task in ("a", "b", "c")] == ["h1", "h2", "h0"]
