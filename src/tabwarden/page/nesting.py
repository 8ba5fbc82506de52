"""Nesting: which line of an outline stands in which."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

__all__ = ["Nesting"]


class Nesting:
    """What stands in what, for lines by their depths.

    Lines that follow each other at one depth stand in the same line, and nothing stands in any of
    them but the last: such *runs* are gone through as one.
    """

    def __init__(self, depths: Sequence[int]) -> None:
        count = len(depths)
        self.above: list[int] = []
        """For each line that which it stands in; -1 for the outermost."""
        self.ends = list(range(1, count + 1))
        """For each line where what stands in it ends."""
        self.runs: list[tuple[int, int]] = []
        """Where each run begins and ends."""
        path: list[int] = []  # the last line of each level so far
        levels: list[int] = []
        for depth, run in groupby(depths):
            start = len(self.above)
            end = start + len(list(run))
            while levels and levels[-1] >= depth:
                levels.pop()
                self.ends[path.pop()] = start
            self.runs.append((start, end))
            self.above += [path[-1] if path else -1] * (end - start)
            path.append(end - 1)
            levels.append(depth)
        for last in path:
            self.ends[last] = count
