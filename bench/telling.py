"""Formats the results as text for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from bench.rows import OWN, Row, Verdict, summary

if TYPE_CHECKING:
    from bench.bench import Found

__all__ = ["number", "tell", "tell_row", "verdict_line"]

NAME = 28


def number(value: float) -> str:
    """Format a number with three significant digits."""
    if value == 0:
        return "0"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def tell(found: Found, out: TextIO) -> None:
    """Describe each figure's result, and skipped measurements. Rows are printed earlier."""
    print(f"\n== {found.title} ({found.took_s:.0f} s, load {found.load[0]:.1f})", file=out)
    for verdict in found.verdicts:
        print(verdict_line(verdict), file=out)
    for what, why in found.skipped.items():
        print(f"skipped  {what}: {why}", file=out)
    if found.failed:
        print(f"FAILED   {found.failed}", file=out)
    out.flush()


def tell_row(row: Row, out: TextIO) -> None:
    print(
        f"\n{row.name[:NAME]:<{NAME}}{row.unit[:12]:>13}{'least':>10}{'p95':>10}{'ratio':>9}{'count':>7}",
        file=out,
    )
    for way, values in row.ways.items():
        four, ratio = summary(values), row.ratio(way)
        times = "" if ratio is None or way == OWN else f"{number(ratio)} x"
        numbers = f"{number(four.median):>13}{number(four.least):>10}{number(four.p95):>10}"
        print(
            f"  {way:<{NAME - 2}}{numbers}{times:>9}{four.count:>7}",
            file=out,
            flush=True,
        )


SENSES = {"most": "at most", "less": "less than", "least": "at least"}


def verdict_line(verdict: Verdict) -> str:
    word = {True: "met", False: "MISSED", None: "unknown"}[verdict.reached]
    found = verdict.why if verdict.found is None else f"{number(verdict.found)} {verdict.unit}"
    limit = f"{SENSES[verdict.sense]} {number(verdict.limit)} {verdict.unit}"
    return f"{word:<8} {verdict.says}: {found} ({limit}; {verdict.source})"
