"""Excerpts: a part of an outline, and a line that shows the ancestors of the part."""

from __future__ import annotations

from collections.abc import Sequence

from tabwarden.page.text.cursors import Part
from tabwarden.page.text.lines import Lines
from tabwarden.page.text.untrusted_text import Line, named

_MOST_PLACES = 4


def within(lines: Lines, ref: str) -> range | None:
    """Return the range of lines with an element and its content; None if it is missing."""
    number = int(ref[1:])
    for at, numbers in enumerate(lines.numbers):
        if numbers == number or (isinstance(numbers, tuple) and number in numbers):
            return range(at, lines.end(at))
    return None


def place(lines: Sequence[Line], at: int) -> list[Line]:
    """Return one line that shows a line's ancestors, or an empty list for an outermost line."""
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
    """Whether some of the omitted lines have changed or disappeared."""
    there = set(now.texts)
    run = part.lines[part.start : part.end]
    return any(line.text not in there for line in run if not line.mark)
