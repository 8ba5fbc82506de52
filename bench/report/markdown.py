"""The figures of a run as Markdown, between two marks on a page of the documentation."""

from __future__ import annotations

from pathlib import Path

from bench.bench import Found
from bench.page import origin, put
from bench.report.run import Run
from bench.rows import OWN, Row, summary
from bench.telling import SENSES, number

__all__ = ["markdown", "put_into"]

BEGIN = "<!-- figures: made by `python -m bench --doc`, not by hand -->"
END = "<!-- end of figures -->"


def markdown(run: Run) -> str:
    """Return the machine, the verdicts, and each bench's medians."""
    told = [
        f"Made {run.made_at} by `{run.command}`.",
        "",
        "- versions: " + ", ".join(f"{name} {value}" for name, value in run.versions.items()),
        *(f"- not compared with {what}: {why}" for what, why in run.skipped.items()),
        "",
        "### Figures to reach",
        "",
        *_verdicts(run),
    ]
    for found in run.benches:
        told += ["", *_bench(found)]
    return "\n".join(told) + "\n"


def put_into(page: Path, run: Run) -> None:
    """Replace the text between the marks. Raises the same errors as ``put``."""
    said = origin(run.commit, run.made_at.partition(" ")[0], run.machine)
    put(page, BEGIN, markdown(run), end=END, said=said)


def _verdicts(run: Run) -> list[str]:
    lines = ["| figure | found | to reach | from | |", "|---|---|---|---|---|"]
    for verdict in run.verdicts:
        found = verdict.why
        if verdict.found is not None:
            found = f"{number(verdict.found)} {verdict.unit}"
        bound = f"{SENSES[verdict.sense]} {number(verdict.limit)} {verdict.unit}"
        word = {True: "met", False: "**missed**", None: "unknown"}[verdict.reached]
        lines.append(f"| {_cell(verdict.says)} | {found} | {bound} | {verdict.source} | {word} |")
    return lines


def _bench(found: Found) -> list[str]:
    """Return a table with a line for each row and a column for each way."""
    lines = [f"### {found.title}", ""]
    load = f"load {found.load[0]:.1f} before, {found.load[1]:.1f} after"
    lines += [f"`python -m bench.{found.name}`, {found.made_at}, {found.took_s:.0f} s; {load}."]
    if found.failed:
        lines += ["", f"Came to no end: {_cell(found.failed)}"]
    ways = list(dict.fromkeys(way for row in found.rows for way in row.ways))
    if ways:
        lines += [
            "",
            "| median (least to p95) | " + " | ".join(ways) + " |",
            "|---" * (len(ways) + 1) + "|",
        ]
    for row in found.rows:
        name = f"{_cell(row.name)}, {row.unit}"
        lines.append(f"| {name} | " + " | ".join(_numbers(row, way) for way in ways) + " |")
    if found.skipped:
        lines += ["", *(f"- {_cell(what)}: {_cell(why)}" for what, why in found.skipped.items())]
    return lines


def _numbers(row: Row, way: str) -> str:
    values = row.ways.get(way)
    if not values:
        return ""
    four = summary(values)
    told = number(four.median)
    if four.count > 1:
        told += f" ({number(four.least)} to {number(four.p95)})"
    return f"**{told}**" if way == OWN else told


def _cell(text: str) -> str:
    """Escape text for a table cell."""
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
