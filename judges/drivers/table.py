"""The findings as tables: one per contract, with a column per product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judges.drivers.process import PRODUCTS
from judges.drivers.ring import CONTRACTS, Findings
from judges.drivers.scenes import Note

__all__ = ["TITLES", "failures", "markdown"]

NAMES = {"tabwarden": "Tabwarden", "stagehand": "Stagehand", "browser-use": "browser-use"}
TITLES = {
    "anthropic": "Anthropic's `browser_toolset_20260801`",
    "openai": "OpenAI's `BrowserToolset`",
}
MOST_WORDS = 160
"""Characters of a failure in the list below a table."""


@dataclass(frozen=True)
class Row:
    key: str
    title: str
    cell: Callable[[Sequence[Note]], str]


def share(notes: Sequence[Note]) -> str:
    judged = [note for note in notes if note.good is not None]
    return f"{sum(note.good is True for note in judged)} of {len(judged)}"


def lost(notes: Sequence[Note]) -> str:
    return f"{sum(note.good is False for note in notes)} of {len(notes)}"


def count(notes: Sequence[Note]) -> str:
    return str(len(notes))


def words(notes: Sequence[Note]) -> str:
    return "; ".join(note.text for note in notes)


def hangs(notes: Sequence[Note]) -> str:
    longest = max((note.number or 0 for note in notes), default=0)
    return f"{share(notes)}, longest call {longest:.0f} s"


ROWS = (
    Row("six", "Anthropic's six calls", share),
    Row("members", "members that work", share),
    Row("rules", "results that break a rule of the API", count),
    Row("dialogs told", "dialogs that the model hears of", share),
    Row("dialogs answered", "dialogs that the model can accept", share),
    Row("accepted unasked", "confirms and prompts that the driver accepts by itself", lost),
    Row("hangs", "hung pages after which the agent goes on", hangs),
    Row("late", "calls without an answer in 32 s", count),
    Row("crash", "a crashed page", words),
    Row("popup", "a click that opens a second window, which is then read", words),
    Row("frame", "a button in a frame of another site", words),
    Row("covered", "a click on a covered button", words),
    Row("stale", "a click on a removed button", words),
    Row("moved", "moving and redrawn buttons: right or refused", share),
    Row("untrue", "impossible calls that are refused", share),
    Row("secrets", "a secret by its name", words),
    Row("many: read", "`read_page` on 10,000 elements", words),
    Row("many: find", "`find` on it, and a click on the result", words),
    Row("characters of a read", "characters of `read_page` on a small form", words),
    Row("characters of a task", "characters of a task of 9 calls", words),
    Row("time: counting click", "a click that changes the page, median of 25", words),
    Row("time: click", "a click that changes nothing, median of 25", words),
    Row("time: type", "`form_input` / `type`, median of 25", words),
    Row("time: read", "`read_page`, median of 25", words),
)
COUNTED = {"rules", "late"}
"""Rows in which no note means none happened."""


def markdown(found: Sequence[Findings]) -> str:
    """Return the tables, and below each the failures that it counts."""
    parts = []
    for contract in CONTRACTS:
        columns = [
            one for product in PRODUCTS for one in found
            if one.contract == contract and one.product == product
        ]  # fmt: skip
        if columns:
            parts.append(_table(contract, columns))
    return "\n".join(parts)


def _table(contract: str, columns: Sequence[Findings]) -> str:
    lines = [
        f"### {TITLES[contract]}",
        "",
        f"| | {' | '.join(NAMES[one.product] for one in columns)} |",
        f"|---|{'---|' * len(columns)}",
    ]
    for row in ROWS:
        if not any(one.of(row.key) for one in columns) and row.key not in COUNTED:
            continue
        cells = [_cell(row, one) for one in columns]
        lines.append(f"| {row.title} | {' | '.join(cells)} |")
    for one in columns:
        if not one.absent and (told := failures(one)):
            lines += ["", f"What {NAMES[one.product]} failed:", "", *told]
    return "\n".join([*lines, ""])


def _cell(row: Row, one: Findings) -> str:
    notes = one.of(row.key)
    if one.absent or (not notes and row.key not in COUNTED):
        return "not run"
    return _plain(row.cell(notes))


def failures(one: Findings) -> list[str]:
    """The failures behind the counts of a column, as a list in Markdown, with a line per row."""
    lines = []
    for row in ROWS:
        if row.cell in (share, lost, count, hangs):
            failed = [_plain(note.text) for note in one.of(row.key) if note.good is False]
            if failed:
                lines.append(f"- {row.key}: {'; '.join(dict.fromkeys(failed))}")
    return lines


def _plain(text: str) -> str:
    text = " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
    return text if len(text) <= MOST_WORDS else f"{text[:MOST_WORDS]} ..."
