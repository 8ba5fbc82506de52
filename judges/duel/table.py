"""Formats the verdicts as a table for a terminal: a row per page and tool, with the tool's
answer."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from judges.duel.card import Card

__all__ = ["table"]

STYLES = {"won": "green", "stuck": "red", "wrong": "yellow"}


def table(card: Card) -> Table:
    made = Table(title=card.title, caption=card.caption)
    for column in ("page", "tool", "result", "what the tool said"):
        made.add_column(column)
    for bout in card.bouts:
        for at, tool in enumerate(card.ranking):
            made.add_row(bout if at == 0 else "", card.name(tool), *_cells(card, tool, bout))
        made.add_section()
    for at, tool in enumerate(card.ranking):
        made.add_row("all pages" if at == 0 else "", card.name(tool), card.score(tool), "")
    return made


def _cells(card: Card, tool: str, bout: str) -> tuple[Text, Text]:
    verdict = card.verdicts.get((tool, bout))
    if verdict is None:
        return Text("not run"), Text(card.absent.get(tool, ""))
    return Text(verdict.line, STYLES[verdict.result]), Text(verdict.said)
