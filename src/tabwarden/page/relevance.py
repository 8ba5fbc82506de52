"""Relevance: which lines of a long outline are shown, when not all of them may be.

First what stands in the viewport, then what can be acted on, then the rest; page order is kept. Of
things that repeat (rows, cards, entries) whole ones are shown, as many as there is room for. Every
line that is left out lies in a *gap*: a run of lines that is told in their place, with a cursor
that gives them. A line is only shown with those above it that say where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from tabwarden.page.lines import Lines
from tabwarden.page.nesting import Nesting
from tabwarden.page.repetition import split

__all__ = ["GAP_SIZE", "Gap", "chosen"]

GAP_SIZE = 72
"""The room that each gap is given at least."""
_SAYING = 400
"""Room that is kept for saying more of them."""
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


def chosen(lines: Lines, sizes: Sequence[int], room: int) -> tuple[list[int | Gap], int]:
    """What is shown, in page order: indexes of lines (of ``sizes`` characters), and gaps between
    them; and how much of ``room`` (characters) is left for saying more of the gaps.
    """
    kept = min(_SAYING, room // 8)
    choice = _Choice(lines, sizes, room - kept)
    choice.make()
    return list(choice.told()), choice.room + kept


class _Choice:
    def __init__(self, lines: Lines, sizes: Sequence[int], room: int) -> None:
        self.lines = lines
        self.sizes = sizes
        self.room = room - GAP_SIZE  # all in one gap
        self.nesting = Nesting(lines.depths)
        self.shown = bytearray(len(lines) + 1)
        self.shown[-1] = 1  # before the first and after the last nothing is missing

    def make(self) -> None:
        """Show what matters most, until there is no room."""
        seen, ends, is_useful = self.lines.seen, self.nesting.ends, self._is_useful
        in_view = list(compress(range(len(seen)), seen))
        most = max(4 * GAP_SIZE, self.room // _WHOLE)
        single, items = split(self.nesting, self.lines.roles, self.sizes, most)
        self._singly(filter(is_useful, in_view))
        self._singly(in_view)
        self._singly(filter(is_useful, single))
        kept = int(self.room * (1 - _REPEATED_SHARE))
        self.room -= kept
        wholes = (range(item, ends[item]) for item in items)
        self._in_order(whole for whole in wholes if any(map(is_useful, whole)))
        self.room += kept
        self._in_order((at,) for at in single)
        self._in_order(range(item, ends[item]) for item in items)
        self._fill()

    def _is_useful(self, at: int) -> bool:
        """Whether it can be acted on, or is a heading."""
        return bool(self.lines.numbers[at]) or self.lines.roles[at] == "heading"

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
        shown, room, above = self.shown, self.room, self.nesting.above
        done: list[int] = []
        for wanted in item:
            path: list[int] = []
            at = wanted
            while at >= 0 and not shown[at]:
                path.append(at)
                at = above[at]
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
            start, at = at, self.shown.find(1, at)
            yield Gap(start, at)
