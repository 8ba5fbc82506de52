"""Find similar words with ``difflib``, within a bounded time."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from itertools import islice

__all__ = ["get_close_matches"]

_LONGEST = 100
_MOST = 2_000


def get_close_matches(
    word: str, known: Iterable[str], n: int = 3, cutoff: float = 0.6
) -> list[str]:
    """Return the known words that are most similar to ``word``, the best match first.

    Only the first 2,000 words, and the first 100 characters of each word, are compared. A caller or
    a page can send longer words, and the time to compare two words grows with the square of their
    length.
    """
    by_start = {one[:_LONGEST]: one for one in islice(known, _MOST)}
    near = difflib.get_close_matches(word[:_LONGEST], by_start, n, cutoff)
    return [by_start[one] for one in near]
