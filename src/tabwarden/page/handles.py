"""Handles: the elements of refs as objects of a world, so that a script need not look them up."""

from __future__ import annotations

from collections import OrderedDict

__all__ = ["Handles"]

_KEPT = 200
"""A handle keeps its element from being collected: so few, and only until the document goes."""


class Handles:
    """Remote object ids by ref and world, the last ones that were used."""

    def __init__(self) -> None:
        self._handles: OrderedDict[tuple[str, str], str] = OrderedDict()

    def get(self, ref: str, unique_id: str) -> str | None:
        """The handle of a ref's element in the world of that ``uniqueId``."""
        handle = self._handles.get((ref, unique_id))
        if handle is not None:
            self._handles.move_to_end((ref, unique_id))
        return handle

    def keep(self, ref: str, unique_id: str, handle: str) -> str | None:
        """Remember one; the one that is forgotten for it, to be released."""
        self._handles[ref, unique_id] = handle
        return self._handles.popitem(last=False)[1] if len(self._handles) > _KEPT else None
