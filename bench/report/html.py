"""The report as a self-contained HTML file."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from bench.report.plots import plot
from bench.report.run import Run
from bench.rows import OWN, Row, Verdict, summary
from bench.telling import SENSES, number

__all__ = ["html"]


def html(run: Run) -> str:
    """Return the whole report."""
    pages = Environment(
        loader=PackageLoader("bench.report", "."),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    return pages.get_template("report.html.j2").render(
        run=run,
        plot=lambda row: Markup(plot(row)),
        lines=_lines,
        number=number,
        bound=lambda verdict: f"{SENSES[verdict.sense]} {number(verdict.limit)} {verdict.unit}",
        word=_word,
    )


def _lines(row: Row) -> list[tuple[str, ...]]:
    """Return the columns: way, median, minimum, p95, ratio to Tabwarden, count."""
    told = []
    for way, values in row.ways.items():
        if not values:
            continue
        four, ratio = summary(values), row.ratio(way)
        times = "" if ratio is None or way == OWN else f"{number(ratio)} x"
        numbers = (four.median, four.least, four.p95)
        told.append((way, *(number(one) for one in numbers), times, str(four.count)))
    return told


def _word(verdict: Verdict) -> str:
    return {True: "met", False: "missed", None: "unknown"}[verdict.reached]
