"""Leasing: which host runs which task. Pure: it reads no clock and does no I/O.

``LeaseTable`` has the rules that keep a task from ever having two owners
(docs/decisions/0031-leases.md). ``placement`` chooses a host; ``queue`` is fair between tenants;
``reservations`` keep places for tasks that move. ``values`` has what hosts, clients and the
coordinator say to each other.
"""

from tabwarden.fleet.leasing.table import Granted, LeaseTable, TableSettings
from tabwarden.fleet.leasing.values import (
    Cause,
    FleetStatus,
    Heartbeat,
    HeartbeatAnswer,
    Host,
    Lease,
    LeaseRow,
    Load,
    Lost,
    NodeStatus,
    Registered,
    TaskStatus,
    WaitingStatus,
    Wanted,
)

__all__ = [
    "Cause",
    "FleetStatus",
    "Granted",
    "Heartbeat",
    "HeartbeatAnswer",
    "Host",
    "Lease",
    "LeaseRow",
    "LeaseTable",
    "Load",
    "Lost",
    "NodeStatus",
    "Registered",
    "TableSettings",
    "TaskStatus",
    "WaitingStatus",
    "Wanted",
]
