"""Choose which lines of a long outline to show.

Lines in the viewport are chosen first, then lines that the agent can act on, then the rest.
Navigation, headers and the like get only a small share until the main content is shown. The chosen
lines stay in page order, and each is shown with its ancestors. As many repeated items (rows, cards,
entries) are shown as fit, each as a whole. A run of omitted lines is a *gap*. One line replaces the
gap and describes it, with a cursor for the omitted lines.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, chain, compress, groupby
from typing import NamedTuple

from tabwarden.page.text import Lines


class Nesting:
    """The parents of lines, computed from their depths.

    A *run* is a sequence of lines at the same depth. Its lines share a parent, and only its last
    line can have children, so a run can be handled as a whole.
    """

    def __init__(self, depths: Sequence[int]) -> None:
        count = len(depths)
        self.above: list[int] = []
        """Each line's parent; -1 for an outermost line."""
        self.ends = list(range(1, count + 1))
        """The index after each line's last descendant."""
        self.runs: list[tuple[int, int]] = []
        """Each run's start and end."""
        path: list[int] = []  # the last line so far at each level
        levels: list[int] = []
        for depth, run in groupby(depths):
            start = len(self.above)
            end = start + len(list(run))
            while levels and levels[-1] >= depth:
                levels.pop()
                self.ends[path.pop()] = start
            self.runs.append((start, end))
            self.above += [path[-1] if path else -1] * (end - start)
            path.append(end - 1)
            levels.append(depth)
        for last in path:
            self.ends[last] = count


_REPEATED = 8
"""Siblings of one kind count as repeated if there are at least this many."""
_EXAMPLES = 3
"""How many repeated siblings of each kind are treated like unique lines."""


def split(
    nesting: Nesting, roles: Sequence[str], sizes: Sequence[int], most: int
) -> tuple[list[int], list[int]]:
    """Split lines into single lines and items, which are repeated lines with their descendants.

    Siblings with the same role are of one kind. ``sizes`` are in characters. A repeated line that,
    with its descendants, is larger than ``most`` is not an item.
    """
    single: list[int] = []
    items: list[int] = []
    starts = [0, *accumulate(sizes)]
    ends, above = nesting.ends, nesting.above
    runs_in: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for run in nesting.runs:
        runs_in[above[run[0]]].append(run)
    met: dict[int, dict[str, int]] = {}
    """For each parent, how often each repeated role has occurred so far."""
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
        # After the examples of each kind, all further lines of the run are items. Check the last
        # line separately, because it may have children.
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
    """Return the roles that occur often in these runs, each with a count of 0."""
    counts = Counter(chain.from_iterable(roles[start:end] for start, end in runs))
    return {role: 0 for role, count in counts.items() if count >= _REPEATED}


GAP_SIZE = 72
"""The number of characters reserved for the description of each gap."""
_SAYING = 400
"""The number of characters reserved for more detailed descriptions of gaps."""
_WHOLE = 8
"""An item that takes at most 1/8 of the available characters is shown whole or not at all."""
_REPEATED_SHARE = 0.7
"""The share of the remaining characters for items that the agent can act on."""
_AROUND = frozenset(("navigation", "banner", "contentinfo", "complementary"))
_AROUND_SHARE = 0.25
"""The share of the remaining characters for lines around the main content. These lines are chosen
before the rest of the main content."""
_PATIENCE = 100
"""After this many lines that do not fit, the search stops."""


class Gap(NamedTuple):
    """Omitted lines: ``lines[start:end]``."""

    start: int
    end: int


