"""The verdicts as Markdown, at the end of a page of the documentation."""

from __future__ import annotations

from pathlib import Path

from bench.page import put
from judges.duel.card import Card

__all__ = ["put_into", "told"]

FROM = "<!-- python -m judges.duel writes from here -->"


def told(card: Card) -> str:
    """Return the compared versions, and a row per page and tool."""
    tools = [
        f"{card.name(tool)} {card.version(tool)}".strip() + f" ({card.score(tool)})"
        for tool in card.ranking
    ]
    lines = [
        f"Chromium {card.browser}, {card.rounds} round(s). Won: {', '.join(tools)}.",
        "",
        "| page | tool | result | what the tool said |",
        "|---|---|---|---|",
    ]
    for bout in card.bouts:
        for tool in card.ranking:
            verdict = card.verdicts.get((tool, bout))
            line, said = ("not run", "") if verdict is None else (verdict.line, verdict.said)
            lines.append(f"| {bout} | {card.name(tool)} | {line} | {_code(said)} |")
    return "\n".join([*lines, ""])


def put_into(page: Path, card: Card) -> None:
    """Write the end of a page. Raises the same errors as ``put``."""
    put(page, FROM, told(card))


def _code(text: str) -> str:
    return "`{}`".format(text.replace("`", "'").replace("|", "\\|")) if text else ""
