"""Defines a bench, its options, and its command line."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.leftovers import end_leftovers, marked
from bench.rows import Figure, Row, Verdict, judge
from bench.telling import tell, tell_row
from tabwarden.budget import Budget
from tabwarden.endpoints.finding import choose

__all__ = ["Asked", "Bench", "Found", "alone", "found_of"]


@dataclass(frozen=True)
class Asked:
    """The options of a run."""

    quick: bool
    """Few rounds and small pages, for a check and rough numbers."""
    rivals: bool
    """Also measure other tools."""
    browser: str
    """The browser executable for all tools."""
    scale: float = 1.0
    """Factor for the number of rounds. Tests use a small fraction."""
    options: argparse.Namespace = field(default_factory=argparse.Namespace)
    """The bench's own options."""

    @property
    def way_s(self) -> float:
        """Maximum seconds that a way may use for a row."""
        return 10.0 if self.quick else 45.0

    def rounds(self, usually: int, quick: int) -> int:
        return max(2, round((quick if self.quick else usually) * self.scale))


@dataclass
class Found:
    """A bench's results. They are saved after each step, so that a killed bench leaves results."""

    name: str
    title: str
    figures: tuple[Figure, ...] = ()
    rows: list[Row] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    """The measurements that were skipped, with the reasons."""
    versions: dict[str, str] = field(default_factory=dict)
    load: tuple[float, float] = (0.0, 0.0)
    """The machine's load before and after."""
    made_at: str = ""
    took_s: float = 0.0
    failed: str = ""
    """Why the bench did not finish."""
    at: Path | None = None

    def add(self, *rows: Row) -> None:
        self.rows += rows
        for row in rows:
            tell_row(row, sys.stdout)
        self.skipped |= {
            f"{row.name}: {way}": why for row in rows for way, why in row.left_out.items()
        }
        self.save()

    @property
    def verdicts(self) -> list[Verdict]:
        return [judge(figure, self.rows) for figure in self.figures]

    def to_json(self) -> dict[str, Any]:
        told = asdict(self)
        del told["at"]
        told["verdicts"] = [asdict(verdict) for verdict in self.verdicts]
        return told

    def save(self) -> None:
        if self.at is not None:
            self.at.write_text(json.dumps(self.to_json(), indent=1) + "\n", "utf-8")


def found_of(told: dict[str, Any]) -> Found:
    """Create results from their JSON. Verdicts are computed again."""
    given = {key: value for key, value in told.items() if key != "verdicts"}
    given["rows"] = [Row(**row) for row in told["rows"]]
    given["figures"] = tuple(
        Figure(**{**figure, "faster_than": tuple(figure["faster_than"])})
        for figure in told["figures"]
    )
    given["load"] = tuple(told["load"])
    return Found(**given)


@dataclass(frozen=True)
class Bench:
    """A bench: its name, its measurements, and its target figures."""

    name: str
    title: str
    measure: Callable[[Asked, Found], Awaitable[None]]
    figures: tuple[Figure, ...] = ()
    deadline_s: float = 900.0
    """Deadline for the bench; a third of it with ``--quick``."""
    options: Callable[[argparse.ArgumentParser], None] | None = None


def alone(bench: Bench) -> int:
    """Run a bench in this process. Return the exit status 1 if it missed a figure or did not
    finish."""
    parser = argparse.ArgumentParser(prog=f"python -m bench.{bench.name}", description=bench.title)
    parser.add_argument("--quick", action="store_true", help="few rounds, small pages")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    parser.add_argument(
        "--no-rivals", action="store_true", help="measure only Tabwarden and raw CDP connections"
    )
    parser.add_argument(
        "--scale", type=float, default=1.0, help="multiply the number of rounds by this"
    )
    if bench.options is not None:
        bench.options(parser)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, _ended)
    mark = marked()
    browser = str(asyncio.run(choose(Budget(60_000))).path)
    asked = Asked(given.quick, not given.no_rivals, browser, given.scale, given)
    found = Found(bench.name, bench.title, bench.figures, at=given.json)
    found.load = (os.getloadavg()[0], 0.0)
    found.made_at = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    began = time.monotonic()
    try:
        asyncio.run(bench.measure(asked, found))
    except BaseException as error:
        found.failed = f"{type(error).__name__}: {error}"[:500]
        raise
    finally:
        found.took_s = time.monotonic() - began
        found.load = (found.load[0], os.getloadavg()[0])
        found.save()
        tell(found, sys.stdout)
        end_leftovers(mark)
    return 1 if any(verdict.reached is False for verdict in found.verdicts) else 0


def _ended(number: int, frame: object) -> None:
    """Exit in order, so that the results are printed and all processes end."""
    raise SystemExit(f"ended by {signal.Signals(number).name}")
