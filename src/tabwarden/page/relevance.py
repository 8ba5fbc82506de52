"""Relevance: which lines of a long outline are shown, when not all of them may be.

First what stands in the viewport, then what can be acted on, then the rest; page order is kept. Of
things that repeat (rows, cards, entries) whole ones are shown, as many as there is room for. Every
line that is left out lies in a *gap*: a run of lines that is told in their place, with a cursor
that gives them. A line is only shown with those above it that say where it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from tabwarden.page.line import Line

__all__ = ["GAP_SIZE", "Gap", "chosen", "nesting"]

GAP_SIZE = 72
"""The room that each gap is given at least."""
_SAYING = 400
"""Room that is kept for saying more of them."""
_REPEATED = 8
"""So many siblings of one kind are a repetition,"""
_EXAMPLES = 3
"""of which so many are shown before things that are one of a kind."""
_WHOLE = 8
"""A repeated thing is shown whole or not at all, if it takes less than this part of the room."""
_REPEATED_SHARE = 0.7
"""Of the room that is left for things that repeat and for the rest."""
_PATIENCE = 100
"""So many lines that don't fit are passed over, before the rest is left out with them."""


class Gap(NamedTuple):
    """A run of lines that are not shown: ``lines[start:end]``."""

    start: int
    end: int


def chosen(lines: Sequence[Line], room: int) -> tuple[list[int | Gap], int]:
    """What is shown, in page order: indexes of lines, and gaps between them; and how much of
    ``room`` (characters) is left for saying more of the gaps.
    """
    kept = min(_SAYING, room // 8)
    choice = _Choice(lines, room - kept)
    choice.make()
    return list(choice.told()), choice.room + kept


def nesting(lines: Sequence[Line]) -> tuple[list[int], list[int]]:
    """For each line the index of the one that it stands in (-1 for the outermost), and that at
    which what stands in it ends.
    """
    above: list[int] = []
    ends = [len(lines)] * len(lines)
    path: list[int] = []
    depths: list[int] = []
    last, over = -1, -1
    for at, depth in enumerate([line.depth for line in lines]):
        if depth == last:  # beside the one before, as most are
            ends[at - 1] = at
            path[-1] = at
        else:
            while path and depths[-1] >= depth:
                depths.pop()
                ends[path.pop()] = at
            over = path[-1] if path else -1
            path.append(at)
            depths.append(depth)
            last = depth
        above.append(over)
    return above, ends


class _Choice:
    def __init__(self, lines: Sequence[Line], room: int) -> None:
        self.lines = lines
        self.sizes = [2 * line.depth + len(line.text) + 3 for line in lines]  # as `Line.size`
        self.room = room - GAP_SIZE  # all in one gap
        self.above, self.ends = nesting(lines)
        self.shown = bytearray(len(lines) + 1)
        self.shown[-1] = 1  # before the first and after the last nothing is missing

    def make(self) -> None:
        """Show what matters most, until there is no room."""
        lines = self.lines
        in_view = [at for at, line in enumerate(lines) if line.in_view]
        items = self._items()
        useful = [at for at, line in enumerate(lines) if line.refs or line.role == "heading"]
        self._singly(at for at in in_view if lines[at].refs or lines[at].role == "heading")
        self._singly(in_view)
        self._singly(at for at in useful if items[at] < 0)
        kept = int(self.room * (1 - _REPEATED_SHARE))
        self.room -= kept
        self._in_order(self._wholes(items[at] for at in useful))
        self.room += kept
        self._in_order((at,) for at, item in enumerate(items) if item < 0)
        self._in_order(self._wholes(items))
        self._fill()

    def _wholes(self, items: Iterable[int]) -> Iterator[range]:
        """Each repeated thing once, as its lines."""
        last = -1
        for item in items:
            if item >= 0 and item != last:
                last = item
                yield range(item, self.ends[item])

    def _items(self) -> list[int]:
        """For each line the first of the repeated thing that it belongs to; -1 if to none."""
        above, ends = self.above, self.ends
        kinds = list(zip(above, [line.role for line in self.lines], strict=True))
        repeated = {kind: 0 for kind, count in Counter(kinds).items() if count >= _REPEATED}
        if not repeated:
            return [-1] * len(kinds)
        starts = [0, *accumulate(self.sizes)]
        most = max(4 * GAP_SIZE, self.room // _WHOLE)
        items: list[int] = []
        for at, kind in enumerate(kinds):
            over = kind[0]
            item = items[over] if over >= 0 else -1
            if item < 0 and kind in repeated:
                number = repeated[kind] = repeated[kind] + 1
                if number > _EXAMPLES and starts[ends[at]] - starts[at] <= most:
                    item = at
            items.append(item)
        return items

    def _singly(self, wanted: Iterable[int]) -> None:
        """Show each of these for which there is room."""
        patience = _PATIENCE
        for at in wanted:
            if not self._show((at,)):
                patience -= 1
                if not patience:
                    return

    def _in_order(self, wanted: Iterable[Iterable[int]]) -> None:
        """Show these until there is no room for one: what is left lies together then."""
        for item in wanted:
            if not self._show(item):
                return

    def _show(self, item: Iterable[int]) -> bool:
        """Show some lines, and those that they stand in, if there is room for them all."""
        shown, room = self.shown, self.room
        done: list[int] = []
        for wanted in item:
            path: list[int] = []
            at = wanted
            while at >= 0 and not shown[at]:
                path.append(at)
                at = self.above[at]
            for one in reversed(path):
                shown[one] = 1
                done.append(one)
                # It splits the gap that it lay in, or closes it.
                room -= self.sizes[one] + GAP_SIZE * (1 - shown[one - 1] - shown[one + 1])
        if room < 0:
            for one in done:
                shown[one] = 0
            return False
        self.room = room
        return True

    def _fill(self) -> None:
        """Show what takes no more room than telling that it is left out."""
        for part in [part for part in self.told() if isinstance(part, Gap)]:
            size = sum(self.sizes[part.start : part.end])
            if size <= GAP_SIZE + self.room:
                self.room += GAP_SIZE - size
                self.shown[part.start : part.end] = b"\1" * (part.end - part.start)

    def told(self) -> Iterator[int | Gap]:
        """What is shown and what is not, in page order."""
        at, count = 0, len(self.lines)
        while at < count:
            if self.shown[at]:
                yield at
                at += 1
                continue
            start = at
            while not self.shown[at]:
                at += 1
            yield Gap(start, at)
