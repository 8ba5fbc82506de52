"""Shorten a long outline to its limit, and describe the omitted lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from tabwarden.hints import Hint, Next
from tabwarden.page.snapshot.relevance import GAP_SIZE, Gap, chosen
from tabwarden.page.text import Line, Lines, ranges, shortened, words

_LONG_TEXT = 600
_MOST_LEVELS = 8
"""The maximum indentation of a line that describes a gap."""
_MOST_RANGES = 4
_MOST_KINDS = 5
_MOST_FRAMES = 10
_MOST_EXAMPLES = 4
_EXAMPLE = 60
_NAME = 24
_MOSTLY = 0.7
"""If at least this share of the lines in a gap is of one kind, the gap's line says "more like
this"."""
_TEXT = re.compile(r'(\s*text )("(?:[^"\\]|\\.)*")(.*)')

CursorOf = Callable[[int, int], str]


class Folded(NamedTuple):
    text: list[str]
    lines: Sequence[Line]
    """All lines of the outline."""
    kept: Sequence[int]
    """The indexes of the lines that are shown."""
    gaps: list[Gap]

    @property
    def shown(self) -> list[Line]:
        return [self.lines[at] for at in self.kept]

    @property
    def left_out(self) -> int:
        """The number of omitted lines."""
        return sum(gap.end - gap.start for gap in self.gaps)


