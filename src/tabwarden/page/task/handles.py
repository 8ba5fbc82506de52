"""Handles: the elements of refs as remote objects, so that scripts need not look them up."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Container

_KEPT = 200
"""Low, because a handle keeps its element in memory until the document is gone."""


class Handles:
    """The latest remote object ids, by ref, session and world (its ``uniqueId``)."""

    def __init__(self) -> None:
        self._handles: OrderedDict[tuple[str, str, str], str] = OrderedDict()

    def forget(self, worlds: Container[str] | None = None) -> None:
        """Forget the handles of these worlds, or all."""
        for key in [key for key in self._handles if worlds is None or key[2] in worlds]:
            del self._handles[key]

    def get(self, ref: str, session_id: str, unique_id: str) -> str | None:
        return self._handles.get((ref, session_id, unique_id))

    def keep(self, ref: str, session_id: str, unique_id: str, handle: str) -> str | None:
        """Store a handle. If too many are kept, return the oldest one for the caller to release."""
        self._handles[ref, session_id, unique_id] = handle
        return self._handles.popitem(last=False)[1] if len(self._handles) > _KEPT else None

    def drop(self, ref: str) -> None:
        """Forget the handles of a ref that now means another element."""
        for key in [key for key in self._handles if key[0] == ref]:
            del self._handles[key]
