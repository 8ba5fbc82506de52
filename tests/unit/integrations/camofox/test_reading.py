"""Differences between a Camofox page and its last snapshot."""

from __future__ import annotations

import pytest
from support.pace import in_time

from tabwarden.integrations.camofox.reading import _changes
from tabwarden.page.text import fence


def changes(before: list[str], after: list[str]) -> tuple[list[str], str]:
    text, note = _changes(fence(before), fence(after))
    return text.split("\n")[1:-1], note


def test_camofox_diff_counts_repeated_lines() -> None:
    before = ["- list:", "  - text: a", "  - text: a", "  - text: b"]
    after = ["- list:", "  - text: b", "  - text: a", "  - text: c"]
    assert changes(before, after) == (["- text: a", "+ text: c"], "")


def test_camofox_diff_ignores_moved_lines() -> None:
    assert changes(["- a", "- b"], ["- b", "- a"]) == (
        [],
        "Nothing has changed since your previous snapshot.",
    )


@pytest.mark.threat
def test_camofox_diff_compares_many_lines_in_linear_time() -> None:
    """It would block the calls of all tasks: 32,000 lines took 50 s."""

    def page(name: str) -> list[str]:
        return [line for at in range(15_000) for line in (f"- text: {at}", f"- {name}: {at}")]

    with in_time(5):
        lines, _ = changes(page("old"), page("new"))
    assert len(lines) == 30_000
