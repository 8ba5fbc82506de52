"""Whether to wait before a page is read."""

from __future__ import annotations

import pytest

from tabwarden.page.call.stillness import Activity, Decision, after_arrival, after_input, combine

RESTS = Activity(text=200, controls=5, scripts=2)
CHANGED = Activity(text=200, controls=5, scripts=2, changed=True)
CHANGES = Activity(text=200, controls=5, scripts=2, changed=True, rested_ms=19)
BUSY = Activity(text=200, controls=5, scripts=2, changed=True, busy=True)


@pytest.mark.parametrize(
    ("seen", "waited_ms", "may_be_late", "step"),
    [
        (RESTS, 0, False, "wait"),
        (RESTS, 149, False, "wait"),
        (RESTS, 150, False, "go"),
        (CHANGED, 0, False, "go"),
        (CHANGED, 0, True, "wait"),
        (RESTS, 399, True, "wait"),
        (CHANGED, 400, True, "go"),
        (CHANGES, 500, False, "wait"),
        (CHANGES, 1_000, False, "changing"),
        (BUSY, 500, True, "wait"),
        (BUSY, 1_000, True, "changing"),
    ],
)
def test_stillness_wait_after_an_input_depends_on_page_activity(
    seen: Activity, waited_ms: float, may_be_late: bool, step: Decision
) -> None:
    assert after_input(seen, waited_ms, may_be_late=may_be_late) == step


@pytest.mark.parametrize(
    ("seen", "waited_ms", "drawn_ms", "step"),
    [
        (Activity(), 0, 0, "go"),
        (Activity(scripts=1), 699, 0, "wait"),
        (Activity(scripts=1), 700, 0, "go"),
        (Activity(scripts=1, busy=True), 700, 0, "wait"),
        (Activity(scripts=2), 4_999, 0, "wait"),
        (Activity(scripts=2), 5_000, 0, "changing"),
        (Activity(text=10, scripts=2, busy=True), 4_999, 0, "wait"),
        (Activity(text=10, scripts=2, busy=True), 5_000, 0, "changing"),
        (Activity(text=10, rested_ms=0), 0, 0, "go"),
        (Activity(text=10, scripts=2, rested_ms=100), 0, 0, "go"),
        (Activity(text=10, scripts=2, rested_ms=100), 3_000, 100, "wait"),
        (Activity(text=10, scripts=2, rested_ms=250), 3_000, 250, "go"),
        (Activity(text=10, scripts=2, rested_ms=10), 1_000, 1_000, "changing"),
    ],
)
def test_stillness_wait_after_a_navigation_depends_on_page_activity(
    seen: Activity, waited_ms: float, drawn_ms: float, step: Decision
) -> None:
    assert after_arrival(seen, waited_ms, drawn_ms) == step


def test_combined_activity_merges_all_documents() -> None:
    both = combine(
        [
            Activity(rested_ms=5, text=3, is_bare=True),
            Activity(is_bare=True, changed=True, controls=2, scripts=1),
        ]
    )
    assert both == Activity(rested_ms=5, changed=True, text=3, controls=2, is_bare=True, scripts=1)
