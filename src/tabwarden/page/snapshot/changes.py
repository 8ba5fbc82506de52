"""Describe how a page differs from the agent's last snapshot of that page.

``+`` marks a new line, ``-`` a removed line, and ``~`` a changed line with its new and old state. A
line with ``@`` says where on the page the lines below it are. A line that only moved is not a
change. A line that the page re-rendered with the same text is not a change either. One note lists
all replaced refs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from tabwarden.page.snapshot.matching import Matching
from tabwarden.page.text import Line, ranges, role_and_name, shortened, words

_WAS = 120
_LEAST = 12
"""The minimum space, in characters, for another word of the old line."""
_PLACES = frozenset(
    [
        *("main", "navigation", "banner", "contentinfo", "complementary", "region", "form"),
        *("search", "dialog", "alertdialog", "article", "list", "table", "grid", "tree", "row"),
        *("group", "tablist", "tabpanel", "toolbar", "menu", "menubar", "listbox", "iframe"),
        *("feed", "figure"),
    ]
)
_MOST_PLACES = 2
_MOST_RENEWED = 8


class Changes(NamedTuple):
    lines: list[Line]
    notes: list[str]
    """Remarks about many elements at once. They contain no text from the page."""


def changes(before: Sequence[Line], after: Sequence[Line]) -> Changes:
    telling = _Telling(Matching(before, after))
    telling.tell()
    return Changes(telling.lines, telling.notes())


class _Telling:
    def __init__(self, matching: Matching) -> None:
        self.matching = matching
        self.lines: list[Line] = []
        self._place: tuple[int, ...] | None = None
        self._headings: dict[int, int] = {}
        """Maps a line to the last heading so far among its children."""

    def tell(self) -> None:
        matching = self.matching
        after = matching.after
        went = self._went()
        mixed = self._mixed()
        came_in = -1  # the last added line; its children may be new too
        for gone in went.get(-1, ()):
            self._tell_went(gone, -1)
        for new, (depth, text) in enumerate(zip(after.depths, after.texts, strict=True)):
            old = matching.old_of.get(new)
            if old is None:
                if came_in >= 0 and depth > after.depths[came_in]:
                    level = depth - after.depths[came_in]
                else:
                    came_in, level = new, 0
                self._tell("+", new, text, after.refs_at(new), level)
            else:
                if came_in >= 0 and depth <= after.depths[came_in]:
                    came_in = -1
                if not matching.says_the_same(old, new):
                    is_note = after.roles[new] == "note"
                    was = "" if is_note else _was(matching.before.texts[old], text)
                    self._tell("~", new, text + was, after.refs_at(new))
                if new in mixed:
                    self._tell("~", new, f"{role_and_name(after[new])} (now in another order)", ())
            if text.startswith("heading"):
                self._headings[matching.new_above[new]] = new
            for gone in went.get(new, ()):
                self._tell_went(gone, new)

    def _went(self) -> dict[int, list[int]]:
        """Group the removed lines by the line in the new outline after which they would be."""
        matching = self.matching
        removed: defaultdict[int, list[int]] = defaultdict(list)
        last = -1
        for old in range(len(matching.before)):
            new = matching.new_of.get(old)
            if new is not None:
                last = new
            elif matching.before.roles[old] == "note":
                continue  # a changed line explains why the note disappeared
            elif matching.old_above[old] < 0 or matching.old_above[old] in matching.new_of:
                removed[last].append(old)
        return removed

    def _tell_went(self, old: int, after: int) -> None:
        matching = self.matching
        lines = matching.before
        gone = [at for at in range(old, lines.end(old)) if at not in matching.new_of]
        numbers = [number for at in gone for number in lines[at : at + 1].refs()]
        refs = ranges([number for number in numbers if number in matching.gone])
        text = role_and_name(lines[old])
        if len(gone) > 1:
            text += f" and {len(gone) - 1} line{'s' * (len(gone) > 2)} in it"
        if refs:
            listed = ", ".join(refs[:_MOST_RENEWED]) + (
                ", ..." if len(refs) > _MOST_RENEWED else ""
            )
            text += f" (was {listed})"
        above = matching.new_of.get(matching.old_above[old], -1)
        self._tell("-", after, text, (), above=above)

    def _mixed(self) -> set[int]:
        """Return the lines whose children are in a different order."""
        matching = self.matching
        last: dict[int, int] = {}
        mixed: set[int] = set()
        for new, old in sorted(matching.old_of.items()):
            above = matching.new_above[new]
            if above >= 0 and matching.old_of.get(above) == matching.old_above[old]:
                if last.get(above, -1) > old:
                    mixed.add(above)
                last[above] = old
        return mixed

    def _tell(
        self,
        mark: str,
        new: int,
        text: str,
        refs: tuple[str, ...],
        level: int = 0,
        above: int | None = None,
    ) -> None:
        place = self._place_of(self.matching.new_above[new] if above is None else above)
        if level == 0 and place != self._place:
            self._place = place
            if place:
                where = " > ".join(role_and_name(self.matching.after[at]) for at in place)
                self.lines.append(Line(0, "place", where, mark="@"))
        depth = 1 if self._place else 0
        role = self.matching.after.roles[new] if new >= 0 else "gone"
        self.lines.append(Line(depth, role, "  " * level + text, refs, mark=mark))

    def _place_of(self, at: int) -> tuple[int, ...]:
        """Return the ancestors and the heading that tell the reader where a line is."""
        place: list[int] = []
        while at >= 0 and len(place) < _MOST_PLACES:
            heading = self._headings.get(at)
            if heading is not None:
                place.append(heading)
            if self.matching.after.roles[at] in _PLACES and len(place) < _MOST_PLACES:
                place.append(at)
            at = self.matching.new_above[at]
        if at < 0 and len(place) < _MOST_PLACES and -1 in self._headings:
            place.append(self._headings[-1])
        return tuple(reversed(place))

    def notes(self) -> list[str]:
        """List the refs that were replaced although their elements look unchanged."""
        matching = self.matching
        renewed: dict[str, str] = {}
        for new, old in sorted(matching.old_of.items()):
            if matching.before.numbers[old] == matching.after.numbers[new]:
                continue
            was, now = matching.before.refs_at(old), matching.after.refs_at(new)
            if len(was) == len(now):
                renewed.update((o, n) for o, n in zip(was, now, strict=True) if o != n)
        if not renewed:
            return []
        runs: list[tuple[int, int, int]] = []
        for dead, born in sorted((int(o[1:]), int(n[1:])) for o, n in renewed.items()):
            first, second, length = runs[-1] if runs else (0, 0, 0)
            if length and dead == first + length and born == second + length:
                runs[-1] = (first, second, length + 1)
            else:
                runs.append((dead, born, 1))
        pairs = ", ".join(f"{_run(o, n)} -> {_run(w, n)}" for o, w, n in runs[:_MOST_RENEWED])
        rest = sum(n for _, _, n in runs[_MOST_RENEWED:])
        more = f", and {rest} more (take a full snapshot for their refs)" if rest else ""
        return [f"Redrawn with new refs but otherwise unchanged: {pairs}{more}."]


def _run(first: int, count: int) -> str:
    return f"e{first}-e{first + count - 1}" if count > 1 else f"e{first}"


def _was(old: str, new: str) -> str:
    """Return the words in the old line that are missing in the new line, at most ``_WAS``
    characters."""
    new_words = set(words(new))
    lost: list[str] = []
    room = _WAS
    for word in words(old):
        if word in new_words or word in ("|", "active") or word.startswith("[ref="):
            continue
        if room < _LEAST:
            lost.append("…")
            break
        key, quote, _ = word.partition('"')
        lost.append(key + shortened(word[len(key) :], room - len(key)) if quote else word)
        room -= len(lost[-1]) + 1
    return f" (was {' '.join(lost)})" if lost else ""
