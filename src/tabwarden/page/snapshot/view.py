"""View: select the lines that the agent sees: all, a part, an element, or the changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabwarden.page.snapshot.changes import changes
from tabwarden.page.snapshot.matching import alike_ends
from tabwarden.page.task import Ref, stale
from tabwarden.page.text import (
    LastOutline,
    Line,
    Lines,
    Part,
    ancestors_line,
    has_changed,
    quoted,
    ranges,
    within,
)

UNCHANGED = "Nothing changed since your last snapshot."
BRIEF_CHARS = 2_000
BRIEF_PAGE_CHARS = 6_000
"""The maximum lengths of the changes and of the page in the answer of another action."""
_TOO_MUCH = 0.7
"""If a diff exceeds this share of the whole outline's characters, and half of its lines changed,
show the outline instead."""
_MOST_COMPARED = 30_000
"""The most lines of both outlines to compare. They take a second, in which nothing else runs."""
_MOST_NEW = 8
"""The most ranges of new refs to list."""


class Shown(NamedTuple):
    lines: Sequence[Line]
    notes: list[str] = []  # noqa: RUF012 - nobody changes it
    within: list[Line] = []  # noqa: RUF012
    """Lines above a part that show its ancestors."""
    is_diff: bool = False

    def max_chars(self, given: int | None, *, brief: bool) -> int | None:
        """Return the maximum length. ``given`` applies unless the view must be brief."""
        return (BRIEF_CHARS if self.is_diff else BRIEF_PAGE_CHARS) if brief else given


def part_shown(part: Part, now: Lines, document: str) -> Shown:
    """Return lines that an earlier snapshot left out. Add a note if the page has changed since."""
    notes = ["An earlier snapshot left this part out."]
    if part.document not in ("", document):
        notes.append(f"This part is from a page that the tab no longer shows: {quoted(part.url)}.")
    elif has_changed(part, now):
        notes.append("The page has changed since then, so parts of it may be gone or different.")
    return Shown(part.lines[part.start : part.end], notes, ancestors_line(part.lines, part.start))


def element_shown(asked: Ref, lines: Lines, *, readable: bool) -> Shown:
    found = within(lines, asked.ref)
    if found is None:
        if readable:
            raise stale(asked, "it is gone or hidden")
        return Shown([])
    return Shown(lines[found.start : found.stop], [], ancestors_line(lines, found.start))


def whole_shown(known: LastOutline | None, now: LastOutline) -> Shown:
    """Return the page, with a note that lists the refs of new elements if they are few."""
    if known is None or known.document != now.document:
        return Shown(now.lines)
    refs = set(now.lines.refs())
    came = sorted(refs - set(known.lines.refs()))
    listed = ranges(came)
    if not came or 2 * len(came) > len(refs) or len(listed) > _MOST_NEW:
        return Shown(now.lines)
    return Shown(now.lines, [f"New since your last snapshot: {', '.join(listed)}."])


def page_shown(known: LastOutline | None, now: LastOutline, *, brief: bool = False) -> Shown:
    """Return the page, or its changes since the outline ``known``.

    ``brief``: return a new document as a whole, not compared with the old one.
    """
    if known is None or (brief and known.document != now.document):
        return Shown(now.lines)
    return changes_shown(known.lines, now.lines)


def changes_shown(known: Lines, lines: Lines) -> Shown:
    """Return the changes, or the whole outline if almost everything changed."""
    if len(known) + len(lines) - 2 * sum(alike_ends(known, lines)) > _MOST_COMPARED:
        return Shown(lines, ["Too much changed to compare. The whole page:"])
    changed = changes(known, lines)
    if not changed.lines:
        return Shown([], [UNCHANGED, *changed.notes], is_diff=True)
    size = sum(line.size for line in changed.lines)
    whole = sum(lines.sizes())
    count = sum(line.mark != "@" for line in changed.lines)
    if 2 * count > len(lines) and size > _TOO_MUCH * whole:
        return Shown(
            lines,
            ["Almost everything changed. The whole page:"],
        )
    return Shown(changed.lines, changed.notes, is_diff=True)
