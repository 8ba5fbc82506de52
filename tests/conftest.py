"""Which of many cases are run each time."""

from __future__ import annotations

import os

import pytest

_SHARE = 3
_LARGE = frozenset({
    "test_beforeunload.py", "test_dialogs_debugger.py", "test_dialogs_many.py",
    "test_dialogs_playwright.py", "test_dialogs_relayed.py", "test_endpoints_owner.py",
    "test_frame_trees.py", "test_leaks.py", "test_prompts.py", "test_remote.py",
    "test_remote_failures.py", "test_wire.py",
})  # fmt: skip
"""Files of matrices (channels x kinds, providers x failures) that take a browser a case."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the cases of tests in such files, or marked ``sampled``, one in three; all if asked for.

    Those whose places along all parameters add up: each value of each parameter is among them.
    """
    if os.environ.get("TABWARDEN_ALL_CASES"):
        return
    left = {item for item in items if _is_sampled(item) and not _is_drawn(item)}
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


def _is_sampled(item: pytest.Item) -> bool:
    marked = item.get_closest_marker("sampled") is not None
    return marked or (item.path.name in _LARGE and "browser" in item.path.parts)


def _is_drawn(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    return sum(callspec.indices.values() if callspec is not None else ()) % _SHARE == 0
