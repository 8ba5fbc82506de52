"""The interface of a store."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, Protocol

from tabwarden.fleet.leasing.values import LeaseRow


class Superseded(Exception):
    """Another coordinator has begun a newer term, so this coordinator must stop."""


class Kept(NamedTuple):
    """The content of a store when a term begins."""

    term: int
    generation: int
    """The last generation number that any coordinator granted; 0 for a new store."""
    rows: list[LeaseRow]
    drained: frozenset[str]
    """The names of the drained nodes."""


class Store(Protocol):
    """Stores the leases and the names of drained nodes.

    Methods raise ``OSError`` if the store can't be reached.
    """

    async def begin(self) -> Kept:
        """Begin a new term."""
        ...

    async def check(self, term: int) -> None:
        """Raise ``Superseded`` if this is not the current term."""
        ...

    async def write(
        self, term: int, generation: int, put: Sequence[LeaseRow], remove: Sequence[LeaseRow]
    ) -> None:
        """Save and remove leases in one atomic step, or raise ``Superseded`` and change nothing.

        A lease is removed only if its generation matches the stored lease's generation.
        """
        ...

    async def keep_drained(self, term: int, nodes: Collection[str]) -> None:
        """Save the names of all drained nodes, or raise ``Superseded`` and change nothing."""
        ...

    async def close(self) -> None:
        """Close the connection to the store."""
        ...
