"""Track which page belongs to which task, in browsers that several tasks share."""

from __future__ import annotations

import threading
from collections.abc import Iterable


class Pages:
    """Assigns each supervisor its own page. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owned: dict[object, str] = {}
        """Each supervisor's page, by its CDP target."""

    def of(self, owner: object) -> str | None:
        """Return ``owner``'s page."""
        return self._owned.get(owner)

    def of_others(self, owner: object) -> frozenset[str]:
        """Return the pages of all other supervisors."""
        with self._lock:
            return frozenset(page for one, page in self._owned.items() if one is not owner)

    def take(self, owner: object, target_id: str) -> None:
        """Assign a page to ``owner``, instead of its previous page."""
        with self._lock:
            self._owned[owner] = target_id

    def take_first(self, owner: object, target_ids: Iterable[str]) -> str | None:
        """Assign the first free page to ``owner`` and return it; None if every page has an
        owner."""
        with self._lock:
            owned = set(self._owned.values())
            free = next((page for page in target_ids if page not in owned), None)
            if free is not None:
                self._owned[owner] = free
            return free

    def release(self, owner: object) -> None:
        """Forget which page belongs to ``owner``."""
        with self._lock:
            self._owned.pop(owner, None)


PAGES = Pages()
"""The pages of this process's supervisors."""
