"""The queue of tasks that wait for a place: bounded, and fair between tenants."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from tabwarden.fleet.leasing.values import Wanted


class FairQueue:
    """Tenants take turns. The tasks of one tenant keep their order.

    Args:
        most: how many tasks may wait in all.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: OrderedDict[str, OrderedDict[str, Wanted]] = OrderedDict()
        """By tenant, the one whose turn is next first; then by task."""

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def __contains__(self, task: str) -> bool:
        return any(task in tasks for tasks in self._waiting.values())

    @property
    def is_full(self) -> bool:
        return len(self) >= self._most

    def add(self, wanted: Wanted) -> None:
        self._waiting.setdefault(wanted.tenant, OrderedDict())[wanted.task] = wanted

    def remove(self, task: str) -> None:
        """Remove a task that waits no longer. Does nothing if it does not wait."""
        for tenant, tasks in list(self._waiting.items()):
            if tasks.pop(task, None) is not None and not tasks:
                del self._waiting[tenant]

    def served(self, wanted: Wanted) -> None:
        """Remove a task that got a place. Its tenant's next turn comes after all others'."""
        self.remove(wanted.task)
        if wanted.tenant in self._waiting:
            self._waiting.move_to_end(wanted.tenant)

    def in_turn(self) -> Iterator[Wanted]:
        """Yield the waiting tasks in the order in which they should get places."""
        columns = [list(tasks.values()) for tasks in self._waiting.values()]
        for row in range(max(map(len, columns), default=0)):
            for column in columns:
                if row < len(column):
                    yield column[row]