def chosen(lines: Lines, sizes: Sequence[int], room: int) -> tuple[list[int | Gap], int]:
    """Choose the lines to show in ``room`` characters.

    Return the indexes of these lines and the gaps between them, in page order, and the number of
    characters left for describing gaps.
    """
    kept = min(_SAYING, room // 8)
    choice = _Choice(lines, sizes, room - kept)
    choice.make()
    return list(choice.parts()), choice.room + kept


class _Choice:
    def __init__(self, lines: Lines, sizes: Sequence[int], room: int) -> None:
        self.lines = lines
        self.sizes = sizes
        self.room = room - GAP_SIZE  # at first, all lines are in one gap
        self.nesting = Nesting(lines.depths)
        self.shown = bytearray(len(lines) + 1)
        self.shown[-1] = 1  # a sentinel, so that no gap extends past either end

    def make(self) -> None:
        seen, is_useful = self.lines.in_view, self._is_useful
        in_view = list(compress(range(len(seen)), seen))
        most = max(4 * GAP_SIZE, self.room // _WHOLE)
        single, items = split(self.nesting, self.lines.roles, self.sizes, most)
        around = self._around()
        (main_view, main, main_items), (side_view, side, side_items) = (
            [[at for at in some if around[at] == is_side] for some in (in_view, single, items)]
            for is_side in (0, 1)
        )
        self._singly(filter(is_useful, main_view))
        self._singly(main_view)
        with self._at_most(_AROUND_SHARE):
            self._singly(filter(is_useful, side_view))
            self._singly(side_view)
        self._singly(filter(is_useful, main))
        with self._at_most(_AROUND_SHARE):
            self._singly(filter(is_useful, side))
        for singles, repeated in ((main, main_items), (side, side_items)):
            wholes = [range(item, self.nesting.ends[item]) for item in repeated]
            with self._at_most(_REPEATED_SHARE):
                self._in_order(whole for whole in wholes if any(map(is_useful, whole)))
            self._in_order((at,) for at in singles)
            self._in_order(wholes)
        self._fill()

    def _around(self) -> bytearray:
        """Return 1 for each line in a part around the page's main content, such as navigation."""
        around, roles, ends = bytearray(len(self.lines)), self.lines.roles, self.nesting.ends
        for at, role in enumerate(roles):
            if role in _AROUND and not around[at]:
                around[at : ends[at]] = b"\1" * (ends[at] - at)
        return around

    @contextmanager
    def _at_most(self, share: float) -> Iterator[None]:
        """Use no more than this share of the available characters."""
        kept = int(self.room * (1 - share))
        self.room -= kept
        yield
        self.room += kept

    def _is_useful(self, at: int) -> bool:
        """Whether the line is a heading or the agent can act on it."""
        return bool(self.lines.numbers[at]) or self.lines.roles[at] == "heading"

    def _singly(self, wanted: Iterable[int]) -> None:
        """Show the lines that fit."""
        patience = _PATIENCE
        for at in wanted:
            if not self._show((at,)):
                patience -= 1
                if not patience:
                    return

    def _in_order(self, wanted: Iterable[Iterable[int]]) -> None:
        """Show items until one does not fit, so that the other items form a single gap."""
        for item in wanted:
            if not self._show(item):
                return

    def _show(self, item: Iterable[int]) -> bool:
        """Show some lines and their ancestors if all of them fit."""
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
                # A newly shown line splits a gap in two, shortens the gap, or fills it.
                room -= self.sizes[one] + GAP_SIZE * (1 - shown[one - 1] - shown[one + 1])
        if room < 0:
            for one in done:
                shown[one] = 0
            return False
        self.room = room
        return True

    def _fill(self) -> None:
        """Show the omitted lines of a gap if they are shorter than the gap's description."""
        for part in [part for part in self.parts() if isinstance(part, Gap)]:
            size = sum(self.sizes[part.start : part.end])
            if size <= GAP_SIZE + self.room:
                self.room += GAP_SIZE - size
                self.shown[part.start : part.end] = b"\1" * (part.end - part.start)

    def parts(self) -> Iterator[int | Gap]:
        """Yield the indexes of the shown lines, and the gaps between them."""
        at, count = 0, len(self.lines)
        while at < count:
            if self.shown[at]:
                yield at
                at += 1
                continue
            start, at = at, self.shown.find(1, at)
            yield Gap(start, at)
