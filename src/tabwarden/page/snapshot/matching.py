"""Pair the lines of two outlines of the same page.

An element that still exists is paired with itself, even if it changed. Other lines (text,
structure, re-rendered elements) are paired if their place and content are the same in both
outlines. If the number of similar lines has changed, re-rendered elements among them stay unpaired,
because a match would be ambiguous.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from tabwarden.page.snapshot.relevance import Nesting
from tabwarden.page.text import Line, Lines, without_refs, words

_LOOK_AHEAD = 8
"""How many old lines to compare with each new line."""
_WORD = re.compile(r"[^\W\d_]+")
_STEM = 4
"""How many letters of a word to compare: ``item`` and ``items`` are similar."""
_FOCUSED = " active"
"""The word that marks the focused element. A diff ignores this word, because the result of an input
action reports the focus."""


class Matching:
    def __init__(self, before: Sequence[Line], after: Sequence[Line]) -> None:
        self.before = before = Lines.of(before)
        self.after = after = Lines.of(after)
        self.old_above = Nesting(before.depths).above
        self.new_above = Nesting(after.depths).above
        self.old_of: dict[int, int] = {}
        """Maps a line's index in ``after`` to its index in ``before``."""
        self.new_of: dict[int, int] = {}
        self.gone = frozenset(set(before.refs()) ^ set(after.refs()))
        """The ref numbers that appear in only one of the two outlines."""
        self._head, self._tail = alike_ends(before, after)
        self._old_keys = self._keys(before)
        self._new_keys = self._keys(after)
        self._match()

    def says_the_same(self, old: int, new: int) -> bool:
        """Whether two lines are equal, apart from the focus and from refs in only one outline."""
        return self._old_keys[old] == self._new_keys[new]

    def _keys(self, lines: Lines) -> list[str]:
        gone = {f"e{number}" for number in self.gone}
        keys = list(lines.texts)
        for at in range(self._head, len(lines) - self._tail):
            if " as e" in keys[at] or not gone.isdisjoint(lines.refs_at(at)):
                keys[at] = without_refs(keys[at], gone)
            if _FOCUSED in keys[at]:
                keys[at] = " ".join(word for word in words(keys[at]) if word != _FOCUSED[1:])
        return keys

    def _pair(self, old: int, new: int) -> None:
        self.old_of[new] = old
        self.new_of[old] = new

    def _match(self) -> None:
        before, after = self.before, self.after
        old_end, new_end = len(before) - self._tail, len(after) - self._tail
        for at in range(self._head):
            self._pair(at, at)
        for at in range(self._tail):
            self._pair(old_end + at, new_end + at)
        where = {ref: at for at in range(self._head, old_end) for ref in before.refs_at(at)}
        for new in range(self._head, new_end):
            for ref in after.refs_at(new):
                old = where.get(ref)
                if old is not None and old not in self.new_of and new not in self.old_of:
                    self._pair(old, new)
        old_within = _within(self.old_above, range(self._head, old_end))
        new_within = _within(self.new_above, range(self._head, new_end))
        old_hashes = _hashes(self._old_keys, old_within, range(self._head, old_end))
        new_hashes = _hashes(self._new_keys, new_within, range(self._head, new_end))
        # Go from the outside in, because children can be paired only after their parents.
        for parent in [-1, *range(new_end)]:
            old_parent = self.old_of.get(parent, -1) if parent >= 0 else -1
            if parent >= 0 and old_parent < 0:
                continue
            olds, news = old_within.get(old_parent, []), new_within.get(parent, [])
            if olds and news:
                self._match_whole(olds, news, old_hashes, new_hashes)
                self._match_places(olds, news)

    def _match_whole(
        self,
        olds: list[int],
        news: list[int],
        old_hashes: dict[int, int],
        new_hashes: dict[int, int],
    ) -> None:
        """Pair lines with the same text and the same children."""
        left: defaultdict[int, list[int]] = defaultdict(list)
        came: defaultdict[int, list[int]] = defaultdict(list)
        for old in olds:
            if old not in self.new_of:
                left[old_hashes[old]].append(old)
        for new in news:
            if new not in self.old_of:
                came[new_hashes[new]].append(new)
        for key, fresh in came.items():
            known = left.get(key, [])
            if len(known) != len(fresh) and any(self._is_renewed(new) for new in fresh):
                continue
            for old, new in zip(known, fresh, strict=False):
                self._pair(old, new)

    def _match_places(self, olds: list[int], news: list[int]) -> None:
        """Pair lines of the same kind that follow the same line."""
        left: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        came: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        last = -1
        for old in olds:
            if old in self.new_of:
                last = old
            else:
                left[last, self._kind(self.before, old)].append(old)
        last = -1
        for new in news:
            if new in self.old_of:
                last = self.old_of[new]
            else:
                came[last, self._kind(self.after, new)].append(new)
        for place, fresh in came.items():
            known = left.get(place, [])
            # If the number of siblings is unchanged, a line that looks different may be a
            # replacement.
            if len(known) == len(fresh) and len(olds) == len(news):
                for old, new in zip(known, fresh, strict=True):
                    self._pair(old, new)
            elif len(known) == len(fresh) or not any(self.after.numbers[new] for new in fresh):
                self._match_similar(known, fresh)

    def _match_similar(self, known: list[int], fresh: list[int]) -> None:
        """Pair lines in page order if they have half of their words in common.

        Numbers don't count, so ``5`` and ``7`` are similar. Lines without words, such as lists, are
        similar too.
        """
        theirs = [_stems(self.before.texts[old]) for old in known]
        at = 0
        for new in fresh:
            ours = _stems(self.after.texts[new])
            for further in range(at, min(at + _LOOK_AHEAD, len(known))):
                other = theirs[further]
                if 4 * len(ours & other) >= len(ours) + len(other):
                    self._pair(known[further], new)
                    at = further + 1
                    break

    @staticmethod
    def _kind(lines: Lines, at: int) -> str:
        """Return a line's kind: its role, and for elements also the name. Paired lines have the
        same kind."""
        role = lines.roles[at]
        is_element = lines.numbers[at] and role != "row"
        return " ".join(words(lines.texts[at])[:2]) if is_element else role

    def _is_renewed(self, new: int) -> bool:
        """Whether a line or its descendants contain new elements."""
        return not self.gone.isdisjoint(self.after[new : self.after.end(new)].refs())