def folded(lines: Sequence[Line], max_chars: int | None, cursor: CursorOf) -> Folded:
    """Shorten an outline to ``max_chars`` characters. None sets no limit.

    ``cursor(start, end)`` returns the name that the agent uses to request these omitted lines.
    """
    columns = Lines.of(lines)
    if max_chars is not None and columns.behind:
        return _front_folded(columns, max_chars, cursor)
    outer = min(columns.depths, default=0)
    sizes = columns.sizes()
    if max_chars is None or sum(sizes) <= max_chars:
        text = [line.as_text(outer) for line in lines]
        return Folded(text, lines, range(len(text)), [])
    most = max(100, min(_LONG_TEXT, max_chars // 4))
    texts = _cut(columns, sizes, most)
    parts, room = chosen(columns, sizes, max_chars)
    gaps = [part for part in parts if isinstance(part, Gap)]
    bullet = "" if lines[0].mark else "- "  # in a diff, "- " marks a removed line
    descriptions: dict[Gap, str] = {}
    # Describe the largest gaps in the most detail.
    for gap in sorted(gaps, key=lambda gap: gap.start - gap.end):
        more = cursor(gap.start, gap.end)
        run = columns[gap.start : gap.end]
        line = _gap_line(run, more, outer, bullet, at_most=GAP_SIZE + room - 1)
        descriptions[gap] = line
        room -= max(0, len(line) + 1 - GAP_SIZE)
    text = [
        descriptions[part] if isinstance(part, Gap) else _drawn(lines, part, outer, texts.get(part))
        for part in parts
    ]
    return Folded(text, lines, [part for part in parts if not isinstance(part, Gap)], gaps)


def _front_folded(lines: Lines, max_chars: int, cursor: CursorOf) -> Folded:
    """Leave out the lines behind a dialog. The line before the omitted lines gets the cursor."""
    shown = bytearray(b"\1" * len(lines))
    texts: dict[int, str] = {}
    for start, end in lines.behind:
        if shown[start]:
            shown[start:end] = bytes(end - start)
            texts[start - 1] = f"{lines.texts[start - 1]} more={cursor(start, end)}"
    kept = [at for at in range(len(lines)) if shown[at]]
    front = lines.pick(kept)
    front.texts = [texts.get(at, text) for at, text in zip(kept, front.texts, strict=True)]
    fold = folded(front, max_chars, lambda start, end: cursor(kept[start], kept[end - 1] + 1))
    gaps = [Gap(kept[gap.start], kept[gap.end - 1] + 1) for gap in fold.gaps]
    return Folded(fold.text, lines, [kept[at] for at in fold.kept], gaps)


def _drawn(lines: Sequence[Line], at: int, outer: int, cut: str | None) -> str:
    line = lines[at]
    return (line if cut is None else msgspec.structs.replace(line, text=cut)).as_text(outer)


def _cut(lines: Lines, sizes: list[int], most: int) -> dict[int, str]:
    """Map the index of each long text to the shortened text. Only texts can be that long."""
    if max(map(len, lines.texts)) <= most:
        return {}
    cut = {
        at: _cut_text(text, most)
        for at, (role, text) in enumerate(zip(lines.roles, lines.texts, strict=True))
        if role == "text" and len(text) > most
    }
    for at, text in cut.items():
        sizes[at] += len(text) - len(lines.texts[at])
    return cut


def _cut_text(text: str, most: int) -> str:
    match = _TEXT.match(text)
    if match is None or len(match[2]) <= most:
        return text
    return f"{match[1]}{shortened(match[2], most)} (+{len(match[2]) - most} characters){match[3]}"


def _gap_line(run: Lines, more: str, outer: int, bullet: str, *, at_most: int) -> str:
    """Return ``- … 40 more like this: listitem > button "Buy" [e21-e60] more=m1`` if it fits."""
    indent = "  " * min(run.depths[0] - outer, _MOST_LEVELS) if bullet else ""
    like = _alike(run)
    count = f"{like} more" if like else f"{len(run)} lines"
    refs = run.refs()
    about = f" like this: {_example(run)}" if like else f": {_kinds(run)}"
    listed = ranges(refs)
    named = f" [{', '.join(listed)}]" if listed else ""
    if len(listed) > _MOST_RANGES:
        rest = len(refs) - _count(listed[:_MOST_RANGES])
        named = f" [{', '.join(listed[:_MOST_RANGES])} and {rest} more]"
    short = named if len(named) <= 24 else f" [{len(refs)} refs]"
    for line in (
        f"{indent}{bullet}… {count}{about}{named} more={more}",
        f"{indent}{bullet}… {count}{about}{short} more={more}",
        f"{indent}{bullet}… {count}{named} more={more}",
    ):
        if len(line) <= at_most:
            return line
    return f"{indent}{bullet}… {count}{short} more={more}"


def _alike(run: Lines) -> int:
    """Count the items in a gap that are like the gap's first item. Return 0 if most of the gap is
    different."""
    depths, roles = run.depths, run.roles
    first, kind = depths[0], roles[0]
    if min(depths) == first == max(depths):
        count = roles.count(kind)
        return count if count > 1 and count >= _MOSTLY * len(run) else 0
    count = within = 0
    inside = False
    for depth, role in zip(depths, roles, strict=True):
        if depth <= first:
            inside = depth == first and role == kind
            count += inside
        within += inside
    return count if count > 1 and within >= _MOSTLY * len(run) else 0


def _example(run: Lines) -> str:
    lines: list[str] = []
    for depth, text in zip(run.depths, run.texts, strict=True):
        if (lines and depth <= run.depths[0]) or len(lines) > _MOST_EXAMPLES:
            break
        lines.append(_short(text))
    first, *inner = lines
    return f"{first} > {', '.join(inner)}" if inner else first


def _short(text: str) -> str:
    """Shorten a line to its role and names."""
    kept: list[str] = []
    size = 0
    for word in words(text):
        if word.startswith("[ref=") or "=" in word.partition('"')[0]:
            continue
        short = shortened(word, _NAME) if word.endswith('"') else word
        size += len(short) + 1
        if size > _EXAMPLE:
            break
        kept.append(short)
    return " ".join(kept)


def _kinds(run: Lines) -> str:
    counts = Counter(run.roles)
    kinds = [f"{count} {role}" for role, count in counts.most_common(_MOST_KINDS)]
    return ", ".join(kinds) + (", ..." if len(counts) > _MOST_KINDS else "")


def _count(listed: Sequence[str]) -> int:
    """Count the refs in a list of ranges."""
    total = 0
    for one in listed:
        first, _, last = one.replace("e", "").partition("-")
        total += int(last or first) - int(first) + 1
    return total


def left_out(lines: Lines, fold: Folded, frames: Mapping[str, str]) -> str:
    """Describe the omitted lines, and how to read them.

    ``frames`` maps each iframe's ref to the ``frame_id`` of its document.
    """
    missing = bytearray(len(lines))
    refs = 0
    for gap in fold.gaps:
        missing[gap.start : gap.end] = b"\1" * (gap.end - gap.start)
        refs += len(lines[gap.start : gap.end].refs())
    parts: list[str] = []
    others = 0
    for at, role in enumerate(lines.roles if frames else ()):
        if role != "iframe" or not (named := lines.refs_at(at)) or named[0] not in frames:
            continue
        count = missing.count(1, at, lines.end(at))
        if count and len(parts) < _MOST_FRAMES:
            parts.append(f"{count} in frame {frames[named[0]]} ({named[0]})")
        elif count:
            others += 1
    if others:
        parts.append(f"others in {others} more frames")
    inside = f" ({', '.join(parts)})" if parts else ""
    return Hint(
        f"[{missing.count(1)} lines with {refs} elements left out{inside}",
        (". To read one part: ", Next("snapshot", more="m...")),
        ("; one element: ", Next("snapshot", ref="e...")),
        *([("; one frame: ", Next("snapshot", frame_id="..."))] if frames else ()),
        ("; everything: ", Next("snapshot", full=True)),
        ("; to search: ", Next("find", text="...")),
        "]",
    )
