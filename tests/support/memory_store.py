"""A store in memory, for simulations: it survives a coordinator, but not the process."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tabwarden.fleet.coordinating import Kept, Superseded
from tabwarden.fleet.leasing.values import LeaseRow

__all__ = ["MemoryStore"]


class MemoryStore:
    """See ``Store``."""

    def __init__(self) -> None:
        self._term = self._generation = 0
        self._rows: dict[str, LeaseRow] = {}
        self._drained: frozenset[str] = frozenset()

    async def begin(self) -> Kept:
        self._term += 1
        return Kept(self._term, self._generation, list(self._rows.values()), self._drained)

    async def check(self, term: int) -> None:
        if term != self._term:
            raise Superseded

    async def write(
        self, term: int, generation: int, put: Sequence[LeaseRow], remove: Sequence[LeaseRow]
    ) -> None:
        await self.check(term)
        self._generation = max(self._generation, generation)
        for row in remove:
            if self._rows.get(row.task) == row:
                del self._rows[row.task]
        self._rows.update((row.task, row) for row in put)

    async def keep_drained(self, term: int, nodes: Collection[str]) -> None:
        await self.check(term)
        self._drained = frozenset(nodes)

    async def close(self) -> None:
        """Do nothing."""
