"""Rank the elements of an outline by a query in words, such as "the delete button of Anna".

An element's own words count most: its name, its label and its other texts. The words around it tell
equal elements apart: its row or list item, the text and the heading before it, its ancestors.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from tabwarden.page.search.query_words import FIELDS, QueryWords
from tabwarden.page.text import Lines

_PIECE = re.compile(
    r'(?<![a-z])([a-z]+)(?: ("(?:[^"\\]|\\.)*+"))? \[ref=e(\d+)\]'  # role, name, number
    r'|(?:(?<![a-z-])([a-z-]+)=)?("(?:[^"\\]|\\.)*+"?)'  # key, text, perhaps cut
    r"|(?<![a-z])type=([a-z-]+)"
)
_LABELS = frozenset(("near", "placeholder", "text"))
_UNSAID = {"searchbox": "search", "spinbutton": "number"}
"""A word that describes each element with this role, although its name may not have it."""
_PART_WORDS = {
    "banner": "header top", "contentinfo": "footer bottom", "navigation": "navigation nav menu",
    "complementary": "sidebar aside", "search": "search", "dialog": "dialog popup modal",
    "alertdialog": "dialog popup modal", "main": "main",
}  # fmt: skip
"""Words for parts of a page."""
_ITEMS = frozenset(
    ("listitem", "row", "article", "treeitem", "group", "radiogroup", "definition", "figure")
)
"""Roles of elements whose content belongs together."""
_MOST_IN_ITEM = 60
"""The maximum number of lines in such an element."""
_MOST_BEFORE = 20
"""How many lines before an element may belong to it."""
_FAMILIES = (
    frozenset(("button", "link", "menuitem", "tab", "generic", "switch", "option", "img")),
    FIELDS | {"listbox", "slider"},
    frozenset(("checkbox", "radio", "switch", "option", "menuitemcheckbox", "menuitemradio")),
)
"""Roles that people confuse."""

# How much a word counts, by the place where it is.
_OWN, _BESIDE, _IN_ITEM, _BEFORE = 1.0, 0.5, 0.45, 0.4
_AROUND_ITEM, _HEADING, _ABOVE = 0.35, 0.3, 0.25
_ELSEWHERE = 0.5
"""The factor for an element that has no word of the query's head (``QueryWords.head``)."""
_ROLE_WORD = 0.3
"""How much a word that names a role counts if an element has it in its name."""
_ALL, _SAME, _KIND = 0.4, 0.6, 0.2
"""What an element gets for having all words, for a name without other words, and for a role that
the query describes (``_UNSAID``)."""
_FITS, _CONFUSED, _MISFIT, _BEHIND = 1.5, 0.6, 0.4, 0.5
"""Factors for an element with the role that the query names, a similar role, or another role, and
for an element behind a dialog."""
_LEAST = 0.4
"""The least part of the best score that is enough."""
_MOST_CONTEXT = 80


class Match(NamedTuple):
    number: int
    """The element's ref number."""
    score: float
    at: int
    """The index of the element's line."""
    role: str
    name: str
    label: str
    """The label beside an element without a name."""
    context: str
    """A text that tells the element from others, such as the row's text; may be empty."""


class _Element(NamedTuple):
    at: int
    number: int
    role: str
    name: str
    label: str
    texts: list[tuple[str, str]]
    """The element's other texts, each with its key."""


def ranked(lines: Lines, query: str, most: int) -> tuple[list[Match], int]:
    """Return the elements that match a query, the best first, equally good ones in page order, and
    how many there are.

    This takes time proportional to the length of the outline: 0.1 s for 11,000 lines.

    Args:
        lines: the outline.
        query: a description of the element.
        most: the maximum number of elements to return.
    """
    words = QueryWords(query)
    if not words.count:
        return [], 0
    elements: list[_Element] = []
    texts: list[list[str]] = []
    for at, text in enumerate(lines.texts):
        texts.append(_read(at, text, elements))
    around = _Around(lines, elements, texts, words)
    own = [_own_bits(element, words) for element in elements]
    weights = _weights(own, words)
    behind = bytearray(len(lines))
    for start, end in lines.behind:
        behind[start:end] = b"\1" * (end - start)
    matches = []
    for element, (named, beside) in zip(elements, own, strict=True):
        score = _score(element, (named, beside), around.places(element), weights, words)
        if score > 0:
            score *= _BEHIND if behind[element.at] else 1.0
            is_named = bool(named | beside) or element.role in words.roles
            matches.append((score, element, named, is_named))
    # What is only near the words of the query is a guess.
    if any(is_named for *_, is_named in matches):
        matches = [one for one in matches if one[-1]]
    best = max((score for score, *_ in matches), default=0.0)
    matches = [one for one in matches if one[0] >= _LEAST * best]
    matches.sort(key=lambda one: -one[0])
    return [
        Match(
            element.number,
            score,
            element.at,
            element.role,
            element.name,
            element.label,
            around.text(element, words.needed & ~named, weights),
        )
        for score, element, named, _ in matches[:most]
    ], len(matches)


