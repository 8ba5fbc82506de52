"""``HostState``: the data that the table has about a host."""

from __future__ import annotations

from tabwarden.fleet.leasing.placement import Place
from tabwarden.fleet.leasing.values import Heartbeat, Host, Load, NodeStatus


class HostState:
    """A host and its latest report.

    Attributes:
        heard_at: when its newest heartbeat arrived, in the coordinator's monotonic seconds.
        renewed_at: when its leases were last renewed.
        tasks: the tasks that have a lease here or are ending here.
        reserved: the tasks that will move here.
        placed: how many tasks have been placed here since the last heartbeat.
    """

    def __init__(self, host: Host, now: float) -> None:
        self.host = host
        self.load = Load()
        self.heard_at = self.renewed_at = now
        self.tasks: set[str] = set()
        self.reserved: set[str] = set()
        self.placed = 0
        self._beats = 0
        """The number of the host's newest heartbeat."""
        self._pulses = 0
        """The number of the host's newest pulse."""

    def reports(self, beat: Heartbeat, now: float) -> bool:
        """Apply a heartbeat's report; return False and ignore the heartbeat if a newer heartbeat
        has already arrived.
        """
        if beat.number <= self._beats:
            return False
        self._beats = beat.number
        self.heard_at, self.load, self.placed = now, beat.load, 0
        return True

    def takes_pulse(self, number: int, now: float, report_s: float) -> bool:
        """Whether a pulse may renew the leases. It may if it is the newest pulse, and if a
        heartbeat in the last ``report_s`` seconds has reported what the host runs.
        """
        if number <= self._pulses or not self._beats or now - self.heard_at > report_s:
            return False
        self._pulses = number
        return True

    def place(self, *, is_late: bool) -> Place:
        """Return the host's free places, warm browsers and memory."""
        return Place(
            host_id=self.host.host_id,
            free=self.host.max_tasks - len(self.tasks) - len(self.reserved),
            max_tasks=self.host.max_tasks,
            warm=self.load.warm - self.placed,
            free_memory_mb=self.load.free_memory_mb,
            placed=self.placed,
            is_late=is_late,
        )

    def status(self, *, is_up: bool, is_draining: bool) -> NodeStatus:
        return NodeStatus(
            node=self.host.node,
            host_id=self.host.host_id,
            url=self.host.url,
            state="up" if is_up else "silent",
            is_draining=is_draining,
            tasks=len(self.tasks),
            max_tasks=self.host.max_tasks,
            warm=self.load.warm,
            free_memory_mb=self.load.free_memory_mb,
            browser_memory_mb=self.load.browser_memory_mb,
            nearly_late=self.load.nearly_late,
        )
