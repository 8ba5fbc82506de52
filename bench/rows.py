"""What a bench finds: rows of numbers by way, and figures that are to be reached.

A verdict is never written down by hand: ``judge`` makes it of the numbers in the rows.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["OWN", "Figure", "Row", "Summary", "Verdict", "judge", "summary"]

OWN = "tabwarden"
"""The way that everything is compared with."""

Stat = Literal["median", "p95", "max"]


@dataclass(frozen=True)
class Summary:
    """Some numbers in five."""

    least: float
    """What a busy machine disturbed least."""
    median: float
    p95: float
    max: float
    count: int


def summary(values: list[float]) -> Summary:
    ordered = sorted(values)
    p95 = ordered[max(0, round(len(ordered) * 0.95) - 1)]
    return Summary(ordered[0], statistics.median(ordered), p95, ordered[-1], len(ordered))


@dataclass
class Row:
    """One thing that was measured, in each of the ways that can do it."""

    name: str
    ways: dict[str, list[float]]
    """By way, every number that was taken."""
    unit: str = "ms"
    says: str = ""
    """What is measured, in a line."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Ways that gave no numbers, or not all, and why."""

    def ratio(self, way: str) -> float | None:
        """So many times the median of our own."""
        own, other = self.ways.get(OWN), self.ways.get(way)
        if not own or not other or not statistics.median(own):
            return None
        return statistics.median(other) / statistics.median(own)


@dataclass(frozen=True)
class Figure:
    """What a row is to reach: a number, or a ratio to other ways in the same row."""

    says: str
    row: str
    limit: float
    sense: Literal["most", "less", "least"] = "most"
    way: str = OWN
    stat: Stat = "median"
    share_of: str | None = None
    """The number is divided by this way's."""
    faster_than: tuple[str, ...] = ()
    """The number is the fastest of these, divided by it: those that gave numbers."""
    minus: str | None = None
    """What this way needs is taken off."""
    unit: str = "ms"
    source: str = "set first"
    """Before the first version; "our own" are later ones."""


@dataclass(frozen=True)
class Verdict:
    """What became of a figure."""

    says: str
    found: float | None
    limit: float
    sense: str
    reached: bool | None
    """None: it was not measured; ``why`` says so."""
    unit: str
    source: str
    why: str = ""


def judge(figure: Figure, rows: list[Row]) -> Verdict:
    """Hold a figure against what was measured."""
    found = _found(figure, {row.name: row for row in rows})
    if isinstance(found, str):
        return _verdict(figure, None, None, found)
    met = {
        "most": found <= figure.limit,
        "less": found < figure.limit,
        "least": found >= figure.limit,
    }
    return _verdict(figure, found, met[figure.sense])


def _verdict(figure: Figure, found: float | None, reached: bool | None, why: str = "") -> Verdict:
    unit = "x" if figure.faster_than or figure.share_of else figure.unit
    return Verdict(
        figure.says, found, figure.limit, figure.sense, reached, unit, figure.source, why
    )


def _found(figure: Figure, rows: dict[str, Row]) -> float | str:
    """The number, or why there is none."""
    row = rows.get(figure.row)
    if row is None:
        return f"{figure.row} was not measured"
    others = [row.ways[name] for name in figure.faster_than if row.ways.get(name)]
    needed = [name for name in (figure.way, figure.share_of, figure.minus) if name is not None]
    missing = [name for name in needed if not row.ways.get(name)]
    if missing:
        return f"no numbers of {', '.join(missing)}"
    number: float = getattr(summary(row.ways[figure.way]), figure.stat)
    if figure.minus is not None:
        number -= getattr(summary(row.ways[figure.minus]), figure.stat)
    if figure.faster_than:
        if not others:
            return f"no numbers of {', '.join(figure.faster_than)}"
        return min(getattr(summary(other), figure.stat) for other in others) / number
    if figure.share_of is not None:
        return number / float(getattr(summary(row.ways[figure.share_of]), figure.stat))
    return number
