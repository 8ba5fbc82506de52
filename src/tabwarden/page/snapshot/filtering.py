"""Shorten an outline to the lines in the viewport, the lines with refs, or the outer levels."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from tabwarden.hints import Hint, Next
from tabwarden.page.snapshot.relevance import Nesting
from tabwarden.page.text import Lines

Filter = Literal["all", "visible", "interactive"]

_ALWAYS = frozenset(("note", "tool"))
_ABOVE = frozenset(("text", "heading", "listitem"))
"""The roles of the line above a control that may say which of several equal controls it is."""


def filtered(lines: Lines, kind: Filter) -> tuple[Lines, str]:
    """Return some lines of an outline with their ancestors, and a note that counts them.

    Args:
        lines: the outline.
        kind: ``visible`` keeps the lines in the viewport. ``interactive`` keeps the lines with
            refs, of their ancestors those that say more than their role, the heading above them,
            and the line before a control that is named like another control.
    """
    if kind == "all":
        return lines, ""
    above = Nesting(lines.depths).above
    kept = _visible(lines, above) if kind == "visible" else _interactive(lines, above)
    what = "are in the viewport" if kind == "visible" else "have or describe elements with refs"
    note = f"{kept.count(1)} of {len(lines)} lines {what}; the others are not shown."
    return _pick(lines, kept, above), note


def _visible(lines: Lines, above: list[int]) -> bytearray:
    kept = bytearray(len(lines))
    for at, role in enumerate(lines.roles):
        if lines.in_view[at] or role in _ALWAYS:
            one = at
            while one >= 0 and not kept[one]:
                kept[one] = 1
                one = above[one]
    return kept


def _interactive(lines: Lines, above: list[int]) -> bytearray:
    roles, texts, numbers = lines.roles, lines.texts, lines.numbers
    kept, met = bytearray(len(lines)), bytearray(len(lines))
    names = Counter(map(_name, texts))
    heading = -1
    for at, role in enumerate(roles):
        if role == "heading":
            heading = at
        if not numbers[at] and role not in _ALWAYS:
            continue
        kept[at] = 1
        one = above[at]
        while one >= 0 and not met[one]:
            met[one] = 1
            if texts[one] != roles[one]:
                kept[one] = 1
            one = above[one]
        if not numbers[at]:
            continue
        if heading >= 0:
            kept[heading], heading = 1, -1
        is_one_of_many = names[_name(texts[at])] > 1
        if is_one_of_many and at and roles[at - 1] in _ABOVE and '"' in texts[at - 1]:
            kept[at - 1] = 1
    return kept


def _name(text: str) -> str:
    """Return the text before a line's ref: the role and the name."""
    return text.partition(" [ref=")[0]


def _pick(lines: Lines, kept: bytearray, above: list[int]) -> Lines:
    """Return the lines that are marked in ``kept``, indented below their kept ancestors."""
    depths: list[int] = []
    """For each line, the number of its kept ancestors."""
    places = [0]
    """For each line, how many lines before it are kept."""
    for at, one in enumerate(above):
        depths.append(depths[one] + kept[one] if one >= 0 else 0)
        places.append(places[-1] + kept[at])
    some = [at for at, is_kept in enumerate(kept) if is_kept]
    picked = lines.pick(some)
    outer = min(lines.depths, default=0)
    picked.depths = [outer + depths[at] for at in some]
    behind = [(places[start], places[end]) for start, end in lines.behind]
    picked.behind = [(start, end) for start, end in behind if start < end]
    return picked


def outer_levels(lines: Lines, depth: int) -> tuple[Lines, str]:
    """Return the outer ``depth`` levels of an outline, and a note about the deeper lines.

    Each line with deeper lines says how many it has.
    """
    deepest = min(lines.depths, default=0) + depth - 1
    kept = bytearray([one <= deepest for one in lines.depths])
    left_out = kept.count(0)
    if not left_out:
        return lines, ""
    picked = _pick(lines, kept, Nesting(lines.depths).above)
    some = [at for at, is_kept in enumerate(kept) if is_kept]
    picked.texts = [
        f"{text} … {end - at - 1} deeper" if end - at > 1 else text
        for at, end, text in zip(some, [*some[1:], len(lines)], picked.texts, strict=True)
    ]
    return picked, Hint(
        f"{left_out} line{' is' if left_out == 1 else 's are'} nested below level {depth}",
        ("; to read more levels: ", Next("snapshot", depth=2 * depth)),
        ("; one element: ", Next("snapshot", ref="e...")),
        ".",
    )
