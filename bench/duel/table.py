"""The verdicts as a table for a terminal."""

from __future__ import annotations

from rich.table import Table

from bench.duel.card import Card

__all__ = ["table"]


def table(card: Card) -> Table:
    made = Table(title=card.title, caption=card.caption)
    made.add_column("")
    for bout in card.bouts:
        made.add_column(bout)
    made.add_column("won", justify="right")
    for tool in card.ranking:
        if tool in card.absent:
            made.add_row(tool, card.absent[tool], *[""] * len(card.bouts))
            continue
        cells = []
        for bout in card.bouts:
            verdict = card.verdicts.get((tool, bout))
            if verdict is None:
                cells.append("not run")
            elif verdict.won:
                cells.append(f"[green]✓ {verdict.seconds:.1f} s[/]")
            else:
                cells.append(f"[red]✗ {verdict.why}[/], {verdict.seconds:.1f} s")
        made.add_row(tool, *cells, str(card.wins(tool)))
    return made
