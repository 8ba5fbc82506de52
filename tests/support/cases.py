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

_SHARE = 3
_DAY = os.environ.get("TABWARDEN_DAY", "")
_UNTIL = float(os.environ.get("TABWARDEN_UNTIL", "inf"))


def pick(items: list[pytest.Item]) -> list[pytest.Item]:
    """Pick the items of this run; ``rest`` takes them file by file, in another order each day."""
    if CASES == "all":
        return items
    if CASES == "short":
        return [item for item in items if _is_short(item)]
    return sorted((item for item in items if _has_more(item)), key=_rank_today)


def time_is_up() -> bool:
    """Whether no further test may begin."""
    return time.time() > _UNTIL


def _is_short(item: pytest.Item) -> bool:
    """Of ``sampled`` tests, the cases whose places along all parameters add up to a multiple of
    three: each value of each parameter is among them."""
    if item.get_closest_marker("long"):
        return False
    if not item.get_closest_marker("sampled"):
        return True
    callspec = getattr(item, "callspec", None)
    return sum(callspec.indices.values() if callspec is not None else ()) % _SHARE == 0


def _has_more(item: pytest.Item) -> bool:
    """Whether a run of all cases has this one alone, or a longer history of it."""
    longer = item.get_closest_marker("longer") or is_hypothesis_test(
        getattr(item, "function", None)
    )
    return bool(longer) or not _is_short(item)


def _rank_today(item: pytest.Item) -> str:
    return hashlib.sha256(f"{_DAY} {item.nodeid.partition('::')[0]}".encode()).hexdigest()
