"""Select the lines that the agent sees: the page, a part, an element, or the changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tabwarden.page.snapshot.changes import changes
from tabwarden.page.snapshot.filtering import Filter, filtered, outer_levels
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
"""The maximum lengths of the changes and of the page in the result of another action."""
_TOO_MUCH = 0.7
"""If a diff exceeds this share of the outline's characters and half of the lines changed, the
outline is shown instead of the diff."""
_MOST_COMPARED = 30_000
"""The maximum number of lines to compare. Comparing this many lines blocks everything else for a
second."""
_MOST_NEW = 8
"""The maximum number of ranges of new refs to list."""


class Shown(NamedTuple):
    lines: Sequence[Line]
    notes: list[str] = []  # noqa: RUF012 - nobody changes it
    within: list[Line] = []  # noqa: RUF012
    """The lines above a part. They show the part's ancestors."""
    is_diff: bool = False

    def max_chars(self, limit: int | None, *, brief: bool) -> int | None:
        """Return the maximum length: ``limit``, unless the view must be brief."""
        return (BRIEF_CHARS if self.is_diff else BRIEF_PAGE_CHARS) if brief else limit

    def narrowed(self, kind: Filter, depth: int | None) -> Shown:
        """Return the lines that ``filter`` and ``depth`` keep, with notes about the others."""
        if kind == "all" and depth is None:
            return self
        lines, note = filtered(Lines.of(self.lines), kind)
        lines, deeper = (lines, "") if depth is None else outer_levels(lines, depth)
        return self._replace(lines=lines, notes=[*self.notes, *filter(None, (note, deeper))])


def part_shown(part: Part, now: Lines, document: str) -> Shown:
    """Return lines that an earlier snapshot left out. Add a note if the page has changed since that
    snapshot."""
    notes = ["An earlier snapshot left this part out."]
    if part.document not in ("", document):
        notes.append(f"This part is from a page that the tab no longer shows: {quoted(part.url)}.")
    elif has_changed(part, now):
        notes.append("The page has changed since then, so parts of it may be gone or different.")
    return Shown(part.lines[part.start : part.end], notes, ancestors_line(part.lines, part.start))


def element_shown(element: Ref, lines: Lines, *, readable: bool) -> Shown:
    span = within(lines, element.ref)
    if span is None:
        if readable:
            raise stale(element, "it is gone or hidden")
        return Shown([])
    return Shown(lines[span.start : span.stop], [], ancestors_line(lines, span.start))


def whole_shown(known: LastOutline | None, now: LastOutline) -> Shown:
    """Return the whole page. If only a few elements are new, add a note that lists their refs."""
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

    With ``brief``, return a new document as a whole, without comparing it to the old document.
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
