"""Excerpts: a part of an outline, and the line above it that says where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabwarden.page.cursors import Part
from tabwarden.page.folding import Folded
from tabwarden.page.line import Line, named
from tabwarden.page.lines import Lines

__all__ = ["has_changed", "left_out", "place", "within"]

_MOST_PLACES = 4
_MOST_FRAMES = 10


def within(lines: Lines, ref: str) -> range | None:
    """The lines of an element and of all that is in it; None when it isn't there."""
    number = int(ref[1:])
    for at, numbers in enumerate(lines.numbers):
        if numbers == number or (isinstance(numbers, tuple) and number in numbers):
            return range(at, lines.end(at))
    return None


def place(lines: Sequence[Line], at: int) -> list[Line]:
    """What a line stands in, as one line; none for the outermost."""
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
    """Whether some of what was left out then isn't in the page any more as it was."""
    there = set(now.texts)
    run = part.lines[part.start : part.end]
    return any(line.text not in there for line in run if not line.mark)


def left_out(lines: Lines, fold: Folded, frames: Mapping[str, str]) -> str:
    """What isn't shown, and how to get it.

    Args:
        lines: the outline.
        fold: what is shown of it.
        frames: the refs of iframes to the ``frame_id`` in each.
    """
    missing = bytearray(len(lines))
    refs = 0
    for gap in fold.gaps:
        missing[gap.start : gap.end] = b"\1" * (gap.end - gap.start)
        refs += len(lines[gap.start : gap.end].refs())
    told: list[str] = []
    others = 0
    for at, role in enumerate(lines.roles if frames else ()):
        if role != "iframe" or not (named := lines.refs_at(at)) or named[0] not in frames:
            continue
        count = missing.count(1, at, lines.end(at))
        if count and len(told) < _MOST_FRAMES:
            told.append(f"{count} in frame_id={frames[named[0]]} ({named[0]})")
        elif count:
            others += 1
    if others:
        told.append(f"others in {others} more frames")
    inside = f" ({', '.join(told)})" if told else ""
    return (
        f"[{missing.count(1)} lines with {refs} elements left out{inside}. A part of them: "
        f'browser_snapshot(more="m..."); what is in an element: (ref="e..."); in a frame: '
        f"(frame_id=...); all: (full=true); by its words: browser_find]"
    )
