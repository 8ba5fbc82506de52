"""The values that hosts, clients and the coordinator exchange. All of them are immutable."""

from __future__ import annotations

from typing import Literal

import msgspec

Cause = Literal["", "browser ended", "not started"]
"""How the browser caused a lease to end: it exited on its own, or it did not start; "" if the lease
ended for another reason.
"""


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """A host that registers.

    Attributes:
        host_id: a new ID at each start of the host.
        node: the node's name, for people.
        url: where clients connect: ``wss://HOST:PORT``.
        certificate: its TLS certificate as PEM, which clients pin.
        ticket_key: the key that signs the tickets that the host accepts. Only the host and the
            coordinator know it.
        max_tasks: the maximum number of browsers at a time.
    """

    host_id: str
    node: str
    url: str
    certificate: str
    ticket_key: bytes
    max_tasks: int

    def __repr__(self) -> str:
        return f"Host({self.host_id} at {self.url})"


class Registered(msgspec.Struct, frozen=True):
    """The terms of a host's leases.

    Attributes:
        lease_s: a lease is valid for this long after the host sent a heartbeat or a pulse.
        heartbeat_s: how often to send a heartbeat and a pulse.
        pulses: where the coordinator receives pulses, as ``IP:PORT``; "" if it accepts none.
    """

    lease_s: float
    heartbeat_s: float
    pulses: str = ""


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """What a host reports about itself.

    Attributes:
        warm: how many browsers the host has started ahead of time.
        free_memory_mb: its available memory; None if unknown.
        browser_memory_mb: the memory of all its browsers (PSS), read every few seconds.
        nearly_late: how many renewals arrived in the last quarter of the leases' time.
    """

    warm: int = 0
    nearly_late: int = 0
    free_memory_mb: int | None = None
    browser_memory_mb: int = 0


class Heartbeat(msgspec.Struct, frozen=True, kw_only=True):
    """A host's report.

    Attributes:
        number: increases with each heartbeat from this host. The coordinator ignores a heartbeat
            that is older than the newest one.
        running: the tasks whose browsers it runs or starts, with their generations.
        ended: tasks that it ended on its own: task, generation, reason, cause.
        is_leaving: whether the host has ended all tasks and is stopping.
    """

    host_id: str
    number: int
    load: Load
    running: list[tuple[str, int]]
    ended: list[tuple[str, int, str, Cause]] = []
    is_leaving: bool = False


class HeartbeatAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The coordinator's orders for a host.

    Attributes:
        is_known: False if the host must register again. Then the other fields are meaningless.
        owned: the host's leases. The reply renews them, and also the leases that the host must end.
        end: tasks of ``running`` that it must end.
    """

    is_known: bool = True
    owned: list[tuple[str, int]] = []
    end: list[tuple[str, int]] = []


class LeaseRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A client's request for a browser.

    Attributes:
        timeout_s: how long to wait for a place, in seconds.
        max_tasks_of_tenant: the tenant's limit; None for no limit.
    """

    task: str
    tenant: str = ""
    timeout_s: float = 30.0
    max_tasks_of_tenant: int | None = None


class Lease(msgspec.Struct, frozen=True, kw_only=True):
    """A task's place on a host, with the data that a client needs to connect.

    Attributes:
        generation: a number that increases with each lease in the fleet. A host rejects an older
            generation.
        ticket: proves to the host that this client may use this generation of the task.
    """

    task: str
    tenant: str
    host_id: str
    node: str
    generation: int
    url: str
    certificate: str
    ticket: str

    def __repr__(self) -> str:
        return f"Lease({self.task}, generation {self.generation}, on {self.node})"


class LeaseRow(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a lease that is stored, so that the next coordinator knows the lease."""

    task: str
    tenant: str
    host_id: str
    node: str
    generation: int


class Lost(msgspec.Struct, frozen=True):
    """How a lease ended, or must end.

    Attributes:
        reason: a clause, as in "the node n2 was lost".
        planned: whether the reason is that the node is drained. If so, the lease is still valid,
            and the client should move the task when it is idle.
    """

    reason: str
    node: str
    planned: bool = False
    cause: Cause = ""


class NodeStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A node in the fleet's status.

    Attributes:
        state: ``silent`` while neither heartbeats nor pulses arrive.
        nearly_late: see ``Load``.
    """

    node: str
    host_id: str
    url: str
    state: Literal["up", "silent"]
    is_draining: bool
    tasks: int
    max_tasks: int
    warm: int
    free_memory_mb: int | None
    browser_memory_mb: int
    nearly_late: int


class TaskStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A task that has a lease."""

    task: str
    tenant: str
    node: str
    generation: int


class WaitingStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A task that waits for a place."""

    task: str
    tenant: str


class FleetStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The fleet's state, as known to the coordinator.

    Attributes:
        drained: the names of the drained nodes, even those that are away.
        term: the number of coordinators that this fleet has had.
        granted: the number of leases that this coordinator has granted.
        refused: how many requests it has refused for lack of a place.
        lost: how many leases ended because their node was lost.
    """

    nodes: list[NodeStatus]
    tasks: list[TaskStatus]
    waiting: list[WaitingStatus]
    drained: list[str]
    term: int
    granted: int
    refused: int
    lost: int
