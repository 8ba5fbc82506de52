"""Coordinating: keeps the lease table, and serves hosts and clients.

``Coordinator`` has the clock and the waiting clients. ``store`` keeps the leases for the next
coordinator, and rejects an older coordinator.
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
