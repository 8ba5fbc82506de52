"""View: select the lines that the agent sees: all, a part, an element, or the changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabwarden.page.snapshot.changes import changes
from tabwarden.page.task import Ref, stale
from tabwarden.page.text import Line, Lines, Part, has_changed, place, quoted, within

_TOO_MUCH = 0.7
"""If a diff exceeds this share of the whole outline's characters, and half of its lines changed,
show the outline instead."""


class Shown(NamedTuple):
    lines: Sequence[Line]
    notes: list[str] = []  # noqa: RUF012 - nobody changes it
    within: list[Line] = []  # noqa: RUF012
    """Lines above a part that show its ancestors."""


def part_shown(part: Part, now: Lines, document: str) -> Shown:
    """Return lines that an earlier snapshot left out. Add a note if the page has changed since."""
    notes = ["An earlier snapshot left this part out."]
    if part.document not in ("", document):
        notes.append(f"This part is from a page that the tab no longer shows: {quoted(part.url)}.")
    elif has_changed(part, now):
        notes.append("The page has changed since then, so parts of it may be gone or different.")
    return Shown(part.lines[part.start : part.end], notes, place(part.lines, part.start))


def element_shown(asked: Ref, lines: Lines, *, readable: bool) -> Shown:
    found = within(lines, asked.ref)
    if found is None:
        if readable:
            raise stale(asked, "the page no longer shows it")
        return Shown([])
    return Shown(lines[found.start : found.stop], [], place(lines, found.start))


def changes_shown(known: Lines, lines: Lines) -> Shown:
    """Return the changes, or the whole outline if almost everything changed."""
    changed = changes(known, lines)
    if not changed.lines:
        return Shown([], ["Nothing changed since your last snapshot.", *changed.notes])
    size = sum(line.size for line in changed.lines)
    whole = sum(lines.sizes())
    most_lines = 2 * changed.number > max(len(known), len(lines))
    if most_lines and size > _TOO_MUCH * whole:
        return Shown(
            lines,
            ["Almost everything changed since your last snapshot, so this is the whole page."],
        )
    one = changed.number == 1
    words = (
        f"{changed.number} line{' was ' if one else 's were '}added (+), removed (-) or changed (~)"
    )
    return Shown(changed.lines, [f"{words} since your last snapshot.", *changed.notes])
