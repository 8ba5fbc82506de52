"""Write the table's changes to the store, in order, before any client is notified.

Only one call to the store is in progress at a time. The next call includes all changes that arrive
meanwhile. Therefore, a slow network can't reorder two writes, and the store receives at most a few
hundred calls per second, however many hosts there are.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable

from tabwarden.errors import EndpointUnreachable
from tabwarden.fleet.coordinating.store import Store, Superseded
from tabwarden.fleet.leasing.values import LeaseRow

log = logging.getLogger("tabwarden.fleet")


class _Batch:
    def __init__(self) -> None:
        self.generation = 0
        self.put: dict[str, LeaseRow] = {}
        self.remove: list[LeaseRow] = []
        self.drained: Collection[str] | None = None
        self.then: list[Callable[[], None]] = []
        self.kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def has_changes(self) -> bool:
        return bool(self.put or self.remove) or self.drained is not None


class Saving:
    """Writes one term's changes to the store. Use it on one event loop."""

    def __init__(self, store: Store, term: int) -> None:
        self._store = store
        self._term = term
        self._next: _Batch | None = None
        self._running: asyncio.Task[None] | None = None
        self._is_over = False

    async def save(
        self,
        *,
        put: Iterable[LeaseRow] = (),
        remove: Iterable[LeaseRow] = (),
        drained: Collection[str] | None = None,
        then: Callable[[], None] | None = None,
    ) -> None:
        """Wait until the store has these changes and all earlier changes, and our term is confirmed
        as current.

        Args:
            drained: all nodes that are drained now; None if the list did not change.
            then: called once the changes are stored, even if the caller was canceled meanwhile.

        Raises:
            Superseded: another coordinator has begun a term, or the store might miss one of our
                changes. Then no change of this term can be stored any more.
            EndpointUnreachable: there was nothing to store, and the store did not respond.
        """
        if self._next is None:
            self._next = _Batch()
        batch = self._next
        for row in remove:
            if batch.put.get(row.task) == row:
                del batch.put[row.task]
            batch.remove.append(row)
        for row in put:
            batch.put[row.task] = row
            batch.generation = max(batch.generation, row.generation)
        if drained is not None:
            batch.drained = drained
        if then is not None:
            batch.then.append(then)
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())
        await asyncio.shield(batch.kept)

    async def _run(self) -> None:
        while (batch := self._next) is not None:
            self._next = None
            try:
                await self._keep(batch)
            except (Superseded, EndpointUnreachable) as error:
                batch.kept.set_exception(error)
                batch.kept.exception()  # all callers might have been canceled meanwhile
            else:
                for tell in batch.then:
                    tell()
                batch.kept.set_result(None)

    async def _keep(self, batch: _Batch) -> None:
        if self._is_over:
            raise Superseded
        try:
            if batch.drained is not None:
                await self._store.keep_drained(self._term, batch.drained)
            if batch.put or batch.remove:
                rows = list(batch.put.values())
                await self._store.write(self._term, batch.generation, rows, batch.remove)
            if not batch.has_changes:
                await self._store.check(self._term)
        except Superseded:
            self._is_over = True
            raise
        except OSError as error:
            log.error("the store failed: %s", error)
            if batch.has_changes:
                # The table is now ahead of the store: only a new term can synchronize them.
                self._is_over = True
                raise Superseded from None
            raise EndpointUnreachable(
                f"The fleet's store failed: {error}.", "Try again soon."
            ) from None
