"""A store in a SQLite file on the coordinator's machine."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tabwarden.fleet.coordinating.store.base import Kept, Superseded
from tabwarden.fleet.leasing.values import LeaseRow

_SCHEMA = """
CREATE TABLE IF NOT EXISTS fleet (term INTEGER NOT NULL, generation INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS leases (
    task TEXT PRIMARY KEY, tenant TEXT NOT NULL, host_id TEXT NOT NULL, node TEXT NOT NULL,
    generation INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS drained (node TEXT PRIMARY KEY);
"""
_BUSY_S = 2.0
"""How long to wait for an older coordinator's transaction."""


class SqliteStore:
    """See ``Store``. Each call takes tens of microseconds, so calls run on the event loop.

    Raises:
        OSError: the file can't be opened.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._db = sqlite3.connect(
                path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False
            )
            self._db.execute("PRAGMA journal_mode=WAL")
            # A power failure can lose the last writes. Even then, no task gets two owners, because
            # the next coordinator first lets all leases expire (decision 0031).
            self._db.execute("PRAGMA synchronous=NORMAL")
            with self._transaction():
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    self._db.execute(statement)
                if self._db.execute("SELECT count(*) FROM fleet").fetchone() == (0,):
                    self._db.execute("INSERT INTO fleet VALUES (0, 0)")
        except sqlite3.Error as error:
            raise OSError(f"the fleet's store {path} can't be used: {error}") from None

    async def begin(self) -> Kept:
        with self._transaction():
            self._db.execute("UPDATE fleet SET term = term + 1")
            term, generation = self._db.execute("SELECT term, generation FROM fleet").fetchone()
            rows = self._db.execute("SELECT task, tenant, host_id, node, generation FROM leases")
            kept = [
                LeaseRow(task=task, tenant=tenant, host_id=host_id, node=node, generation=number)
                for task, tenant, host_id, node, number in rows
            ]
            drained = frozenset(node for (node,) in self._db.execute("SELECT node FROM drained"))
        return Kept(term, generation, kept, drained)

    async def check(self, term: int) -> None:
        try:
            self._check(term)
        except sqlite3.Error as error:
            raise OSError(str(error)) from None

    async def write(
        self, term: int, generation: int, put: Sequence[LeaseRow], remove: Sequence[LeaseRow]
    ) -> None:
        with self._transaction():
            self._check(term)
            self._db.execute("UPDATE fleet SET generation = max(generation, ?)", (generation,))
            self._db.executemany(
                "DELETE FROM leases WHERE task = ? AND generation = ?",
                [(row.task, row.generation) for row in remove],
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?)",
                [(row.task, row.tenant, row.host_id, row.node, row.generation) for row in put],
            )

    async def keep_drained(self, term: int, nodes: Collection[str]) -> None:
        with self._transaction():
            self._check(term)
            self._db.execute("DELETE FROM drained")
            self._db.executemany("INSERT INTO drained VALUES (?)", [(node,) for node in nodes])

    async def close(self) -> None:
        self._db.close()

    def _check(self, term: int) -> None:
        if self._db.execute("SELECT term FROM fleet").fetchone() != (term,):
            raise Superseded

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise OSError(str(error)) from None
