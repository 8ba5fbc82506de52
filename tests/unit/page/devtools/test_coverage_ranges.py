"""Coverage ranges: the innermost range decides what was used."""

from __future__ import annotations

import pytest

from tabwarden.page.devtools.coverage import join_ranges, length_of, script_ranges
from tabwarden.protocol.profiler import CoverageRange, FunctionCoverage


def function(*ranges: tuple[int, int, int]) -> FunctionCoverage:
    made = [CoverageRange(start_offset=a, end_offset=b, count=c) for a, b, c in ranges]
    return FunctionCoverage(function_name="f", ranges=made, is_block_coverage=True)


@pytest.mark.parametrize(
    ("functions", "used"),
    [
        ([function((0, 100, 1))], [(0, 100)]),
        ([function((0, 100, 1)), function((10, 40, 0))], [(0, 10), (40, 100)]),
        ([function((0, 100, 1)), function((10, 40, 1), (20, 30, 0))], [(0, 20), (30, 100)]),
        ([function((0, 100, 0)), function((10, 40, 2))], [(10, 40)]),
        (
            [function((0, 100, 1)), function((10, 40, 0)), function((40, 60, 0))],
            [(0, 10), (60, 100)],
        ),
        ([function((0, 100, 0))], []),
        ([], []),
    ],
)
def test_coverage_uses_the_count_of_the_innermost_range(
    functions: list[FunctionCoverage], used: list[tuple[int, int]]
) -> None:
    assert script_ranges(functions) == used
    assert script_ranges(functions[::-1]) == used
    assert length_of(functions) == (100 if functions else 0)


def test_coverage_merges_adjacent_and_overlapping_ranges() -> None:
    assert join_ranges([(5, 9), (0, 3), (3, 4), (7, 12)]) == [(0, 4), (5, 12)]
