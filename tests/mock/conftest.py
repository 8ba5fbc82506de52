"""The mock browser's tests use this machine's wait times."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from support.pace import patience_of_slow_machines


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    # Pytest calls this for the tests of all folders.
    with patience_of_slow_machines(wanted=item.path.is_relative_to(Path(__file__).parent)):
        return (yield)
