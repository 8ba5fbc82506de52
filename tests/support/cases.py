"""Which cases a run has: the short run's, all of them, or those that the short run leaves out."""

from __future__ import annotations

import hashlib
import os
import time
from typing import Literal

import pytest
from hypothesis import is_hypothesis_test

__all__ = ["ALL", "CASES", "pick", "time_is_up"]

CASES: Literal["short", "all", "rest"] = os.environ.get("TABWARDEN_CASES", "short")  # type: ignore[assignment]
"""``short``: ``make test``. ``all``: ``make test ALL=1``. ``rest``: the rest, for .ci/run."""
ALL = CASES != "short"
"""Whether histories are long and random examples many."""

_BROWSER = "tests/browser/"
_DAY = os.environ.get("TABWARDEN_DAY", "")
_UNTIL = float(os.environ.get("TABWARDEN_UNTIL", "inf"))


def pick(items: list[pytest.Item]) -> list[pytest.Item]:
    """Pick the items of this run; ``rest`` takes them file by file, in another order each day."""
    if CASES == "all":
        return items
    short = _short(items)
    if CASES == "short":
        return [item for item in items if item in short]
    return sorted((i for i in items if i not in short or _is_longer(i)), key=_rank_today)


def time_is_up() -> bool:
    """Whether no further test may begin."""
    return time.time() > _UNTIL


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


def _is_longer(item: pytest.Item) -> bool:
    """Whether a run of all cases has a longer history of it."""
    marked = item.get_closest_marker("longer")
    return bool(marked or is_hypothesis_test(getattr(item, "function", None)))


def _rank_today(item: pytest.Item) -> str:
    return hashlib.sha256(f"{_DAY} {item.nodeid.partition('::')[0]}".encode()).hexdigest()
