"""TableSettings: the terms of all leases, and the limits of placement."""

from __future__ import annotations

import msgspec


class TableSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How a fleet gives leases.

    Attributes:
        lease_s: how long a host may count a lease as valid, in seconds of its own clock.
        margin: by which share of ``lease_s`` the table waits longer than that.
        heartbeat_s: how often hosts send heartbeats, and their watchdogs pulses, in seconds.
        report_s: how long pulses alone keep a host's leases, in seconds after its last heartbeat.
        max_waiting: how many tasks may wait.
        min_free_memory_mb: a host with less available memory gets no task.
    """

    lease_s: float = 2.0
    margin: float = 0.25
    heartbeat_s: float = 0.5
    report_s: float = 15.0
    max_waiting: int = 1_000
    min_free_memory_mb: int = 512

    @property
    def longest_s(self) -> float:
        """How long a host may count a lease as valid, in seconds of the coordinator's clock."""
        return self.lease_s * (1 + self.margin)
