"""Excerpts: a part of an outline, and a line above it that gives its place."""

from __future__ import annotations

from collections.abc import Sequence

from tabwarden.page.text.cursors import Part
from tabwarden.page.text.lines import Lines
from tabwarden.page.text.untrusted_text import Line, named

_MOST_PLACES = 4


def within(lines: Lines, ref: str) -> range | None:
    """Return the lines of an element and its content, or None if it is missing."""
    number = int(ref[1:])
    for at, numbers in enumerate(lines.numbers):
        if numbers == number or (isinstance(numbers, tuple) and number in numbers):
            return range(at, lines.end(at))
    return None


def place(lines: Sequence[Line], at: int) -> list[Line]:
    """Return a line's ancestors as a single line, or nothing for an outermost line."""
    path: list[str] = []
    depth = lines[at].depth
    for line in reversed(lines[:at]):
        if line.depth < depth and line.mark == lines[at].mark:
            path.append(named(line))
            depth = line.depth
    if not path:
        return []
    return [Line(0, "place", " > ".join(reversed(path[:_MOST_PLACES])), mark="@")]


def has_changed(part: Part, now: Lines) -> bool:
    """Whether the page has lost some of the omitted lines, or they have changed."""
    there = set(now.texts)
    run = part.lines[part.start : part.end]
    return any(line.text not in there for line in run if not line.mark)
