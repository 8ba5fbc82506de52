"""Coordinating: keep the lease table, and serve hosts and clients.

``Coordinator`` has the clock and the waiting clients. ``store`` saves the leases for the next
coordinator, and rejects writes from an older coordinator.
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
