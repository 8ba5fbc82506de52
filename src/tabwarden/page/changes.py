"""Changes: what differs between two outlines of the same tab."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from itertools import islice

from tabwarden.page.outline import Line

__all__ = ["changes"]


def changes(before: Sequence[Line], after: Sequence[Line]) -> list[Line]:
    """The lines that went (``-``) and came (``+``), in order; a changed line is both."""
    # Most of a page stays: what is alike at both ends need not be compared line by line.
    head = _alike(before, after)
    tail = _alike(before[head:][::-1], after[head:][::-1])
    old = before[head : len(before) - tail]
    new = after[head : len(after) - tail]
    refs = dict(new)
    compared = difflib.unified_diff([t for t, _ in old], [t for t, _ in new], n=0, lineterm="")
    told: list[Line] = []
    for line in islice(compared, 2, None):  # the first two would name files
        if line.startswith("+"):
            told.append((f"+ {line[1:]}", refs[line[1:]]))
        elif line.startswith("-"):
            told.append((f"- {line[1:]}", None))
    return told


def _alike(one: Sequence[Line], other: Sequence[Line]) -> int:
    """How many lines are the same from the beginning."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
