"""Which cases a run has: the short run's, or all of them."""

from __future__ import annotations

import os

import pytest

__all__ = ["ALL", "pick"]

ALL = os.environ.get("TABWARDEN_CASES", "short") == "all"
"""Whether this is ``make test ALL=1``. Then histories are long, too, and random examples many."""

_BROWSER = "tests/browser/"


def pick(items: list[pytest.Item]) -> list[pytest.Item]:
    """Pick the items of this run."""
    if ALL:
        return items
    short = _short(items)
    return [item for item in items if item in short]


def _short(items: list[pytest.Item]) -> set[pytest.Item]:
    """Leave out what is ``long``, and all but three cases of each test in a browser."""
    matrices: dict[str, list[pytest.Item]] = {}
    for item in items:
        if not item.get_closest_marker("long"):
            is_whole = item.get_closest_marker("whole") or not item.nodeid.startswith(_BROWSER)
            matrices.setdefault(item.nodeid if is_whole else _test(item), []).append(item)
    return {item for matrix in matrices.values() for item in _diagonal(matrix)}


def _diagonal(matrix: list[pytest.Item]) -> list[pytest.Item]:
    """Pick the cases with the first, the middle and the last value of every parameter."""
    places = [_indices(item) for item in matrix]
    ends = {name: max(place[name] for place in places) for name in places[0]}
    wanted = [{name: end * step // 2 for name, end in ends.items()} for step in range(3)]
    picked = [item for item, place in zip(matrix, places, strict=True) if place in wanted]
    return picked or matrix[:1]


def _indices(item: pytest.Item) -> dict[str, int]:
    callspec = getattr(item, "callspec", None)
    return dict(callspec.indices) if callspec is not None else {}


def _test(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]
