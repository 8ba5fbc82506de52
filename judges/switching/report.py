"""The outcomes as a table at the end of docs/switching.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.page import put
from judges.duel.card import TOOLS as NAMES
from judges.switching.trial import Outcome, Trial

__all__ = ["put_into", "table"]

FROM = "<!-- python -m judges.switching writes from here -->"


def table(
    found: Mapping[tuple[str, str], Outcome],
    trials: Sequence[Trial],
    tools: Sequence[str],
    versions: Mapping[str, str],
) -> str:
    """Return the table of results, and below it the reason for each failure."""
    about = [f"{NAMES[tool]} {versions.get(tool, '').split(' ')[0]}".strip() for tool in tools]
    browser = versions.get("browser", "?").split(" ")[0]
    lines = [
        f"Chromium {browser}: {', '.join(about)}.",
        "",
        f"| the agent wants | {' | '.join(NAMES[tool] for tool in tools)} |",
        f"|---{'|---' * len(tools)}|",
    ]
    for trial in trials:
        cells = [_cell(found[trial.name, tool]) for tool in tools]
        lines.append(f"| {trial.name}: {trial.wants} | {' | '.join(cells)} |")
    done = [sum(found[trial.name, tool].done for trial in trials) for tool in tools]
    lines.append(f"| **done** | {' | '.join(f'{count} of {len(trials)}' for count in done)} |")
    missed = [
        f"- {trial.name}, {NAMES[tool]}: {_plain(outcome.missing)}."
        for trial in trials
        for tool in tools
        if not (outcome := found[trial.name, tool]).done
    ]
    return "\n".join([*lines, "", *(["Not done:", "", *missed, ""] if missed else [])])


def put_into(page: Path, text: str) -> None:
    """Write the end of a page; raise as ``put``."""
    put(page, FROM, text)


def _cell(outcome: Outcome) -> str:
    if not outcome.offered:
        return "-"
    word = "done" if outcome.done else "**no**"
    return f"{word}: {outcome.calls} / {outcome.read:,} / {outcome.definitions:,}"


def _plain(text: str) -> str:
    for mark in "|<>`*_[]":
        text = text.replace(mark, " ")
    return " ".join(text.split())
