"""Which known word is meant: ``difflib``, within a bounded time."""

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
    """Return the known words that are most like ``word``, the best first.

    Only the first 100 characters of each count, and the first 2,000 words. A caller or a page may
    write longer ones, and comparing takes time that grows with the square of the length.
    """
    by_start = {one[:_LONGEST]: one for one in islice(known, _MOST)}
    near = difflib.get_close_matches(word[:_LONGEST], by_start, n, cutoff)
    return [by_start[one] for one in near]
