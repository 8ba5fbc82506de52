"""View: which lines of an outline the agent sees: all, a part, an element, or the changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabwarden.page.snapshot.changes import changes
from tabwarden.page.task import Ref, stale
from tabwarden.page.text import Line, Lines, Part, has_changed, place, quoted, within

_TOO_MUCH = 0.7
"""If a diff exceeds this share of the whole outline, show the outline instead."""


class Shown(NamedTuple):
    """The lines that the agent sees."""

    lines: Sequence[Line]
    notes: list[str] = []  # noqa: RUF012 - nobody changes it
    within: list[Line] = []  # noqa: RUF012
    """The lines that give the place of a part."""


def part_shown(part: Part, now: Lines, document: str) -> Shown:
    """Return lines that an earlier snapshot left out, with a note if the page has changed since."""
    notes = ["An earlier snapshot left this part out."]
    if part.document not in ("", document):
        notes.append(f"It is from a page that the tab has left: {quoted(part.url)}.")
    elif has_changed(part, now):
        notes.append("The page has changed since, so some of it may be gone or different.")
    return Shown(part.lines[part.start : part.end], notes, place(part.lines, part.start))


def element_shown(asked: Ref, lines: Lines, *, readable: bool) -> Shown:
    """Return an element and its content."""
    found = within(lines, asked.ref)
    if found is None:
        if readable:
            raise stale(asked, "the page no longer shows it")
        return Shown([])
    return Shown(lines[found.start : found.stop], [], place(lines, found.start))


def changes_shown(known: Lines, lines: Lines, max_chars: int | None) -> Shown:
    """Return the changes, or the whole outline if that is shorter."""
    changed = changes(known, lines)
    if not changed.lines:
        return Shown([], ["Nothing changed since your last snapshot.", *changed.notes])
    size = sum(line.size for line in changed.lines)
    whole = sum(lines.sizes())
    if size > _TOO_MUCH * min(whole, max_chars or whole):
        return Shown(
            lines,
            ["Almost everything changed since your last snapshot, so this is the whole page."],
        )
    one = changed.number == 1
    words = f"{changed.number} line{' ' if one else 's '}came (+), went (-) or changed (~)"
    return Shown(changed.lines, [f"{words} since your last snapshot.", *changed.notes])
