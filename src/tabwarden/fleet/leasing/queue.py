"""The queue of tasks that are waiting for a place. It is bounded, and fair between tenants."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator

from tabwarden.fleet.leasing.values import LeaseRequest

_RECENT = 20
"""How many of the most recently freed places are used to estimate how often a place becomes
free.
"""
_ASSUMED_S = 5.0
"""The assumed time until a place becomes free, while the queue has no measurements."""
_SOONEST_S, _LATEST_S = 1.0, 60.0
"""The minimum and the maximum of the time after which a refused client should try again."""


class FairQueue:
    """Tenants take turns. Each tenant's tasks keep their order.

    Args:
        most: the maximum number of waiting tasks.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: OrderedDict[str, OrderedDict[str, LeaseRequest]] = OrderedDict()
        """Waiting tasks by tenant, the tenant whose turn is next first; then by task."""
        self._places: deque[float] = deque(maxlen=_RECENT)
        """When the last waiting tasks got places, since the queue was empty."""

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def tenant_of(self, task: str) -> str | None:
        """Return the tenant of a waiting task; None if the task is not waiting."""
        return next((one for one, tasks in self._waiting.items() if task in tasks), None)

    @property
    def is_full(self) -> bool:
        return len(self) >= self._most

    def make_room(self, tenant: str) -> LeaseRequest | None:
        """Remove and return the newest task of the tenant with the most waiting tasks; None if
        ``tenant`` would then have at least as many waiting tasks.
        """
        most = max(self._waiting.values(), key=len, default=OrderedDict[str, LeaseRequest]())
        if len(self._waiting.get(tenant, ())) + 1 >= len(most):
            return None
        return most.popitem()[1]

    def add(self, wanted: LeaseRequest, now: float) -> None:
        if not self._waiting:
            self._places = deque([now - _ASSUMED_S], maxlen=_RECENT)
        self._waiting.setdefault(wanted.tenant, OrderedDict())[wanted.task] = wanted

    def remove(self, task: str) -> None:
        """Remove a task that is no longer waiting. Does nothing if the task is not in the queue."""
        for tenant, tasks in list(self._waiting.items()):
            if tasks.pop(task, None) is not None and not tasks:
                del self._waiting[tenant]

    def served(self, wanted: LeaseRequest, now: float) -> None:
        """Remove a task that got a place. The tenant's next turn comes after the turns of all other
        tenants.
        """
        self.remove(wanted.task)
        if wanted.tenant in self._waiting:
            self._waiting.move_to_end(wanted.tenant)
        self._places.append(now)

    def retry_after_s(self, now: float) -> float:
        """Return the estimated number of seconds until one more waiting task would get a place."""
        each_s = _ASSUMED_S
        if self._places:
            each_s = (now - self._places[0]) / max(1, len(self._places) - 1)
        return round(min(max(each_s * (len(self) + 1), _SOONEST_S), _LATEST_S), 1)

    def in_turn(self) -> Iterator[LeaseRequest]:
        """Yield the waiting tasks in the order in which they should get places."""
        columns = [list(tasks.values()) for tasks in self._waiting.values()]
        for row in range(max(map(len, columns), default=0)):
            for column in columns:
                if row < len(column):
                    yield column[row]
