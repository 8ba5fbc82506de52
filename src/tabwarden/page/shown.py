"""Shown: what of a tab's outline the agent is given: all, a part, an element, or what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabwarden.page.changes import changes
from tabwarden.page.cursors import Part
from tabwarden.page.excerpt import has_changed, place, within
from tabwarden.page.line import Line, quoted
from tabwarden.page.lines import Lines
from tabwarden.page.refs import Ref, stale

__all__ = ["Shown", "changes_shown", "element_shown", "part_shown"]

_TOO_MUCH = 0.7
"""A diff that is longer than this part of the whole is not worth reading."""


class Shown(NamedTuple):
    """What of an outline the agent is given."""

    lines: Sequence[Line]
    notes: list[str] = []  # noqa: RUF012 - nobody changes it
    within: list[Line] = []  # noqa: RUF012
    """Where that stands, if it is a part."""


def part_shown(part: Part, now: Lines, document: str) -> Shown:
    """What an earlier snapshot left out; from then, so it is said when it is not so now."""
    notes = ["What follows was left out of an earlier snapshot."]
    if part.document not in ("", document):
        notes.append(f"It was in a page that has been left since: {quoted(part.url)}.")
    elif has_changed(part, now):
        notes.append("The page has changed since: some of it may be gone, or be something else.")
    return Shown(part.lines[part.start : part.end], notes, place(part.lines, part.start))


def element_shown(asked: Ref, lines: Lines, *, readable: bool) -> Shown:
    """An element with what stands in it."""
    found = within(lines, asked.ref)
    if found is None:
        if readable:
            raise stale(asked, "it is not shown in the page any more")
        return Shown([])
    return Shown(lines[found.start : found.stop], [], place(lines, found.start))


def changes_shown(known: Lines, lines: Lines, max_chars: int | None) -> Shown:
    """What changed; the whole outline where that is shorter than saying it."""
    changed = changes(known, lines)
    if not changed.lines:
        return Shown([], ["Nothing changed since your last snapshot.", *changed.notes])
    size = sum(line.size for line in changed.lines)
    whole = sum(lines.sizes())
    if size > _TOO_MUCH * min(whole, max_chars or whole):
        return Shown(
            lines, ["Nearly all has changed since your last snapshot: this is the whole page."]
        )
    one = changed.number == 1
    words = f"{changed.number} line{' ' if one else 's '}came (+), went (-) or changed (~)"
    return Shown(changed.lines, [f"{words} since your last snapshot.", *changed.notes])
