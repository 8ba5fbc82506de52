"""Stores: where the leases survive the coordinator.

Each coordinator that opens a store begins a new *term*. Every write, and every ``check``, fails for
the coordinator of an older term: so a coordinator that was suspended for a while can't continue.
"""

from tabwarden.fleet.coordinating.store.base import Kept, Store, Superseded
from tabwarden.fleet.coordinating.store.opening import open_store
from tabwarden.fleet.coordinating.store.sqlite import SqliteStore

__all__ = [
    "Kept",
    "SqliteStore",
    "Store",
    "Superseded",
    "open_store",
]
