"""Open the store that a setting specifies."""

from __future__ import annotations

from pathlib import Path

from tabwarden.fleet.coordinating.store.base import Store
from tabwarden.fleet.coordinating.store.redis import RedisStore
from tabwarden.fleet.coordinating.store.sqlite import SqliteStore


def open_store(named: str) -> Store:
    """Return the store for ``sqlite:PATH``, ``redis://...`` or ``rediss://...``.

    Raises:
        OSError: the file can't be opened.
    """
    scheme, _, path = named.partition(":")
    return SqliteStore(Path(path)) if scheme == "sqlite" else RedisStore(named)
