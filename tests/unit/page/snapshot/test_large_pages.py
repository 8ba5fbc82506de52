"""Pages with very many lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tabwarden.page.snapshot.view import changes_shown
from tabwarden.page.text import Line, Lines


def page(says: Callable[[int], str]) -> Lines:
    return Lines.of([Line(0, "text", f'text "{says(at)}"') for at in range(20_000)])


@pytest.mark.threat
def test_diff_returns_the_whole_page_if_too_many_lines_changed() -> None:
    """It would block the calls of all tasks: 200,000 lines took 8 s."""
    before, after = page(str), page(lambda at: f"new {at}" if at % 3 == 0 else str(at))
    shown = changes_shown(before, after)
    assert not shown.is_diff
    assert len(shown.lines) == 20_000
    assert shown.notes == ["Too much changed to compare. The whole page:"]


def test_diff_compares_a_long_page_with_one_change() -> None:
    shown = changes_shown(page(str), page(lambda at: "new" if at == 9_000 else str(at)))
    assert shown.is_diff
    assert len(shown.lines) < 5