def _stems(text: str) -> frozenset[str]:
    """Return the first letters of each word in a line's quoted texts."""
    quotes = " ".join(word for word in words(text) if word.startswith('"'))
    return frozenset(word[:_STEM] for word in _WORD.findall(quotes.casefold()))


def alike_ends(before: Lines, after: Lines) -> tuple[int, int]:
    """Return how many lines are equal at the start and at the end."""
    most = min(len(before), len(after))
    head = 0
    while head < most and _is_same(before, head, after, head):
        head += 1
    tail = 0
    while tail < most - head and _is_same(before, -1 - tail, after, -1 - tail):
        tail += 1
    return head, tail


def _is_same(before: Lines, old: int, after: Lines, new: int) -> bool:
    return before.texts[old] == after.texts[new] and before.depths[old] == after.depths[new]


def _within(over: Sequence[int], wanted: range) -> dict[int, list[int]]:
    """Return the indexes of each line's direct children."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for at in wanted:
        children[over[at]].append(at)
    return children


def _hashes(keys: Sequence[str], within: dict[int, list[int]], wanted: range) -> dict[int, int]:
    hashes: dict[int, int] = {}
    for at in reversed(wanted):
        inner = within.get(at)
        hashes[at] = hash((keys[at], *(hashes[one] for one in inner))) if inner else hash(keys[at])
    return hashes
