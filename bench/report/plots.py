"""Plots a row as inline SVG: each number as a dot, the median as a line."""

from __future__ import annotations

import io
import re
from itertools import cycle
from typing import TYPE_CHECKING

from bench.rows import OWN, Row, summary
from bench.telling import number

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

__all__ = ["plot"]

OWN_COLOUR, OTHERS = "#00796b", "#78909c"
MOST_DOTS = 200
LOGARITHMIC_FROM = 8
"""Ratio of the slowest to the fastest median above which the scale is logarithmic."""


def plot(row: Row) -> str:
    """Return a row's SVG; "" if there is nothing to compare."""
    ways = {way: values for way, values in row.ways.items() if values}
    if len(ways) < 2:
        return ""
    # Imported on demand, because the import takes a second.
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    mpl.use("svg")
    ordered = sorted(ways, key=lambda way: summary(ways[way]).median, reverse=True)
    canvas = Canvas(figsize=(5.6, 0.42 * len(ways) + 0.75))
    axes = canvas.add_subplot()
    for at, way in enumerate(ordered):
        values, colour = ways[way], OWN_COLOUR if way == OWN else OTHERS
        some = values[:: max(1, len(values) // MOST_DOTS)]
        shifts = [
            shift for _, shift in zip(some, cycle((0, 0.09, -0.09, 0.05, -0.05)), strict=False)
        ]
        axes.scatter(some, [at + shift for shift in shifts], s=7, color=colour, alpha=0.35, lw=0)
        median = summary(values).median
        axes.plot([median, median], [at - 0.3, at + 0.3], color=colour, lw=2.2)
        axes.annotate(
            number(median), (median, at + 0.32), ha="center", va="bottom", fontsize=7, color=colour
        )
    medians = [summary(values).median for values in ways.values()]
    if min(medians) > 0 and max(medians) / min(medians) > LOGARITHMIC_FROM:
        axes.set_xscale("log")
    else:
        axes.set_xlim(left=0)
    axes.set_yticks(range(len(ordered)), ordered, fontsize=8)
    axes.set_ylim(-0.6, len(ordered) - 0.2)
    axes.set_xlabel(row.unit, fontsize=8)
    axes.tick_params(axis="x", labelsize=7)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    canvas.tight_layout()
    return _inline(canvas, row.name)


def _inline(canvas: Canvas, name: str) -> str:
    import matplotlib as mpl

    drawn = io.StringIO()
    slug = re.sub(r"\W+", "-", name)
    # Text stays text, and ids are unique per plot, because plots share a page.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": slug, "svg.id": slug}):
        canvas.savefig(drawn, format="svg", transparent=True, metadata={"Date": None})
    svg = drawn.getvalue()
    svg = svg[svg.index("<svg") :]
    return re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
