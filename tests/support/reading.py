"""Reading snapshots in tests."""

from __future__ import annotations

import re

from tabwarden import Snapshot

__all__ = ["ref_of"]


def ref_of(snapshot: Snapshot, words: str) -> str:
    """The ref in the snapshot's line that has these words."""
    for line in snapshot.text.splitlines():
        if words in line and (found := re.search(r"\[ref=(e\d+)\]", line)):
            return found[1]
    raise AssertionError(f"no ref for {words!r} in:\n{snapshot.text}")