def _read(at: int, text: str, elements: list[_Element]) -> list[str]:
    """Add the elements of a line to ``elements``. Return the line's texts, except URLs."""
    texts: list[str] = []
    element: _Element | None = None
    if '"' not in text and "[ref=" not in text:
        return texts
    for role, name, number, key, said, kind in _PIECE.findall(text):
        if number:
            element = _Element(at, int(number), role, _unquoted(name), "", [])
            elements.append(element)
            if name:
                texts.append(element.name)
        elif kind:
            if element is not None:
                element.texts.append(("type", kind))
        elif element is not None and key:
            value = _unquoted(said)
            if key == "near":
                element = elements[-1] = element._replace(label=value)
            element.texts.append((key, value))
        else:
            texts.append(_unquoted(said))
            if element is not None:
                element.texts.append(("", texts[-1]))
    return texts


def _unquoted(text: str) -> str:
    if "\\" not in text:
        return text[1:-1]
    try:
        return str(json.loads(text))
    except ValueError:  # the text was cut inside an escape
        return text[1:-1]


def _own_bits(element: _Element, words: QueryWords) -> tuple[int, int]:
    """Return the bits of the words in an element's name and labels, and in its other texts."""
    own, beside = words.in_text(f"{element.name} {_UNSAID.get(element.role, '')}")
    for key, text in element.texts:
        whole, begun = words.in_text(text)
        if key in _LABELS or key == "type":
            own |= whole
        beside |= whole | begun
    return own, beside


def _weights(own: Sequence[tuple[int, int]], words: QueryWords) -> list[float]:
    """Return how much each word of the query counts: rare words count more."""
    counts = [0] * words.count
    for bits, _ in own:
        for place in _places_of(bits):
            counts[place] += 1
    weights = [math.log(2 + len(own) / (1 + count)) for count in counts]
    return [
        weight if words.needed >> place & 1 else weight * _ROLE_WORD
        for place, weight in enumerate(weights)
    ]


