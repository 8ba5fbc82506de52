"""Which of many cases are run each time, and which once more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_SHARE = 3
_LARGE = frozenset({
    "test_beforeunload.py", "test_dialogs_debugger.py", "test_dialogs_many.py",
    "test_dialogs_playwright.py", "test_dialogs_relayed.py", "test_endpoints_owner.py",
    "test_frame_trees.py", "test_leaks.py", "test_prompts.py", "test_remote.py",
    "test_remote_failures.py", "test_wire.py",
})  # fmt: skip
"""Files of matrices (channels x kinds, providers x failures) that take a browser a case."""


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Coroutines of tests run on asyncio, which Tabwarden's engine is."""
    return "asyncio"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--failed-to", type=Path, help="write down what failed, for pytest @FILE")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Pytest's own ``--last-failed`` does not know those again that xdist has put into a group:
    their names have it at the end."""
    path = terminalreporter.config.getoption("--failed-to")
    if path is not None:
        reports = [one for how in ("failed", "error") for one in terminalreporter.getreports(how)]
        failed = dict.fromkeys(_without_group(one.nodeid) for one in reports)
        path.write_text("".join(f"{one}\n" for one in failed), "utf-8")


def _without_group(nodeid: str) -> str:
    """As xdist tells them apart: a parameter may have an ``@``, a group has no bracket after it."""
    name, _, group = nodeid.rpartition("@")
    return name if name and "]" not in group and "::" not in group else nodeid


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
