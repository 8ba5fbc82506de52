"""Verdicts depend only on the numbers in the rows."""

from __future__ import annotations

from typing import Any

import pytest

from bench.rows import Figure, Row, judge, summary

ROW = Row(
    "click",
    {"tabwarden": [2.0, 2.0, 8.0], "raw": [1.0], "playwright": [20.0], "other": [10.0]},
)


@pytest.mark.parametrize(
    ("asks", "found", "reached"),
    [
        ({"limit": 2}, 2, True),
        ({"limit": 1.99}, 2, False),
        ({"limit": 2, "sense": "less"}, 2, False),
        ({"limit": 2, "sense": "least"}, 2, True),
        ({"limit": 7, "stat": "max"}, 8, False),
        ({"limit": 1.5, "share_of": "raw"}, 2, False),
        ({"limit": 1, "minus": "raw"}, 1, True),
        ({"limit": 10, "sense": "least", "faster_than": ("playwright",)}, 10, True),
        ({"limit": 6, "sense": "least", "faster_than": ("playwright", "other")}, 5, False),
        ({"limit": 5, "sense": "least", "faster_than": ("absent", "other")}, 5, True),
    ],
)
def test_verdict_compares_each_measurement_with_its_target(
    asks: dict[str, Any], found: float, reached: bool
) -> None:
    verdict = judge(Figure("a click", "click", **asks), [ROW])
    assert verdict.found == found
    assert verdict.reached is reached


@pytest.mark.parametrize(
    ("figure", "why"),
    [
        (Figure("typing", "type", 1), "type was not measured"),
        (Figure("a click", "click", 1, share_of="absent"), "no numbers of absent"),
        (Figure("a click", "click", 1, faster_than=("absent",)), "no numbers of absent"),
    ],
)
def test_verdict_of_an_unmeasured_figure_is_neither_reached_nor_missed(
    figure: Figure, why: str
) -> None:
    verdict = judge(figure, [ROW])
    assert (verdict.found, verdict.reached, verdict.why) == (None, None, why)


def test_summary_counts_every_measured_figure() -> None:
    four = summary([float(number) for number in range(100, 0, -1)])
    assert (four.median, four.p95, four.max, four.count) == (50.5, 95, 100, 100)
