"""Coverage ranges: which parts of a script or a style sheet were used. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tabwarden.protocol import css, profiler

Range = tuple[int, int]
"""From the first to behind the last character."""


def script_ranges(functions: Iterable[profiler.FunctionCoverage]) -> list[Range]:
    """Return the parts of a script that ran. The innermost range around a character decides."""
    ranges = sorted(
        (one for function in functions for one in function.ranges),
        key=lambda one: (one.start_offset, -one.end_offset),
    )
    used: list[Range] = []
    open_ones: list[profiler.CoverageRange] = []
    at = 0

    def advance(to: int) -> None:
        nonlocal at
        if open_ones and open_ones[-1].count > 0 and to > at:
            used.append((at, to))
        at = max(at, to)

    for one in ranges:
        while open_ones and open_ones[-1].end_offset <= one.start_offset:
            advance(open_ones[-1].end_offset)
            open_ones.pop()
        advance(one.start_offset)
        open_ones.append(one)
    while open_ones:
        advance(open_ones[-1].end_offset)
        open_ones.pop()
    return joined_ranges(used)


def length_of(functions: Sequence[profiler.FunctionCoverage]) -> int:
    """Return the length of a script: its outermost function spans all of it."""
    return max((one.end_offset for function in functions for one in function.ranges), default=0)


def rule_ranges(rules: Iterable[css.RuleUsage]) -> list[Range]:
    """Return the rules of a style sheet that apply to an element."""
    used = ((int(one.start_offset), int(one.end_offset)) for one in rules if one.used)
    return joined_ranges(used)


def joined_ranges(ranges: Iterable[Range]) -> list[Range]:
    """Return the same parts in order, without overlaps."""
    found: list[Range] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        elif end > start:
            found.append((start, end))
    return found
