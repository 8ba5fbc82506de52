"""Which of many cases are run each time."""

from __future__ import annotations

import os

import pytest

_SHARE = 3


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the cases of a test that is marked ``sampled`` one in three, unless all are asked for.

    Those whose places along all parameters add up: each value of each parameter is among them.
    """
    if os.environ.get("TABWARDEN_ALL_CASES"):
        return
    left = [item for item in items if item.get_closest_marker("sampled") and not _is_drawn(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in set(left)]


def _is_drawn(item: pytest.Item) -> bool:
    places = item.callspec.indices.values() if isinstance(item, pytest.Function) else ()
    return sum(places) % _SHARE == 0
