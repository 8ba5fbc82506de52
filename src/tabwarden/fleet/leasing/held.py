"""The table's leases: those that are held, and how others ended."""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from tabwarden.fleet.leasing.values import LeaseRow, Lost

_REMEMBERED = 20_000
"""How many ended leases are remembered, for clients that ask what became of theirs."""


class Granted(msgspec.Struct, frozen=True):
    """A lease for a task, new or from before."""

    row: LeaseRow
    is_new: bool


class Held:
    """A lease that its host may still count as valid."""

    def __init__(self, row: LeaseRow) -> None:
        self.row = row
        self.is_released = False
        """Nobody wants it any more, but the host may not have ended its browser yet."""


class Ends:
    """How the last leases ended."""

    def __init__(self) -> None:
        self._lost: OrderedDict[tuple[str, int], Lost] = OrderedDict()

    def add(self, row: LeaseRow, lost: Lost) -> None:
        self._lost[row.task, row.generation] = lost
        while len(self._lost) > _REMEMBERED:
            self._lost.popitem(last=False)

    def of(self, task: str, generation: int) -> Lost:
        """Return how a lease ended, as far as that is remembered."""
        return self._lost.get((task, generation), Lost("its lease ended", ""))
