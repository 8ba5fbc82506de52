"""Coordinating: keeps the lease table, and answers hosts and clients.

``Coordinator`` has the clock and the waiting clients. ``store`` keeps the leases for the next
coordinator, and proves to an old one that it is over.
"""

from tabwarden.fleet.coordinating.coordinator import Coordinator
from tabwarden.fleet.coordinating.store import (
    Kept,
    SqliteStore,
    Store,
    Superseded,
    open_store,
)

__all__ = [
    "Coordinator",
    "Kept",
    "SqliteStore",
    "Store",
    "Superseded",
    "open_store",
]
