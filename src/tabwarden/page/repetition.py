"""Repetition: what of an outline is one of many alike (rows, cards), and what is single."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate, chain

from tabwarden.page.nesting import Nesting

__all__ = ["split"]

_REPEATED = 8
"""So many siblings of one kind are a repetition,"""
_EXAMPLES = 3
"""of which so many are shown before things that are one of a kind."""


def split(
    nesting: Nesting, roles: Sequence[str], sizes: Sequence[int], most: int
) -> tuple[list[int], list[int]]:
    """The lines that are single, and those that are repeated, each with all that stands in it.

    Args:
        nesting: of the lines.
        roles: theirs; siblings of one role are of one kind.
        sizes: theirs, in characters.
        most: the size of what is treated as a whole at most, with all that is in it.
    """
    single: list[int] = []
    items: list[int] = []
    starts = [0, *accumulate(sizes)]
    ends, above = nesting.ends, nesting.above
    runs_in: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for run in nesting.runs:
        runs_in[above[run[0]]].append(run)
    met: dict[int, dict[str, int]] = {}
    """In each line, how many of each repeated role were met so far."""
    until = 0  # where the last item ends
    for start, end in nesting.runs:
        if start < until:
            continue
        over = above[start]
        numbers = met.get(over)
        if numbers is None:
            numbers = met[over] = _repeated(roles, runs_in[over])
        if not numbers:
            single += range(start, end)
            continue
        # Once each kind in a run had its examples, the rest are items: nothing stands in them but
        # in the last, which is looked at for itself.
        at, last = start, end - 1
        wanting = set(roles[start:end])
        small = max(sizes[start:end]) <= most
        while at < end:
            if small and not wanting and at < last:
                items += range(at, last)
                at = last
            role = roles[at]
            number = numbers.get(role, -1)
            if number >= 0:
                numbers[role] = number = number + 1
            if number > _EXAMPLES and starts[ends[at]] - starts[at] <= most:
                items.append(at)
                until = ends[at]
            else:
                single.append(at)
            if number >= _EXAMPLES:
                wanting.discard(role)
            at += 1
    return single, items


def _repeated(roles: Sequence[str], runs: Sequence[tuple[int, int]]) -> dict[str, int]:
    """The roles of which there are many in some runs of lines; none of them was met yet."""
    counts = Counter(chain.from_iterable(roles[start:end] for start, end in runs))
    return {role: 0 for role, count in counts.items() if count >= _REPEATED}
