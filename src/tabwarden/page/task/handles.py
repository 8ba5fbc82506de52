"""Handles: the elements of refs as remote objects, so that scripts need not look them up."""

from __future__ import annotations

from collections import OrderedDict

_KEPT = 200
"""The limit is low because a handle keeps its element in memory until the document is gone."""


class Handles:
    """The latest remote object ids, by ref, session and world (its ``uniqueId``)."""

    def __init__(self) -> None:
        self._handles: OrderedDict[tuple[str, str, str], str] = OrderedDict()

    def forget(self) -> None:
        """Forget all handles."""
        self._handles.clear()

    def get(self, ref: str, session_id: str, unique_id: str) -> str | None:
        """Return the handle of a ref's element."""
        return self._handles.get((ref, session_id, unique_id))

    def keep(self, ref: str, session_id: str, unique_id: str, handle: str) -> str | None:
        """Store a handle. Return the one that it displaces, if any, so that it can be released."""
        self._handles[ref, session_id, unique_id] = handle
        return self._handles.popitem(last=False)[1] if len(self._handles) > _KEPT else None

    def drop(self, ref: str) -> None:
        """Forget the handles of a ref, because it now means another element."""
        for key in [key for key in self._handles if key[0] == ref]:
            del self._handles[key]
