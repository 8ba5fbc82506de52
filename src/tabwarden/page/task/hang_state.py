"""Record which tabs hang, have hung or crashed, or are being rescued."""

from __future__ import annotations

import time
from collections.abc import Collection

from tabwarden.page.task.rescue import Rescue


class HangState:
    """The hangs and rescues of a task's tabs. Use it on the engine's event loop. Only the methods
    that don't change it are thread-safe."""

    def __init__(self) -> None:
        self._rescues: dict[str, Rescue] = {}
        self._given_up: dict[str, str] = {}
        self._notes: dict[str, str] = {}
        self._hung: frozenset[str] = frozenset()
        self._relapsed: frozenset[str] = frozenset()
        self._crashes: dict[str, list[float]] = {}

    # -- rescues ---------------------------------------------------------------------------

    def rescue_of(self, tab_id: str) -> Rescue | None:
        """Return the running rescue of a tab. The next action waits for it."""
        return self._rescues.get(tab_id)

    def begin(self, tab_id: str, rescue: Rescue) -> None:
        self._rescues[tab_id] = rescue

    def end(self, tab_id: str) -> None:
        """Finish a tab's rescue. If no call waited until its end, the next call gets a note about
        the losses."""
        rescue = self._rescues.pop(tab_id)
        if note := rescue.recovery():
            self._notes[tab_id] = note

    @property
    def rescues(self) -> int:
        return len(self._rescues)

    @property
    def has_notes(self) -> bool:
        """Whether some tab's next call must report a rescue."""
        return bool(self._notes)

    def take_note(self, tab_id: str) -> str:
        """Return the note about a rescue that ended without a waiting call, and forget the note."""
        return self._notes.pop(tab_id, "")

    def give_up(self, tab_id: str, instead: str) -> None:
        """Record that a tab could not be recovered. ``instead`` is a hint about where to
        continue."""
        self._given_up[tab_id] = instead

    def instead_of(self, tab_id: str) -> str | None:
        """Return the hint about where to continue, if Tabwarden gave up the tab; otherwise None."""
        return self._given_up.get(tab_id)

    # -- documents, by loader id -----------------------------------------------------------

    @property
    def any_hung(self) -> bool:
        return bool(self._hung)

    def has_hung(self, *documents: str) -> bool:
        """Whether a script had to be stopped in one of these documents."""
        return not self._hung.isdisjoint(documents)

    def has_relapsed(self, document: str) -> bool:
        """Whether a document hung again after its script was stopped. If so, a navigation away from
        the document does not probe the document first."""
        return document in self._relapsed

    def hang(self, documents: Collection[str], shown: Collection[str]) -> None:
        """Record that documents hang. Forget all documents that are not ``shown`` in a tab any
        more."""
        self._hung = (self._hung & frozenset(shown)) | (frozenset(documents) - {""})

    def relapse(self, document: str) -> None:
        """Record that a document hung again after its script was stopped."""
        self._relapsed = (self._relapsed & self._hung) | {document}

    def is_only_slow(self, document: str) -> None:
        """Record that a document does not hang, but takes a long time to read."""
        self._hung -= {document}

    # -- crashes ---------------------------------------------------------------------------

    def crashed(self, tab_id: str, within_s: float) -> int:
        """Record a crash. Return how many crashes the tab had in the last ``within_s`` seconds."""
        now = time.monotonic()
        recent = [at for at in self._crashes.get(tab_id, ()) if at > now - within_s]
        self._crashes[tab_id] = [*recent, now]
        return len(recent) + 1

    def forget_closed(self, open_tabs: Collection[str]) -> None:
        for kept in (self._crashes, self._notes):
            for tab_id in kept.keys() - open_tabs:
                del kept[tab_id]
