"""Handles: the elements of refs as objects of a world, so that a script need not look them up."""

from __future__ import annotations

from collections import OrderedDict

__all__ = ["Handles"]

_KEPT = 200
"""A handle keeps its element from being collected: so few, and only until the document goes."""


class Handles:
    """Remote object ids by ref, session and world (its ``uniqueId``), the last ones used."""

    def __init__(self) -> None:
        self._handles: OrderedDict[tuple[str, str, str], str] = OrderedDict()

    def forget(self) -> None:
        """None of them is known any more."""
        self._handles.clear()

    def get(self, ref: str, session_id: str, unique_id: str) -> str | None:
        """The handle of a ref's element."""
        handle = self._handles.get((ref, session_id, unique_id))
        if handle is not None:
            self._handles.move_to_end((ref, session_id, unique_id))
        return handle

    def known(self, ref: str, session_id: str, unique_id: str) -> str | None:
        """The same from any thread: that it was used is not noted."""
        return self._handles.get((ref, session_id, unique_id))

    def keep(self, ref: str, session_id: str, unique_id: str, handle: str) -> str | None:
        """Remember one; the one that is forgotten for it, to be released."""
        self._handles[ref, session_id, unique_id] = handle
        return self._handles.popitem(last=False)[1] if len(self._handles) > _KEPT else None

    def drop(self, ref: str) -> None:
        """Forget those of a ref: it names another element now."""
        for key in [key for key in self._handles if key[0] == ref]:
            del self._handles[key]
