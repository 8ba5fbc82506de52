"""The cases of a run: the short run's, or all of them."""

from __future__ import annotations

import os

import pytest

__all__ = ["ALL", "PICKED", "pick"]

ALL = os.environ.get("TABWARDEN_CASES", "short") == "all"
"""Whether this is ``make test ALL=1``. Then histories are long, too, and random examples many."""

PICKED = pytest.StashKey[list[pytest.Item]]()
"""The configuration key for the items that ``pick`` returned."""
_BROWSER = "tests/browser/"


def pick(items: list[pytest.Item]) -> list[pytest.Item]:
    """Pick the items of this run."""
    if ALL:
        return items
    short = _short(items)
    return [item for item in items if item in short]


def _short(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the items that are not ``long``, but only one case of each browser test."""
    matrices: dict[str, list[pytest.Item]] = {}
    for item in items:
        if not item.get_closest_marker("long"):
            is_whole = item.get_closest_marker("whole") or not item.nodeid.startswith(_BROWSER)
            matrices.setdefault(item.nodeid if is_whole else _test(item), []).append(item)
    return {_middle(matrix) for matrix in matrices.values()}


def _middle(matrix: list[pytest.Item]) -> pytest.Item:
    """Pick the case with the middle value of every parameter, or the first one."""
    places = [_indices(item) for item in matrix]
    middle = {name: max(place[name] for place in places) // 2 for name in places[0]}
    return matrix[places.index(middle) if middle in places else 0]


def _indices(item: pytest.Item) -> dict[str, int]:
    callspec = getattr(item, "callspec", None)
    return dict(callspec.indices) if callspec is not None else {}


def _test(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]
