"""A bench's results: rows of numbers by way, and target figures. ``judge`` computes verdicts from
the numbers in the rows.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["OWN", "Figure", "Row", "Summary", "Verdict", "judge", "summary"]

OWN = "tabwarden"
"""The way with which all others are compared."""

Stat = Literal["median", "p95", "max"]


@dataclass(frozen=True)
class Summary:
    """Five statistics for a list of numbers."""

    least: float
    """The minimum, which a busy machine affects least."""
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
    """One measurement, for each way that supports it."""

    name: str
    ways: dict[str, list[float]]
    """All measured numbers by way."""
    unit: str = "ms"
    says: str = ""
    """A description of the measurement in one line."""
    left_out: dict[str, str] = field(default_factory=dict)
    """Ways without all numbers, with the reasons."""

    def ratio(self, way: str) -> float | None:
        """Return the ratio of a way's median to Tabwarden's median."""
        own, other = self.ways.get(OWN), self.ways.get(way)
        if not own or not other or not statistics.median(own):
            return None
        return statistics.median(other) / statistics.median(own)


@dataclass(frozen=True)
class Figure:
    """A target for a row: a number, or a ratio to other ways in the same row."""

    says: str
    row: str
    limit: float
    sense: Literal["most", "less", "least"] = "most"
    way: str = OWN
    stat: Stat = "median"
    share_of: str | None = None
    """Divide the number by this way's number."""
    faster_than: tuple[str, ...] = ()
    """The number is the fastest of these ways (with numbers), divided by Tabwarden's number."""
    minus: str | None = None
    """Subtract this way's number."""
    unit: str = "ms"
    source: str = "set in advance"
    """``set in advance``: before the first version; ``set later``: after it."""


@dataclass(frozen=True)
class Verdict:
    """The result for a figure."""

    says: str
    found: float | None
    limit: float
    sense: str
    reached: bool | None
    """None if it was not measured; ``why`` has the reason."""
    unit: str
    source: str
    why: str = ""


def judge(figure: Figure, rows: list[Row]) -> Verdict:
    """Compare a figure with the measured numbers."""
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
    """Return the measured number. If the figure was not measured, return the reason as text."""
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