def _places_of(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _score(
    element: _Element,
    bits: tuple[int, int],
    places: Sequence[tuple[int, float]],
    weights: Sequence[float],
    words: QueryWords,
) -> float:
    own, beside = bits
    levels: dict[int, float] = {}
    for found, level in (*reversed(places), (beside, _BESIDE), (own, _OWN)):
        for place in _places_of(found):
            levels[place] = max(level, levels.get(place, 0.0))
    total = sum(weights[: words.needed.bit_length()])
    fits = element.role in words.roles
    if not levels:
        return 1.0 if fits and not words.needed else 0.0
    score = sum(weights[place] * level for place, level in levels.items()) / (total or 1.0)
    if not words.needed:  # the query names only a role
        return score + (1.0 if fits else 0.0)
    if not own and not any(words.needed >> place & 1 for place in levels):
        return 0.0
    if not (own | beside) and words.roles and not fits:
        return 0.0
    if all(place in levels for place in _places_of(words.needed)):
        score += _ALL
    name = element.name or element.label
    if own and name and words.contains(name):
        score += _SAME * min(1.0, sum(weights[place] for place in _places_of(own)) / total)
    if element.role in _UNSAID and words.in_text(_UNSAID[element.role])[0]:
        score += _KIND
    if words.head and not words.head & (own | beside):
        score *= _ELSEWHERE
    if words.roles:
        like = any(element.role in one and words.roles & one for one in _FAMILIES)
        score *= _FITS if fits else _CONFUSED if like else _MISFIT
    return score


class _Around:
    """What is around each element: the bits of the words there, and a text for the reader."""

    def __init__(
        self,
        lines: Lines,
        elements: Sequence[_Element],
        texts: Sequence[Sequence[str]],
        words: QueryWords,
    ) -> None:
        self._texts = texts
        count = len(lines)
        bits = [
            words.in_text(f"{_PART_WORDS.get(role, '')} {' '.join(some)}")[0]
            for role, some in zip(lines.roles, texts, strict=True)
        ]
        self._bits = bits
        self._item = [-1] * count
        """The innermost item around each line; -1 for none."""
        self._outer = [-1] * count
        """The outermost item around each line; -1 for none."""
        self._parents = [-1] * count
        self._sizes = [1] * count
        """The number of lines of each line and its content."""
        self._before: list[tuple[int, int]] = []
        """For each line, the bits of the texts before it that belong to it, and their first
        line."""
        self._heading = [-1] * count
        """The last heading before each line."""
        self._above = [0] * count
        """The bits of each line's ancestors."""
        self._whole = list(bits)
        """The bits of each line and its content."""
        self._walk(lines, _repeated(elements))

    def _walk(self, lines: Lines, repeated: Container[int]) -> None:
        bits, count = self._bits, len(lines)
        path: list[int] = []
        sizes, above = self._sizes, self._parents
        runs: dict[int, tuple[int, int, bool]] = {}  # by parent: bits, first line, is closed
        heading = -1
        for at, (depth, role) in enumerate(zip(lines.depths, lines.roles, strict=True)):
            while path and lines.depths[path[-1]] >= depth:
                path.pop()
            parent = path[-1] if path else -1
            above[at] = parent
            if parent >= 0:
                self._above[at] = self._above[parent] | bits[parent]
            path.append(at)
            self._heading[at] = heading
            run, first, is_closed = runs.get(parent, (0, at, False))
            closes = at in repeated
            is_long = at - first >= _MOST_BEFORE
            if role == "heading" or is_long or (is_closed and not closes):
                run, first, is_closed = 0, at, False
            self._before.append((run, first))
            runs[parent] = (run | bits[at], first, is_closed or closes)
            if role == "heading":
                heading = at
        for at in range(count - 1, -1, -1):
            if above[at] >= 0:
                self._whole[above[at]] |= self._whole[at]
                sizes[above[at]] += sizes[at]
        for at, parent in enumerate(above):
            if lines.roles[at] in _ITEMS and sizes[at] <= _MOST_IN_ITEM:
                self._item[at] = at
            elif parent >= 0:
                self._item[at] = self._item[parent]
            around = self._outer[parent] if parent >= 0 else -1
            self._outer[at] = around if around >= 0 else self._item[at]

    def places(self, element: _Element) -> list[tuple[int, float]]:
        """Return the bits of the words in each place around an element, and how much they
        count."""
        at = element.at
        item, outer, heading = self._item[at], self._outer[at], self._heading[at]
        return [
            (self._whole[item] if item >= 0 else self._bits[at], _IN_ITEM),
            (self._before[at][0], _BEFORE),
            (self._whole[outer] if outer >= 0 else 0, _AROUND_ITEM),
            (self._bits[heading] if heading >= 0 else 0, _HEADING),
            (self._above[at], _ABOVE),
        ]

    def text(self, element: _Element, wanted: int, weights: Sequence[float]) -> str:
        """Return the text around an element that has the rarest ``wanted`` words, or else the first
        text there; "" if there is none."""
        at = element.at
        item, outer, heading = self._item[at], self._outer[at], self._heading[at]
        places = [range(self._before[at][1], at + 1), range(heading, heading + 1)]
        places += [range(one, one + self._sizes[one]) for one in (item, outer)]
        above = self._parents[at]
        while above >= 0:
            places.append(range(above, above + 1))
            above = self._parents[above]
        best, most = "", -1.0
        for one in chain.from_iterable(place for place in places if place.start >= 0):
            texts = [text for text in self._texts[one] if text not in ("", element.name)]
            weight = sum(weights[place] for place in _places_of(self._bits[one] & wanted))
            if texts and weight > most:
                best, most = " | ".join(texts), weight
        return best[:_MOST_CONTEXT]


def _repeated(elements: Sequence[_Element]) -> set[int]:
    """Return the lines of elements that occur several times, such as a button in each card."""
    keyed = attrgetter("role", "name")
    counts: Counter[tuple[str, str]] = Counter()
    last: dict[tuple[str, str], int] = {}
    for element in elements:
        key = keyed(element)
        if element.at - last.get(key, -9) > 2:  # not the picture and the title of one card
            counts[key] += 1
        last[key] = element.at
    return {element.at for element in elements if counts[keyed(element)] > 1}
