"""Stores: they keep the leases when the coordinator exits.

Each coordinator that opens a store begins a new *term*. Every write, and every ``check``, fails for
the coordinator of an older term. A coordinator that was suspended for a while therefore can't
continue.
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
